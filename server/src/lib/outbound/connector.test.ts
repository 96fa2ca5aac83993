import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { startHttpReceiver, type TestReceiver } from '@payassent/proof/surroundings/http-receiver';
import { startDnsServer, type TestDnsServer } from '@payassent/proof/surroundings/surroundings';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDns, type Dns } from '../dns.ts';
import { createOutbound, type Outbound, type OutboundOptions, type OutboundResult } from './index.ts';

let dnsServer: TestDnsServer;
let dns: Dns;
let receiver: TestReceiver;
const opened: Outbound[] = [];

beforeAll(async () => {
  dnsServer = await startDnsServer();
  dns = createDns([dnsServer.address]);
  receiver = await startHttpReceiver();
});
beforeEach(() => {
  dnsServer.clear();
  receiver.script({ kind: 'answer' });
});
afterAll(async () => {
  for (const outbound of opened) await outbound.close();
  await receiver.close();
  await dnsServer.close();
});

function outboundWith(options: Partial<OutboundOptions>): Outbound {
  const outbound = createOutbound({ dns, allowLoopback: false, ...options });
  opened.push(outbound);
  return outbound;
}

function classOf(result: OutboundResult): string {
  return result.ok ? String(result.status) : result.errorClass;
}

const get = { method: 'GET', deadlineMs: 3_000, maxBodyBytes: 1_024 } as const;

describe('the connection goes to the address that was judged', () => {
  it('whatever the name server returns afterwards: it is queried once, and nothing else is dialled', async () => {
    dnsServer.setSequence('rebind.example', 'A', [['8.8.4.4'], ['127.0.0.1']]);
    const dialled: string[] = [];
    const outbound = outboundWith({
      openSocket(address) {
        dialled.push(address);
        // Nothing leaves this machine: a closed port represents the remote host.
        return connect({ host: '127.0.0.1', port: 1 });
      },
    });
    const result = await outbound.send({ ...get, url: `https://rebind.example:${receiver.port}/` });
    expect(classOf(result)).toBe('connect_failed');
    expect(dialled).toEqual(['8.8.4.4']);
    expect(dnsServer.queries.filter(({ type }) => type === 'A')).toHaveLength(1);
  });

  it('and the next connection is judged again: a name that has moved inside is refused', async () => {
    dnsServer.setSequence('rebind.example', 'A', [['127.0.0.1'], ['10.0.0.1']]);
    const outbound = outboundWith({ allowLoopback: true });
    const url = `https://rebind.example:${receiver.port}/`;
    // The receiver has no TLS, so no connection is kept.
    expect(classOf(await outbound.send({ ...get, url }))).toBe('tls_failed');
    expect(classOf(await outbound.send({ ...get, url }))).toBe('blocked_address');
  });

  it('a peer that is not a permitted one is left before a byte is written', async () => {
    dnsServer.set('natted.example', 'A', ['8.8.4.4']);
    const sockets: Socket[] = [];
    const connectionsBefore = receiver.connectionCount;
    const outbound = outboundWith({
      openSocket() {
        // A connection that ends at this machine although a public address was dialled.
        const socket = connect({ host: '127.0.0.1', port: receiver.port });
        sockets.push(socket);
        return socket;
      },
    });
    const result = await outbound.send({ ...get, url: 'https://natted.example/' });
    expect(classOf(result)).toBe('blocked_address');
    await expect.poll(() => receiver.connectionCount).toBe(connectionsBefore + 1);
    expect(sockets.map((socket) => socket.bytesWritten)).toEqual([0]);
    expect(sockets.every((socket) => socket.destroyed)).toBe(true);
  });

  it('tries the next address when one cannot be reached', async () => {
    dnsServer.set('two.example', 'A', ['127.0.0.1', '127.0.0.3']);
    const dialled: string[] = [];
    const outbound = outboundWith({
      allowLoopback: true,
      openSocket(address, port) {
        dialled.push(address);
        const reachable = dialled.length > 1;
        return connect({ host: '127.0.0.1', port: reachable ? port : 1 });
      },
    });
    const result = await outbound.send({ ...get, url: `https://two.example:${receiver.port}/` });
    expect(classOf(result)).toBe('tls_failed');
    expect(dialled.sort()).toEqual(['127.0.0.1', '127.0.0.3']);
  });
});

