// Slow: stores tens of thousands of rows to read plans.
import { isDistributedRun } from '@payassent/proof/database/layout';
import { multiplyRequest } from '@payassent/proof/database/many';
import { succeed } from '@payassent/proof/people/merchants';
import { type PaymentStage, paymentStage, pollRequests, readRequest } from '@payassent/proof/people/payments';
import { broadcasted, startHorizons } from '@payassent/proof/people/settlements';
import { until } from '@payassent/proof/people/webhooks';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Sql, transaction } from '../../db/open.ts';
import { claimDue, endLook, giveBack, nextLook } from './queue-sql.ts';

const OPEN = 5_000;
/** Enough of each for the server to settle on a cached plan. */
const CALLS = 8;
const AT_ONCE = 16;

let service: TestService;
let stage: PaymentStage;
let template: string;
let close: () => Promise<void>;
beforeAll(async () => {
  const started = await startHorizons(1);
  close = started.close;
  const [url] = started.horizons.map(({ receiver }) => receiver.url);
  const SVC_OBSERVE = `bitcoin_mainnet=${url}/other,stellar_testnet=${url}`;
  service = await startService({ env: { SVC_OBSERVE } });
  stage = await paymentStage(service);
  await service.restart({ jobs: false });
  const { request } = await broadcasted(service, stage);
  template = request.request_id;
  const { connectionId: connection_id } = stage;
  await multiplyRequest(service.db, { connection_id, request_id: template }, OPEN);
  await service.db.begin(async (tx) => {
    await tx`
      insert into observations (merchant_id, connection_id, kind, record_id, network, changed_at, look_at)
      select merchant_id, connection_id, 'payment_request', request_id, network, updated_at,
             now() + interval '1 second' * (row_number() over () - ${OPEN / 2}::int)
      from payment_requests on conflict do nothing`;
    await tx`
      insert into settlements (merchant_id, connection_id, kind, record_id, status, checked_at, asked, agreed, differences)
      select merchant_id, connection_id, kind, record_id, 'unseen', now(), 1, 1, '[]' from observations`;
    await tx`select pg_stat_force_next_flush()`;
  });
  await service.db`analyze`;
});
afterAll(async () => {
  await service.close();
  await close();
});

interface Work {
  table: string;
  scans: number;
  rows: number;
  inserted: number;
}

/** How often a table was scanned as a whole, how many of its rows were read, and how many were inserted. */
async function workOn(sql: Sql, view: string): Promise<Record<string, Work>> {
  const rows = await sql<Work[]>`
    select relname as table, seq_scan::int as scans, (seq_tup_read + idx_tup_fetch)::int as rows,
           n_tup_ins::int as inserted
    from ${sql(view)} where relname in ('observations', 'settlements')`;
  return Object.fromEntries(rows.map((row) => [row.table, row]));
}

/** The work of all calls so far: the server's processes report their statistics when they exit. */
async function told(inserted: number): Promise<Record<string, Work>> {
  await service.restart({ jobs: false });
  return until(async () => {
    const work = await workOn(service.db, 'pg_stat_user_tables');
    return work['observations']?.inserted === inserted && work;
  }, 120_000);
}

const difference = (before: Work | undefined, after: Work | undefined) => ({
  scans: (after?.scans ?? 0) - (before?.scans ?? 0),
  rows: (after?.rows ?? 0) - (before?.rows ?? 0),
});

// Explains the statements of a single PostgreSQL.
it.skipIf(isDistributedRun)(
  'what callers wait for reads its own settlement row and nothing of the queue, however much is open',
  async () => {
    const before = await told(OPEN + 1);
    for (let call = 1; call <= CALLS; call += 1) {
      // Created, signed and broadcast with a hash.
      const { request } = await broadcasted(service, stage);
      for (const id of [request.request_id, `${template}-${call}`])
        await succeed(readRequest(service, stage, id));
      await succeed(pollRequests(service, stage, { limit: 10 }));
    }
    const after = await told(OPEN + 1 + CALLS);
    expect(difference(before['observations'], after['observations'])).toEqual({ scans: 0, rows: 0 });
    const settlements = difference(before['settlements'], after['settlements']);
    expect(settlements.scans).toBe(0);
    // The text of a record and its mark.
    expect(settlements.rows).toBeGreaterThanOrEqual(CALLS);
    expect(settlements.rows).toBeLessThanOrEqual(2 * CALLS);
  },
  300_000,
);

