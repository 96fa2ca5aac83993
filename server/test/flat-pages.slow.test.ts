// Slow: stores tens of thousands of rows to compare pages.
import { isDistributedRun } from '@payassent/proof/database/layout';
import { succeed } from '@payassent/proof/people/merchants';
import {
  type PaymentStage,
  paymentStage,
  pendingRequest,
  pollRequests,
  postRequest,
  readRequest,
  report,
} from '@payassent/proof/people/payments';
import { deviceOf } from '@payassent/proof/people/wallets';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../src/db/open.ts';

/** The tables that grow with payments. */
const TABLES = ['payment_requests', 'payment_request_events', 'pending_requests', 'requests_by_status'];
const FEW = 10_000;
/** SVC_TEST_STORED overrides it: ten million need 20 GB and half an hour. */
const MANY = Number(process.env['SVC_TEST_STORED'] ?? 100_000);
const AT_ONCE = 250_000;
/** Of every so many requests one is the caller's own. */
const OWN = 10;
/** Most of them with the one plan for all parameters, which PostgreSQL considers after five. */
const ROUNDS = 24;
/** An index of ten times as many has at most one level more: three where it had two, four of a thousand times as many. */
const ALLOWED_GROWTH = MANY <= 10 * FEW ? 1.5 : 2;

let service: TestService;
let stage: PaymentStage;
let template: string;
beforeAll(async () => {
  service = await startService();
  stage = await paymentStage(service);
  template = (await pendingRequest(service, stage)).request_id;
  // Jobs read rows of every merchant, and would be counted too.
  await service.restart({ jobs: false });
  await withoutAutomaticVacuum();
});
afterAll(() => service.close());

/** It reads the same tables at any moment, and removes rows that no caller sees but calls read. */
async function withoutAutomaticVacuum(): Promise<void> {
  const tables = await service.db<{ name: string }[]>`
    select part.relid::text as name from unnest(${TABLES}::regclass[]) t, pg_partition_tree(t) part where isleaf`;
  for (const { name } of tables)
    await service.db.unsafe(`alter table ${name} set (autovacuum_enabled = off)`);
}

/** Whose the request number n is. */
const PARTIES = `
  cross join lateral (
    select case when n % ${OWN} = 0 then r.merchant_id else 'mer_' || n % 200 end as merchant_id,
           case when n % ${OWN} = 0 then r.connection_id else 'con_' || n % 200 end as connection_id,
           case when n % ${OWN} = 0 then r.wallet_id else 'wal_' || n % 200 end as wallet_id,
           'pr_' || lpad(n::text, 26, '0') as request_id, n % 3 = 0 or n % ${OWN} = 0 as is_confirmed
  ) own`;

/** Requests of others, each third of them confirmed, and of the caller, all confirmed; with an event of each such. */
async function fill(from: number, to: number): Promise<void> {
  // A separate connection: its statistics are counted when it ends, and not in the middle of a measurement.
  const owner = openDatabase(service.database.target, { pool: 1, patient: true });
  for (let next = from; next <= to; next += AT_ONCE) await add(owner, next, Math.min(to, next + AT_ONCE - 1));
  await owner`vacuum analyze`;
  await owner.end();
}

async function add(owner: Database, from: number, to: number): Promise<void> {
  await owner`
    insert into payment_requests
    select copy.* from payment_requests r
      cross join generate_series(${from}::int, ${to}::int) n ${owner.unsafe(PARTIES)}
      cross join lateral jsonb_populate_record(r, jsonb_build_object(
        'merchant_id', own.merchant_id, 'connection_id', own.connection_id, 'wallet_id', own.wallet_id,
        'request_id', own.request_id, 'idempotency_key', 'pr_' || n, 'amount', n || '.00', 'listed_version', null,
        'status', case when own.is_confirmed then 'confirmed' else 'pending' end)) copy
    where r.merchant_id = ${stage.merchant.merchantId} and r.request_id = ${template}`;
  await owner`
    with written as (
      insert into payment_request_events
        (event_id, merchant_id, connection_id, sequence, request_id, type, status, previous_status, state_version, actor, occurred_at)
      select 'evt_' || lpad(n::text, 26, '0'), own.merchant_id, own.connection_id,
             coalesce(h.last_sequence, 0) + row_number() over (partition by own.connection_id order by n), own.request_id,
             'payment_request.confirmed', 'confirmed', 'broadcasted', 4, 'wallet', now()
      from payment_requests r cross join generate_series(${from}::int, ${to}::int) n ${owner.unsafe(PARTIES)}
        left join connection_heads h on h.connection_id = own.connection_id
      where r.merchant_id = ${stage.merchant.merchantId} and r.request_id = ${template} and own.is_confirmed
      returning merchant_id, connection_id
    )
    insert into connection_heads as h (merchant_id, connection_id, last_sequence)
    select merchant_id, connection_id, count(*) from written group by merchant_id, connection_id
    on conflict (connection_id) do update set last_sequence = h.last_sequence + excluded.last_sequence`;
}

