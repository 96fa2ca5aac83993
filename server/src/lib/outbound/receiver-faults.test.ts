import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAuthority, selfSigned, type TestAuthority } from '@payassent/proof/surroundings/certificates';
import {
  type Behaviour,
  startHttpReceiver,
  startHttpsReceiver,
  type TestReceiver,
} from '@payassent/proof/surroundings/http-receiver';
import { startDnsServer, type TestDnsServer } from '@payassent/proof/surroundings/surroundings';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createDns } from '../dns.ts';
import { createOutbound, type Outbound, type OutboundResult } from './index.ts';

let dnsServer: TestDnsServer;
let authority: TestAuthority;
let receiver: TestReceiver;
let outbound: Outbound;

beforeAll(async () => {
  dnsServer = await startDnsServer();
  dnsServer.set('shop.example', 'A', ['127.0.0.1']);
  authority = await createAuthority();
  receiver = await startHttpReceiver();
  outbound = createOutbound({
    dns: createDns([dnsServer.address]),
    allowLoopback: true,
    extraCa: authority.cert,
  });
});
afterAll(async () => {
  await outbound.close();
  await receiver.close();
  await dnsServer.close();
});

async function post(url: string, deadlineMs = 1_000): Promise<OutboundResult> {
  return await outbound.send({ url, method: 'POST', body: '{"a":1}', deadlineMs, maxBodyBytes: 1_024 });
}

async function postTo(behaviour: Behaviour, deadlineMs?: number): Promise<OutboundResult> {
  receiver.script(behaviour);
  return await post(`${receiver.url}/hook`, deadlineMs);
}

describe('a response', () => {
  it('comes back with status, headers and bytes as they were sent', async () => {
    const body = Buffer.from([0xff, 0x00, 0xfe, 0x0a]);
    receiver.script({
      kind: 'answer',
      status: 503,
      headers: { 'Retry-After': '120', 'content-encoding': 'gzip' },
      body,
    });
    const result = await outbound.send({
      url: `${receiver.url}/hook?x=%20y`,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'webhook-id': 'evt_1' },
      body: '{"ä":1}',
      deadlineMs: 1_000,
      maxBodyBytes: 1_024,
    });
    expect(result).toMatchObject({ ok: true, status: 503, truncated: false });
    if (!result.ok) return;
    expect(result.headers['retry-after']).toBe('120');
    // Declared as compressed, and left as it is: nothing is ever unpacked.
    expect(Buffer.from(result.body).equals(body)).toBe(true);
    const request = receiver.requests.at(-1);
    expect(request).toMatchObject({ method: 'POST', path: '/hook?x=%20y', text: '{"ä":1}' });
    expect(request?.headers).toMatchObject({
      'webhook-id': 'evt_1',
      'content-type': 'application/json',
      'content-length': '8',
      'accept-encoding': 'identity',
      host: `127.0.0.1:${receiver.port}`,
    });
  });

  it.each([200, 204, 301, 302, 307, 308, 400, 410, 429, 500])(
    'of status %i is a response',
    async (status) => {
      expect(await postTo({ kind: 'answer', status })).toMatchObject({ ok: true, status });
    },
  );

  it('that redirects is not followed', async () => {
    const elsewhere = await startHttpReceiver();
    for (const status of [301, 302, 303, 307, 308]) {
      const result = await postTo({ kind: 'redirect', location: `${elsewhere.url}/x`, status });
      expect(result).toMatchObject({ ok: true, status });
    }
    expect(elsewhere.connectionCount).toBe(0);
    await elsewhere.close();
  });

  it('is complete up to the limit and cut beyond it', async () => {
    const exact = await postTo({ kind: 'answer', body: 'x'.repeat(1_024) });
    expect(exact).toMatchObject({ ok: true, truncated: false });
    const longer = await postTo({ kind: 'answer', status: 201, body: 'y'.repeat(1_025) });
    expect(longer).toMatchObject({ ok: true, status: 201, truncated: true });
    if (longer.ok) expect(Buffer.from(longer.body).toString()).toBe('y'.repeat(1_024));
    expect(await postTo({ kind: 'answer' })).toMatchObject({ ok: true, status: 200 });
  });

  it('after informational ones is the response that counts', async () => {
    const hint = 'HTTP/1.1 103 Early Hints\r\nlink: <x>\r\n\r\n';
    const bytes = `${hint}HTTP/1.1 202 Accepted\r\nconnection: close\r\ncontent-length: 2\r\n\r\nok`;
    const result = await postTo({ kind: 'raw', bytes });
    expect(result).toMatchObject({ ok: true, status: 202 });
    if (result.ok) expect(result.headers).toEqual({ connection: 'close', 'content-length': '2' });
  });
});

