import { connect, type Socket } from 'node:net';
import { startHttpReceiver, type TestReceiver } from '@payassent/test-kit/http-receiver';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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