// A connection whose handshake takes 400 ms.
function dialSlowly(address: string, port: number): Socket {
  const socket = connect({ host: address, port });
  const emit = socket.emit.bind(socket);
  socket.emit = (event: string | symbol, ...details: unknown[]): boolean => {
    if (event !== 'connect') return emit(event, ...details);
    setTimeout(() => emit(event, ...details), 400);
    return true;
  };
  return socket;
}

describe('resolving and connecting', () => {
  it('a name without addresses is dns_failed, a port without a server is connect_failed', async () => {
    const outbound = outboundWith({ allowLoopback: true });
    dnsServer.fail('broken.example', 'SERVFAIL');
    expect(classOf(await outbound.send({ ...get, url: 'https://nowhere.example/' }))).toBe('dns_failed');
    expect(classOf(await outbound.send({ ...get, url: 'https://broken.example/' }))).toBe('dns_failed');
    expect(classOf(await outbound.send({ ...get, url: 'http://127.0.0.1:1/' }))).toBe('connect_failed');
    expect(classOf(await outbound.send({ ...get, url: 'http://127.0.0.1:0/' }))).toBe('connect_failed');
  });

  it('names are never resolved for localhost', async () => {
    dnsServer.set('localhost', 'A', ['8.8.8.8']);
    const outbound = outboundWith({ allowLoopback: true });
    const result = await outbound.send({ ...get, url: `http://localhost:${receiver.port}/` });
    expect(classOf(result)).toBe('200');
    expect(dnsServer.queries).toEqual([]);
  });

  it('a request whose time is over before it is connected is never sent', async () => {
    dnsServer.set('slow.example', 'A', ['127.0.0.1']);
    dnsServer.delay('slow.example', 3_000);
    const outbound = outboundWith({ allowLoopback: true });
    const withSlowRoad = outboundWith({ allowLoopback: true, openSocket: dialSlowly });
    const requestsBefore = receiver.requests.length;
    const startedMs = performance.now();
    const [slowName, slowDial] = await Promise.all([
      outbound.send({ ...get, deadlineMs: 150, url: `https://slow.example:${receiver.port}/` }),
      withSlowRoad.send({ ...get, deadlineMs: 150, url: `http://127.0.0.1:${receiver.port}/` }),
    ]);
    expect([slowName, slowDial].map(classOf)).toEqual(['timeout', 'timeout']);
    expect(performance.now() - startedMs, 'before the slow name is there').toBeLessThan(3_000);
    await sleep(3_300);
    expect(receiver.requests.length).toBe(requestsBefore);
  });
});

describe('ending', () => {
  it('close ends what is under way and refuses what comes later', async () => {
    const outbound = createOutbound({ dns, allowLoopback: true });
    receiver.script({ kind: 'never' });
    dnsServer.fail('silent.example', 'silence');
    const seen = receiver.requests.length;
    const waiting = outbound.send({ ...get, deadlineMs: 20_000, url: receiver.url });
    const resolving = outbound.send({ ...get, deadlineMs: 20_000, url: 'https://silent.example/' });
    await receiver.waitForRequests(seen + 1);
    const startedMs = performance.now();
    await outbound.close();
    expect([await waiting, await resolving].map(classOf)).toEqual(['aborted', 'aborted']);
    expect(classOf(await outbound.send({ ...get, url: receiver.url }))).toBe('aborted');
    expect(performance.now() - startedMs, 'long before their time is over').toBeLessThan(10_000);
  });

  it('a caller can give up', async () => {
    const outbound = outboundWith({ allowLoopback: true });
    receiver.script({ kind: 'never' });
    const seen = receiver.requests.length;
    const caller = new AbortController();
    const waiting = outbound.send({ ...get, url: receiver.url }, caller.signal);
    await receiver.waitForRequests(seen + 1);
    caller.abort();
    expect(classOf(await waiting)).toBe('aborted');
    expect(classOf(await outbound.send({ ...get, url: receiver.url }, caller.signal))).toBe('aborted');
    expect(receiver.requests.length).toBe(seen + 1);
  });
});