describe('a receiver that fails', () => {
  const faults: [string, Behaviour, string][] = [
    ['never answers', { kind: 'never' }, 'timeout'],
    ['answers too late', { kind: 'answer', delayMs: 3_000 }, 'timeout'],
    ['drips headers', { kind: 'drip-headers', everyMs: 50 }, 'timeout'],
    ['drips its body', { kind: 'drip-body', everyMs: 50 }, 'timeout'],
    ['drips informational answers', { kind: 'drip-informational', everyMs: 50 }, 'timeout'],
    ['resets', { kind: 'reset', when: 'before-headers' }, 'connection_reset'],
    ['resets in its body', { kind: 'reset', when: 'in-body' }, 'connection_reset'],
    ['closes without an answer', { kind: 'raw', bytes: '' }, 'connection_reset'],
    ['closes in its headers', { kind: 'raw', bytes: 'HTTP/1.1 200 OK\r\ncontent-' }, 'connection_reset'],
    ['speaks no HTTP', { kind: 'garbage' }, 'invalid_response'],
    ['speaks SMTP', { kind: 'raw', bytes: '220 mail.example ESMTP\r\n' }, 'invalid_response'],
    ['sends 20 KB of headers', { kind: 'huge-headers', bytes: 20_000 }, 'invalid_response'],
    ['sends 50 MB of headers', { kind: 'huge-headers', bytes: 50_000_000 }, 'invalid_response'],
    [
      'sends two lengths',
      { kind: 'raw', bytes: 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab' },
      'invalid_response',
    ],
    [
      'sends a broken chunk',
      { kind: 'raw', bytes: 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n' },
      'invalid_response',
    ],
    [
      'switches protocols',
      { kind: 'raw', bytes: 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n' },
      'invalid_response',
    ],
  ];

  it.each(faults)('%s', async (_what, behaviour, errorClass) => {
    const startedMs = performance.now();
    const deadlineMs = errorClass === 'timeout' ? 400 : 5_000;
    const result = await postTo(behaviour, deadlineMs);
    expect(result).toMatchObject({ ok: false, errorClass });
    expect(performance.now() - startedMs).toBeLessThan(deadlineMs + 20_000);
    // And the next request is unaffected.
    expect(await postTo({ kind: 'answer', body: 'fine' })).toMatchObject({ ok: true, status: 200 });
  });

  it('sends 1 GiB: 1 KiB is kept, memory stays where it was, the connection is closed', async () => {
    const huge = await startHttpReceiver();
    huge.script({ kind: 'huge-body', bytes: 2 ** 30 });
    const before = process.memoryUsage().rss;
    const results = await Promise.all(Array.from({ length: 8 }, () => post(huge.url, 5_000)));
    for (const result of results) {
      expect(result).toMatchObject({ ok: true, status: 200, truncated: true });
      expect(result.ok && result.body.byteLength).toBe(1_024);
      expect(result.durationMs).toBeLessThan(5_000);
    }
    await expect.poll(() => huge.openConnectionCount).toBe(0);
    expect(huge.connectionCount).toBe(8);
    expect(process.memoryUsage().rss - before, 'a fraction of what was sent').toBeLessThan(256 * 2 ** 20);
    await huge.close();
  });

  it('whose time is over is left, its connection closed', async () => {
    const silent = await startHttpReceiver();
    silent.script({ kind: 'never' });
    expect(await post(silent.url, 200)).toMatchObject({ ok: false, errorClass: 'timeout' });
    await expect.poll(() => silent.openConnectionCount).toBe(0);
    await sleep(100);
    expect(silent.connectionCount).toBe(1);
    await silent.close();
  });

  it('does not hold up a healthy one', async () => {
    const healthy = await startHttpReceiver();
    receiver.script({ kind: 'never' });
    const dead = Array.from({ length: 50 }, () => post(receiver.url, 3_000));
    await sleep(50);
    const result = await post(healthy.url);
    expect(result).toMatchObject({ ok: true });
    expect(result.durationMs, 'before the dead ones give up').toBeLessThan(3_000);
    expect((await Promise.all(dead)).every((one) => !one.ok && one.errorClass === 'timeout')).toBe(true);
    await healthy.close();
  });
});

describe('over TLS', () => {
  async function postAs(identity: { key: string; cert: string }, name = 'shop.example') {
    const secure = await startHttpsReceiver(identity, name);
    const result = await post(`${secure.url}/hook`);
    const { requests } = secure;
    await secure.close();
    return { result, requests };
  }

  it('a certificate of a trusted authority for this name is accepted, and its address as well', async () => {
    const identity = await authority.issue(['shop.example', '127.0.0.1']);
    const byName = await postAs(identity);
    expect(byName.result).toMatchObject({ ok: true, status: 200 });
    expect(byName.requests[0]?.headers.host).toMatch(/^shop\.example:\d+$/);
    expect((await postAs(identity, '127.0.0.1')).result).toMatchObject({ ok: true, status: 200 });
    expect((await postAs(identity, 'shop.example.')).result).toMatchObject({ ok: true, status: 200 });
  });

  it('expired, not yet valid, self-signed, for another host or of an unknown authority: nothing is sent', async () => {
    const stranger = await createAuthority('Somebody else');
    const identities = [
      await authority.issue(['shop.example'], 'expired'),
      await authority.issue(['shop.example'], 'not-yet'),
      await selfSigned(['shop.example']),
      await authority.issue(['other.example']),
      await authority.issue(['127.0.0.1']),
      await authority.issue(['*.shop.example']),
      await stranger.issue(['shop.example']),
    ];
    for (const identity of identities) {
      const { result, requests } = await postAs(identity);
      expect(result).toMatchObject({ ok: false, errorClass: 'tls_failed' });
      expect(requests).toEqual([]);
    }
  });

  it('no environment variable turns the check off', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    const { result, requests } = await postAs(await selfSigned(['shop.example']));
    vi.unstubAllEnvs();
    expect(result).toMatchObject({ ok: false, errorClass: 'tls_failed' });
    expect(requests).toEqual([]);
  });

  it('a handshake that never ends is a timeout, one that is cut a reset', async () => {
    let left = 0;
    const mute = createServer((socket) => {
      socket.resume().on('error', () => undefined);
      socket.on('close', () => {
        left += 1;
      });
    });
    const rude = createServer((socket) => socket.once('data', () => socket.resetAndDestroy()));
    mute.listen(0, '127.0.0.1');
    rude.listen(0, '127.0.0.1');
    await Promise.all([once(mute, 'listening'), once(rude, 'listening')]);
    const portOf = (server: Server) => (server.address() as AddressInfo).port;
    expect(await post(`https://shop.example:${portOf(mute)}/`, 300)).toMatchObject({ errorClass: 'timeout' });
    // Left immediately, not when the attempt would have timed out.
    await expect.poll(() => left).toBe(1);
    expect(await post(`https://shop.example:${portOf(rude)}/`)).toMatchObject({
      errorClass: 'connection_reset',
    });
    mute.close();
    rude.close();
  });

  it('a receiver without TLS is tls_failed', async () => {
    expect(await post(`https://shop.example:${receiver.port}/`)).toMatchObject({ errorClass: 'tls_failed' });
  });
});

describe('a request', () => {
  it.each(['Host', 'connection', 'Content-Length', 'transfer-encoding'])(
    'cannot bring its own %s header',
    async (name) => {
      const send = outbound.send({
        url: receiver.url,
        method: 'POST',
        headers: { [name]: 'x' },
        deadlineMs: 500,
        maxBodyBytes: 10,
      });
      await expect(send).rejects.toThrow(TypeError);
    },
  );

  it('with a line end in a header is not sent', async () => {
    const seen = receiver.requests.length;
    const result = await outbound.send({
      url: receiver.url,
      method: 'GET',
      headers: { 'x-note': 'a\r\nhost: inner' },
      deadlineMs: 500,
      maxBodyBytes: 10,
    });
    expect(result.ok).toBe(false);
    expect(receiver.requests.length).toBe(seen);
  });
});

describe('a proxy named in the environment', () => {
  it('is not used', async () => {
    const proxy = await startHttpReceiver();
    for (const name of ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY']) {
      vi.stubEnv(name, proxy.url);
    }
    vi.stubEnv('NODE_USE_ENV_PROXY', '1');
    const fresh = createOutbound({ dns: createDns([dnsServer.address]), allowLoopback: true });
    receiver.script({ kind: 'answer' });
    const result = await fresh.send({
      url: receiver.url,
      method: 'POST',
      body: new Uint8Array([1, 0, 255]),
      deadlineMs: 1_000,
      maxBodyBytes: 10,
    });
    vi.unstubAllEnvs();
    expect(result).toMatchObject({ ok: true, status: 200 });
    expect([...(receiver.requests.at(-1)?.body ?? [])]).toEqual([1, 0, 255]);
    expect(proxy.connectionCount).toBe(0);
    await fresh.close();
    await proxy.close();
  });
});

describe('connections', () => {
  it('are replaced after a minute, so that a name that has moved is noticed under constant use', async () => {
    const own = await startHttpReceiver();
    const sendAfter = async (minutes: number) => {
      vi.setSystemTime(Date.now() + minutes * 60_000 + 1_000);
      expect(await post(own.url)).toMatchObject({ ok: true });
      return own.connectionCount;
    };
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      const counts = [await sendAfter(0), await sendAfter(0), await sendAfter(1), await sendAfter(0)];
      expect(counts).toEqual([1, 1, 2, 2]);
    } finally {
      vi.useRealTimers();
    }
    await own.close();
  });

  it('are reused for one receiver after the other', async () => {
    const own = await startHttpReceiver();
    for (let i = 0; i < 50; i += 1) expect(await post(own.url)).toMatchObject({ ok: true });
    expect(own.requests).toHaveLength(50);
    expect(own.connectionCount).toBe(1);
    await own.close();
  });

  it('over TLS are reused as well, without another lookup', async () => {
    const identity = await authority.issue(['shop.example']);
    const secure = await startHttpsReceiver(identity, 'shop.example');
    const asked = dnsServer.queries.length;
    for (let i = 0; i < 20; i += 1) expect(await post(secure.url)).toMatchObject({ ok: true });
    expect(secure.connectionCount).toBe(1);
    // One lookup, of both families.
    expect(dnsServer.queries.length - asked).toBe(2);
    await secure.close();
  });
});
