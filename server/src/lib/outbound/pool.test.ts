import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { startHttpReceiver, type TestReceiver } from '@payassent/test-kit/http-receiver';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { OutboundFault } from './fault.ts';
import { createPool, type Lease, type Pool } from './pool.ts';
import { ResponseReader } from './response-reader.ts';

const KEEP_MS = 4_000;

let receiver: TestReceiver;
let pool: Pool;
let opened: AbortSignal[];
let sockets: Socket[];

beforeEach(async () => {
  receiver = await startHttpReceiver();
  opened = [];
  sockets = [];
  pool = createPool((origin) => async (signal) => {
    opened.push(signal);
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(origin).port) });
    sockets.push(socket);
    return socket;
  });
});
afterEach(async () => {
  pool.close();
  await receiver.close();
});

function useOnce({ connection }: Lease): Promise<OutboundFault | undefined> {
  return new Promise((resolve) => {
    const wire = { head: 'GET / HTTP/1.1\r\nhost: x\r\n\r\n', body: '' };
    connection.send(wire, new ResponseReader(1_024), resolve);
  });
}

describe('a connection', () => {
  it('that was given back is the next one handed out, to its own origin only', async () => {
    const first = pool.lease(receiver.url);
    expect(await useOnce(first)).toBeUndefined();
    first.release(KEEP_MS);
    expect(pool.lease(receiver.url).connection).toBe(first.connection);
    expect(pool.lease('http://127.0.0.1:1').connection).not.toBe(first.connection);
    expect(opened).toHaveLength(1);
  });

  it('is in one pair of hands at a time, also when it is given back twice', async () => {
    const first = pool.lease(receiver.url);
    await useOnce(first);
    first.release(KEEP_MS);
    first.release(KEEP_MS);
    first.discard();
    const [second, third] = [pool.lease(receiver.url), pool.lease(receiver.url)];
    expect(second.connection).toBe(first.connection);
    expect(third.connection).not.toBe(first.connection);
    expect(first.connection.isDestroyed).toBe(false);
  });

  it('that the receiver closes while idle is forgotten', async () => {
    receiver.script({ kind: 'answer', headers: { connection: 'close' } });
    const first = pool.lease(receiver.url);
    await useOnce(first);
    first.release(KEEP_MS);
    await expect.poll(() => first.connection.isDestroyed).toBe(true);
    expect(pool.lease(receiver.url).connection).not.toBe(first.connection);
  });

  it('that is lost before its next request has left makes another one for it', async () => {
    const first = pool.lease(receiver.url);
    await useOnce(first);
    first.release(KEEP_MS);
    const second = pool.lease(receiver.url);
    expect(second.connection).toBe(first.connection);
    const used = useOnce(second);
    // It is noticed before the turn of the event loop is over, and the request leaves behind that.
    sockets[0]?.destroy();
    expect(await used).toBeUndefined();
    expect(receiver.requests).toHaveLength(2);
    expect(receiver.connectionCount).toBe(2);
  });

  it('that has waited for as long as it may is not used again, and is closed', async () => {
    const first = pool.lease(receiver.url);
    await useOnce(first);
    first.release(20);
    await expect.poll(() => first.connection.isDestroyed, { timeout: 10_000 }).toBe(true);
    const second = pool.lease(receiver.url);
    await useOnce(second);
    second.release(0);
    expect(second.connection.isDestroyed).toBe(true);
  });

  it('on which bytes come that nobody asked for is closed, and its next request gets none of them', async () => {
    const first = pool.lease(receiver.url);
    await useOnce(first);
    first.release(KEEP_MS);
    // As from the receiver: the kit's own has no way to speak first.
    sockets[0]?.emit('data', Buffer.from('HTTP/1.1 500 Oops\r\ncontent-length: 0\r\n\r\n'));
    expect(first.connection.isDestroyed).toBe(true);
    expect(pool.lease(receiver.url).connection).not.toBe(first.connection);
  });

  it('whose receiver responds before it has taken the whole request is not to be used again', async () => {
    const hasty = createServer((socket) => {
      socket
        .on('error', () => undefined)
        .once('data', () => {
          socket.pause();
          socket.write('HTTP/1.1 413 Too Large\r\ncontent-length: 0\r\n\r\n');
        });
    });
    await new Promise<void>((resolve) => hasty.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void hasty.close());
    const lease = pool.lease(`http://127.0.0.1:${(hasty.address() as AddressInfo).port}`);
    const reader = new ResponseReader(1_024);
    const body = new Uint8Array(64 * 2 ** 20);
    const fault = await new Promise((resolve) => {
      const head = `POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n`;
      lease.connection.send({ head, body }, reader, resolve);
    });
    expect(fault).toBeUndefined();
    expect([reader.status, reader.keepAliveMs]).toEqual([413, 0]);
    lease.discard();
  });

  it('that is discarded is closed, its attempt to connect ended, and never handed out again', async () => {
    const first = pool.lease(receiver.url);
    const used = useOnce(first);
    first.discard();
    first.release(KEEP_MS);
    expect(await used).toMatchObject({ errorClass: 'aborted' });
    expect(first.connection.isDestroyed).toBe(true);
    expect(opened[0]?.aborted).toBe(true);
    expect(pool.lease(receiver.url).connection).not.toBe(first.connection);
    await expect.poll(() => receiver.openConnectionCount).toBe(0);
    expect(receiver.requests).toHaveLength(0);
  });
});

describe('the pool', () => {
  it('keeps a bounded number of idle connections and lets the oldest go', () => {
    const leases = Array.from({ length: 300 }, (_, index) => pool.lease(`http://127.0.0.1:${index + 1}`));
    for (const lease of leases) lease.release(KEEP_MS);
    const kept = leases.map((lease) => !lease.connection.isDestroyed);
    expect(kept.filter(Boolean)).toHaveLength(256);
    expect(kept.slice(-256).every(Boolean)).toBe(true);
  });

  it('ends everything when it is closed, what is leased included', () => {
    const leased = pool.lease(receiver.url);
    const idle = pool.lease(receiver.url);
    idle.release(KEEP_MS);
    pool.close();
    expect([leased.connection.isDestroyed, idle.connection.isDestroyed]).toEqual([true, true]);
  });
});