let turn = 0;
const newKey = () => {
  turn += 1;
  return `key ${turn}`;
};

const create = (idempotencyKey: string) => succeed(postRequest(service, stage, {}, { idempotencyKey }));

/** Each without anything but the call itself. */
const HOT: Record<string, () => Promise<() => Promise<unknown>>> = {
  create: async () => () => create(newKey()),
  'create again with the same key': async () => {
    await create('the same key');
    return () => create('the same key');
  },
  read: async () => () => succeed(readRequest(service, stage, template)),
  poll: async () => () => succeed(pollRequests(service, stage, { since: 0, limit: 10 })),
  report: async () => {
    const ids: string[] = [];
    for (let n = 0; n < ROUNDS; n += 1) ids.push((await pendingRequest(service, stage)).request_id);
    return () => succeed(report(service, stage, ids.pop() ?? '', { status: 'rejected' }));
  },
  "an agent's list": async () => () =>
    succeed(
      service.call('GET', '/v1/payment-requests?status=pending&limit=20', { bearer: stage.connectionToken }),
    ),
  "a wallet's inbox": async () => () =>
    succeed(
      service.call('GET', '/v1/payment-requests?status=pending&limit=20', { device: deviceOf(stage.device) }),
    ),
};

interface Cost {
  /** Of the tables and their indexes, for one call. */
  pages: number;
  /** How often a whole table was read. */
  scans: number;
}

/** Connections report what they did when they end, at the latest. */
async function costOf(prepare: () => Promise<() => Promise<unknown>>): Promise<Cost> {
  const work = await prepare();
  await service.restart({ jobs: false });
  await service.db.unsafe(`vacuum ${TABLES.join(', ')}`);
  await service.db`select pg_stat_reset()`;
  for (let n = 0; n < ROUNDS; n += 1) await work();
  await service.restart({ jobs: false });
  const [row] = await service.db<Cost[]>`
    select sum(coalesce(heap_blks_read, 0) + coalesce(heap_blks_hit, 0) + coalesce(idx_blks_read, 0)
             + coalesce(idx_blks_hit, 0))::float8 as pages, sum(s.seq_scan)::int as scans
    from pg_statio_user_tables io join pg_stat_user_tables s using (relid)
    where io.relid = any(${TABLES}::regclass[])
      or io.relid in (select part.relid from unnest(${TABLES}::regclass[]) t, pg_partition_tree(t) part)`;
  const { pages = 0, scans = 0 } = row ?? {};
  return { pages: pages / ROUNDS, scans };
}

async function costs(): Promise<Record<string, Cost>> {
  const found: Record<string, Cost> = {};
  for (const [name, prepare] of Object.entries(HOT)) found[name] = await costOf(prepare);
  return found;
}

// Counts what one PostgreSQL reads.
describe.skipIf(isDistributedRun)(
  'with ten times as many requests stored, of others and of the caller',
  () => {
    let few: Record<string, Cost>;
    let many: Record<string, Cost>;
    beforeAll(async () => {
      await fill(1, FEW);
      few = await costs();
      await fill(FEW + 1, MANY);
      many = await costs();
    }, 600_000 + MANY);

    it.each(Object.keys(HOT))('%s reads no more pages, and never a whole table', (name) => {
      expect([few[name]?.scans, many[name]?.scans]).toEqual([0, 0]);
      expect(few[name]?.pages).toBeGreaterThan(1);
      expect(many[name]?.pages, JSON.stringify([few[name], many[name]])).toBeLessThanOrEqual(
        (few[name]?.pages ?? 0) * ALLOWED_GROWTH,
      );
    });
  },
);
