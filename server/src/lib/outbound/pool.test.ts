import { startHttpReceiver, type TestReceiver } from '@payassent/proof/surroundings/http-receiver';
import { Client } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPool, type Lease, type Pool } from './pool.ts';

let receiver: TestReceiver;
let pool: Pool;
let opened: AbortSignal[];

beforeEach(async () => {
  receiver = await startHttpReceiver();
  opened = [];
  pool = createPool((origin, signal) => {
    opened.push(signal);
    return new Client(origin);
  });
});
afterEach(async () => {
  await pool.close();
  await receiver.close();
});

async function useOnce(lease: Lease): Promise<void> {
  const { body } = await lease.client.request({ path: '/', method: 'GET' });
  await body.dump();
}

describe('a connection', () => {
  it('that was given back is the next one handed out, to its own origin only', async () => {
    const first = pool.lease(receiver.url);
    await useOnce(first);
    first.release();
    expect(pool.lease(receiver.url).client).toBe(first.client);
    expect(pool.lease('http://127.0.0.1:1').client).not.toBe(first.client);
    expect(opened).toHaveLength(2);
  });

  it('is in one pair of hands at a time, also when it is given back twice', async () => {
    const first = pool.lease(receiver.url);
    await useOnce(first);
    first.release();
    first.release();
    first.discard();
    const [second, third] = [pool.lease(receiver.url), pool.lease(receiver.url)];
    expect(second.client).toBe(first.client);
    expect(third.client).not.toBe(first.client);
    expect(first.client.destroyed).toBe(false);
  });

  it('that the receiver closes while idle is deleted', async () => {
    receiver.script({ kind: 'answer', headers: { connection: 'close' } });
    const first = pool.lease(receiver.url);
    await useOnce(first);
    first.release();
    await expect.poll(() => first.client.destroyed).toBe(true);
    expect(pool.lease(receiver.url).client).not.toBe(first.client);
  });

  it('that is discarded is closed, its attempt to connect ended, and never handed out again', async () => {
    const first = pool.lease(receiver.url);
    first.discard();
    first.release();
    expect(first.client.destroyed).toBe(true);
    expect(opened[0]?.aborted).toBe(true);
    expect(pool.lease(receiver.url).client).not.toBe(first.client);
  });
});

describe('the pool', () => {
  it('keeps a bounded number of idle connections and lets the oldest go', () => {
    const leases = Array.from({ length: 300 }, (_, index) => pool.lease(`http://127.0.0.1:${index + 1}`));
    for (const lease of leases) lease.release();
    const kept = leases.map((lease) => !lease.client.destroyed);
    expect(kept.filter(Boolean)).toHaveLength(256);
    expect(kept.slice(-256).every(Boolean)).toBe(true);
  });

  it('ends everything when it is closed, what is leased included', async () => {
    const leased = pool.lease(receiver.url);
    const idle = pool.lease(receiver.url);
    idle.release();
    await pool.close();
    expect([leased.client.destroyed, idle.client.destroyed]).toEqual([true, true]);
  });
});