// As above.
it.skipIf(isDistributedRun).each(['force_custom_plan', 'force_generic_plan'])(
  'the observer reads what it takes and no more of what is open, by a %s',
  async (mode) => {
    const network = 'stellar_testnet';
    const now = new Date();
    const until = new Date(now.getTime() + 60_000);
    const undone = new Error('undone');
    const act = transaction(service.db, async (tx) => {
      await tx`select set_config('plan_cache_mode', ${mode}, true)`;
      const workOf = async (work: () => Promise<unknown>) => {
        const before = await workOn(tx, 'pg_stat_xact_user_tables');
        const result = await work();
        const after = await workOn(tx, 'pg_stat_xact_user_tables');
        const [queue, word] = ['observations', 'settlements'].map((table) =>
          difference(before[table], after[table]),
        );
        return { result, queue, word };
      };
      const claim = await workOf(() => claimDue(tx, network, 'lease', AT_ONCE, { now, until }));
      expect(claim.result).toHaveLength(AT_ONCE);
      expect(claim).toMatchObject({ queue: { scans: 0 }, word: { scans: 0 } });
      // Found, and found again to be leased.
      expect(claim.queue?.rows).toBeLessThanOrEqual(2 * AT_ONCE);
      expect(claim.word?.rows).toBeLessThanOrEqual(AT_ONCE);
      const [first] = claim.result as Awaited<ReturnType<typeof claimDue>>;
      if (!first) throw new Error('nothing was due');
      const ended = await workOf(() => endLook(tx, first, 'lease', true, now));
      expect(ended.queue?.scans).toBe(0);
      expect(ended.queue?.rows).toBeLessThanOrEqual(3);
      const back = await workOf(() => giveBack(tx, { network, lease: 'lease', until }, now));
      expect(back.queue?.scans).toBe(0);
      expect(back.queue?.rows).toBeLessThanOrEqual(2 * AT_ONCE);
      const next = await workOf(() => nextLook(tx, network));
      expect(next.queue?.scans).toBe(0);
      await tx`select pg_stat_force_next_flush()`;
      throw undone;
    });
    await expect(act).rejects.toBe(undone);
  },
);

// Explains the statements of a single PostgreSQL.
it.skipIf(isDistributedRun)(
  'the metrics count a bounded part of the queue, and miss no late check on any network',
  async () => {
    const COUNTED = 10_000;
    const inserted = await service.db.begin(async (tx) => {
      const [row] = await tx`select count(*)::int as count from observations`;
      await tx`
      insert into observations (merchant_id, connection_id, kind, record_id, network, changed_at, look_at)
      select 'mer_x', 'con_x', 'payment_request', 'pr_' || n, 'bitcoin_mainnet', now(), now() + interval '1 day'
      from generate_series(1, ${COUNTED + 1000}::int) n`;
      await tx`select pg_stat_force_next_flush()`;
      return row?.['count'] + COUNTED + 1000;
    });
    await service.db`vacuum analyze observations`;
    const before = await told(inserted);
    const metrics = (await service.call('GET', '/metrics')).text;
    expect(metrics).toMatch(/^svc_queue_size\{queue="settlement"\} 10000$/m);
    const oldest = /^svc_queue_oldest_seconds\{queue="settlement"\} (.+)$/m.exec(metrics)?.[1];
    expect(Number(oldest)).toBeGreaterThan(60);
    const { scans, rows } = difference(before['observations'], (await told(inserted))['observations']);
    expect(scans).toBe(0);
    expect(rows).toBeLessThanOrEqual(COUNTED + 2);
  },
  300_000,
);
