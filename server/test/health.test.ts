// Long: waits for the ten seconds after which calls are given up.
import { serviceForTest, startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { isUnavailable } from '../src/db/faults.ts';
import { openDatabase, TIME_LIMITS } from '../src/db/open.ts';
import { health, readiness } from '../src/features/operations/health.ts';
import { createPeers } from '../src/processes/peers.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ jobs: false });
});
afterAll(() => service.close());

/** Anyone who requests it the table waits until it is given back. */
async function lockTable(table: string): Promise<() => Promise<void>> {
  const other = openDatabase(service.database.target, { pool: 1, patient: true });
  const held = await other.reserve();
  await held.unsafe(`begin; lock table ${table} in access exclusive mode`);
  let isHeld = true;
  const release = async () => {
    if (!isHeld) return;
    isHeld = false;
    await held.unsafe('rollback');
    held.release();
    await other.end();
  };
  onTestFinished(release);
  return release;
}

const probe = async (path: string) => {
  const { status, body } = await service.call('GET', path);
  return { status, database: body.checks.database, body };
};

describe('health and readiness', () => {
  it('read no table: a hundred concurrent probes return while one is locked, and its lag is unknown meanwhile', async () => {
    const lagOf = async () => (await probe('/health')).body.checks.outbox_lag_s;
    const release = await lockTable('webhook_deliveries');
    const probes = await Promise.all(
      Array.from({ length: 100 }, (_, index) => probe(index % 2 ? '/health' : '/ready')),
    );
    expect(new Set(probes.map(({ status }) => status))).toEqual(new Set([200]));
    await expect.poll(lagOf, { timeout: 14_000 }).toBeNull();
    expect((await probe('/health')).status).toBe(200);
    expect(await probe('/ready')).toMatchObject({ status: 200, database: 'ok' });
    await release();
    await expect.poll(lagOf, { timeout: 30_000 }).toBe(0);
  });

  it('report a database that was silent for ten seconds, and its return', async () => {
    const silent = await serviceForTest({ jobs: false, behindProxy: true });
    const statusOf = async (path: string) => (await silent.call('GET', path)).status;
    expect(await statusOf('/ready')).toBe(200);
    silent.proxy?.stall();
    await expect.poll(() => statusOf('/health'), { timeout: 14_000 }).toBe(503);
    expect(await statusOf('/ready')).toBe(503);
    await silent.proxy?.resume();
    await expect.poll(() => statusOf('/ready'), { timeout: 30_000 }).toBe(200);
  });

  it('a clock that is off is reported, and takes no calls away', async () => {
    service.clock.advance(60_000);
    const skewOf = async () => (await probe('/health')).body.checks.clock_skew_ms;
    await expect.poll(skewOf, { timeout: 60_000 }).toBeLessThan(-30_000);
    expect((await probe('/health')).status).toBe(200);
    expect((await probe('/ready')).status).toBe(200);
    const skew = /^svc_clock_skew_seconds (\S+)$/m.exec((await service.call('GET', '/metrics')).text)?.[1];
    expect(Number(skew)).toBeLessThan(-30);
    service.clock.advance(-60_000);
  });

  it('a stalled job is reported, and takes no calls away', () => {
    const signs = { database: 'ok' as const, writing: 'ok' as const, clock_skew_ms: 0, outbox_lag_s: 0 };
    const peers = createPeers(1);
    peers.report(true);
    const parts = {
      vitals: { read: () => signs, start: async () => {}, stop: () => {} },
      jobs: [{ name: 'sweep', alive: false, failures: 9, silentS: 120 }],
      peers,
      observer: service.app.parts.observer,
    };
    const said = health(service.context, parts);
    expect([said.status, JSON.parse(String(said.body)).checks.jobs]).toEqual([503, { sweep: 'stalled' }]);
    expect(readiness(service.context, parts).status).toBe(200);
  });

  it('keep their members', async () => {
    expect((await probe('/health')).body).toMatchObject({
      status: 'ok',
      checks: {
        database: 'ok',
        writing: 'ok',
        clock_skew_ms: expect.any(Number),
        outbox_lag_s: 0,
        schema: expect.any(Number),
        mail: 'ok',
      },
    });
    expect((await probe('/ready')).body).toEqual({
      status: 'ready',
      checks: { database: 'ok', schema: expect.any(Number) },
    });
  });
});

describe('a statement', () => {
  it('that waits too long for a lock is 503 with a time to try again, never 500', async () => {
    const release = await lockTable('wallets');
    const received = await service.call('POST', '/v1/wallet-devices', { body: { name: 'Phone' } });
    expect([received.status, received.body.error.code]).toEqual([503, 'unavailable']);
    expect(received.headers.get('retry-after')).toBe('1');
    await release();
    expect((await service.call('POST', '/v1/wallet-devices', { body: { name: 'Phone' } })).status).toBe(201);
  });

  it('that takes too long is cancelled, and counts as a database that is unavailable', async () => {
    const startedMs = performance.now();
    const cancelled = await service.db`select pg_sleep(40)`.catch((error: unknown) => error);
    expect(isUnavailable(cancelled)).toBe(true);
    expect(performance.now() - startedMs).toBeLessThan(2 * TIME_LIMITS.statement_timeout);
  });

  it('has its limits on every connection of the pool', async () => {
    const connections = await Promise.all(Array.from({ length: 4 }, () => service.db.reserve()));
    for (const connection of connections) {
      const [row] = await connection`
        select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
               current_setting('idle_in_transaction_session_timeout') as idle`;
      expect(row).toEqual({ statement: '15s', lock: '10s', idle: '30s' });
      connection.release();
    }
  });
});
