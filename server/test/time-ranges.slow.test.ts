// Slow: moves filled tables into ranges of time.

import { isPlainRun } from '@payassent/proof/database/layout';
import { enrolDevice } from '@payassent/proof/people/wallets';
import { fillQueue } from '@payassent/proof/people/webhooks';
import { serviceForTest, type TestService } from '@payassent/proof/service/service';
import { newId } from '@payassent/protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Database, openDatabase } from '../src/db/open.ts';
import { chainJob } from '../src/features/audit/chain-job.ts';
import { purgeAuditEvents, RETENTION_DAYS } from '../src/features/audit/retention.ts';
import { verifyChain } from '../src/features/audit/verify-chain.ts';
import { claimDeliveries } from '../src/features/webhooks/claim-sql.ts';
import { deleteOldAttempts, deleteOldMessages } from '../src/features/webhooks/delivery-sql.ts';
import { ATTEMPT_DAYS, MESSAGE_DAYS } from '../src/features/webhooks/index.ts';
import { addMs, DAY_MS } from '../src/lib/clock.ts';
import { partitionTables } from '../src/maintenance/partitions/index.ts';

const daysAgo = (days: number) => addMs(new Date(), -days * DAY_MS);

interface Stage {
  service: TestService;
  /** The service's own connection, with its rights. */
  db: Database;
  owner: Database;
}

async function stage(): Promise<Stage> {
  const service = await serviceForTest({ jobs: false });
  const owner = openDatabase({ url: service.env['DATABASE_URL'] ?? '' }, { pool: 3 });
  onTestFinished(() => owner.end());
  return { service, db: service.context.db, owner };
}

async function rangesOf(owner: Database, table: string): Promise<string[]> {
  const rows = await owner<{ partition: string }[]>`
    select partition from ranges_of(${table}) order by until`;
  return rows.map(({ partition }) => partition);
}

const idsOf = async (owner: Database, table: string, key: string) =>
  (await owner<{ id: string }[]>`select ${owner(key)} as id from ${owner(table)} order by 1`).map(
    ({ id }) => id,
  );

// A database gets its partitions once, and is distributed or has them.
describe.runIf(isPlainRun)('ranges of time', () => {
  it('begin at the least id of their first moment', async () => {
    const { owner } = await stage();
    for (const text of ['2026-11-17T00:00:00Z', '1999-12-31T23:59:59.999Z', '2100-06-01T12:34:56.789Z']) {
      const moment = new Date(text);
      const [row] = await owner<{ id: string }[]>`select id_at('whd', ${moment}) as id`;
      expect(row?.id).toBe(newId('whd', moment.getTime(), (count) => new Uint8Array(count)));
    }
  });

  it('are kept as long as rows are, by the database’s own rule', async () => {
    const { owner } = await stage();
    const rules = await owner`select name, kept_days from ranged_tables()`;
    expect(Object.fromEntries(rules.map((rule) => [rule['name'], rule['kept_days']]))).toEqual({
      webhook_messages: MESSAGE_DAYS,
      webhook_deliveries: ATTEMPT_DAYS,
      audit_events: RETENTION_DAYS,
    });
  });

  it('take over what is there while rows come and go', async () => {
    const { owner } = await stage();
    const stays = await fillQueue(owner, 'mer_a', ['whe_a'], 60, daysAgo(3));
    const goes = await fillQueue(owner, 'mer_a', ['whe_a'], 60, daysAgo(20));
    const busy = (async () => {
      for (const id of goes) await owner`delete from webhook_messages where event_id = ${id}`;
      for (let n = 0; n < 20; n += 1)
        stays.push(...(await fillQueue(owner, 'mer_b', ['whe_b'], 1, new Date())));
    })();
    const done = await partitionTables(owner, 2, { rowsAtOnce: 4 });
    await busy;
    expect(done.filter(({ by }) => by === 'time').map(({ table }) => table)).toEqual([
      'webhook_messages',
      'webhook_deliveries',
      'audit_events',
    ]);
    expect(await idsOf(owner, 'webhook_messages', 'event_id')).toEqual([...stays].sort());
    const [spread] = await owner<[{ used: number; strays: number }]>`
      select count(distinct tableoid)::int as used,
             (count(*) filter (where tableoid = 'webhook_messages_default'::regclass))::int as strays
      from webhook_messages`;
    expect(spread).toEqual({ used: 2, strays: 0 });
  });

  it('are made ahead, and made up for when no one made them', async () => {
    const { db, owner } = await stage();
    await partitionTables(owner, 2);
    await db`select extend_ranges('webhook_messages')`;
    const before = await rangesOf(owner, 'webhook_messages');
    expect(await owner`select max(until) - current_date as days from ranges_of('webhook_messages')`).toEqual([
      { days: 3 },
    ]);
    for (const name of before.slice(-4)) await owner`drop table ${owner(name)}`;
    // Rows of a day without a range go into the default one, and stay there when others are made.
    const [stray] = await fillQueue(owner, 'mer_a', ['whe_a'], 1, new Date());
    await db`select extend_ranges('webhook_messages')`;
    const after = await rangesOf(owner, 'webhook_messages');
    expect(after).toEqual(before.filter((name) => name !== before.at(-3)));
    expect(await owner`select event_id from webhook_messages_default`).toEqual([{ event_id: stray }]);
    const options = await owner`
      select distinct reloptions from ranges_of('webhook_deliveries') r join pg_class c on c.relname = r.partition`;
    expect(options).toEqual([
      { reloptions: ['autovacuum_vacuum_scale_factor=0.02', 'autovacuum_analyze_scale_factor=0.05'] },
    ]);
  });

  it('go as a whole as soon as no attempt in them has to be kept', async () => {
    const { db, owner } = await stage();
    const old = await fillQueue(owner, 'mer_a', ['whe_a'], 3, daysAgo(50));
    const [young] = await fillQueue(owner, 'mer_a', ['whe_a'], 1, new Date());
    await partitionTables(owner, 2);
    const [first] = await rangesOf(owner, 'webhook_deliveries');
    const forget = async () => {
      while ((await deleteOldAttempts(db, daysAgo(30), 1)) === 1);
      return (await rangesOf(owner, 'webhook_deliveries'))[0] !== first;
    };
    const end = (event: string | undefined, at: Date) => owner`
      update webhook_deliveries set status = 'delivered', attempted_at = ${at} where event_id = ${event ?? ''}`;

    expect(await forget(), 'three are pending').toBe(false);
    await end(old[0], daysAgo(31));
    await end(old[1], daysAgo(31));
    await end(old[2], daysAgo(29));
    expect(await forget(), 'one was attempted 29 days ago').toBe(false);
    await end(old[2], daysAgo(31));
    expect(await forget()).toBe(true);
    expect(await idsOf(owner, 'webhook_deliveries', 'event_id')).toEqual([young]);
  });

  it('are kept for a pending row although they were searched', async () => {
    const { db, owner } = await stage();
    await fillQueue(owner, 'mer_a', ['whe_a'], 1, daysAgo(50));
    await partitionTables(owner, 2);
    await owner`
      insert into retention_marks (name, reached, reached_id)
      values ('range of webhook_deliveries', now(), ${newId('whd', Date.now(), (count) => new Uint8Array(count))})`;
    expect(await deleteOldAttempts(db, daysAgo(30), 1)).toBe(0);
    expect(await idsOf(owner, 'webhook_deliveries', 'event_id')).toHaveLength(1);
  });

  it('keep the bytes that a delivery waits for, and those that someone requested again', async () => {
    const { db, owner } = await stage();
    const [first, second] = await fillQueue(owner, 'mer_a', ['whe_a'], 2, daysAgo(20));
    await partitionTables(owner, 2);
    const forget = async () => {
      while ((await deleteOldMessages(db, daysAgo(7), 1)) === 1);
      return idsOf(owner, 'webhook_messages', 'event_id');
    };
    const both = [first, second].sort();
    expect(await forget()).toEqual(both);
    await owner`update webhook_deliveries set status = 'failed', attempted_at = ${daysAgo(6)}`;
    expect(await forget()).toEqual(both);
    await owner`update webhook_deliveries set attempted_at = ${daysAgo(8)}`;
    // Requested just after the job had read its place.
    await owner`
      insert into retention_marks (name, reached, reached_id)
      values ('range of webhook_messages', now(), ${newId('evt', Date.now(), (count) => new Uint8Array(count))})
      on conflict (name) do update set reached_id = excluded.reached_id`;
    await owner`update webhook_messages set created_at = now() where event_id = ${second ?? ''}`;
    expect(await forget()).toContain(second);
    await owner`update webhook_messages set created_at = ${daysAgo(20)}`;
    expect(await forget()).toEqual([]);
  });

  it('of the audit trail go when the chain has let go of their entries, and not before', async () => {
    const { service, db, owner } = await stage();
    service.clock.set(daysAgo(RETENTION_DAYS + 20));
    await enrolDevice(service);
    await enrolDevice(service);
    await chainJob.run(service.context);
    service.clock.set(new Date());
    await enrolDevice(service);
    await chainJob.run(service.context);
    await partitionTables(owner, 2);
    const [first] = await rangesOf(owner, 'audit_events');
    const isGone = async () => (await rangesOf(owner, 'audit_events'))[0] !== first;

    expect(await db`select drop_first_range('audit_events') as is_gone`).toEqual([{ is_gone: false }]);
    expect(await purgeAuditEvents(db, new Date(), 1)).toBe(1);
    expect(await isGone(), 'an entry is left').toBe(false);
    expect((await verifyChain(owner)).broken).toBeNull();
    await purgeAuditEvents(db, new Date(), 500);
    expect(await isGone()).toBe(true);
    expect(await verifyChain(owner)).toMatchObject({ broken: null, links: 1 });
    // Entries find their range and the queue of the chain as before.
    await enrolDevice(service);
    await chainJob.run(service.context);
    expect(await verifyChain(owner)).toMatchObject({ broken: null, links: 2 });
  });

  it('are the owner’s: the service drops none that is young, and reads none by its own name', async () => {
    const { db, owner } = await stage();
    await partitionTables(owner, 2);
    for (const table of ['webhook_messages', 'webhook_deliveries', 'audit_events']) {
      // The first has nothing in it and may go; those behind it are not old enough, empty or not.
      for (let n = 0; n < 3; n += 1) await db`select drop_first_range(${table})`;
      const [left] = await owner<[{ kept: boolean }]>`
        select min(r.until) + t.kept_days > current_date as kept
        from ranges_of(${table}) r join ranged_tables() t on t.name = ${table} group by t.kept_days`;
      expect(left.kept, table).toBe(true);
      const [first] = await rangesOf(owner, table);
      await expect(db`select from ${db(first ?? '')}`).rejects.toThrow('permission denied');
      await expect(db`drop table ${db(first ?? '')}`).rejects.toThrow('must be owner');
    }
    expect(await db`select drop_first_range('payment_requests') as is_gone`).toEqual([{ is_gone: false }]);
  });

  it('do not confuse claims: rows of two ranges may are at the same place', async () => {
    const { db, owner } = await stage();
    const [merchantId, one, two] = ['mer_a', 'whe_a', 'whe_b'];
    await owner`
      insert into merchants (merchant_id, name, status, created_at, updated_at)
      values (${merchantId}, 'A', 'active', now(), now())`;
    await owner`
      insert into webhook_endpoints
        (webhook_endpoint_id, merchant_id, url, event_types, status, secret_key_id, secret_box, created_at, updated_at)
      select id, ${merchantId}, 'https://' || id || '.example', '{*}', 'active', 'key', '', now(), now()
      from unnest(${[one, two]}::text[]) id`;
    await fillQueue(owner, merchantId, [one], 1, daysAgo(50));
    await fillQueue(owner, merchantId, [two], 1, new Date());
    await partitionTables(owner, 2);
    expect(await owner`select distinct ctid from webhook_deliveries`).toHaveLength(1);
    const share = { merchantId, endpointId: one, version: 1, count: 10 };
    const claimed = await claimDeliveries(db, [share], 'lease', new Date(), addMs(new Date(), 60_000));
    expect(claimed.map((row) => row.webhook_endpoint_id)).toEqual([one]);
    expect(await owner`select webhook_endpoint_id from webhook_deliveries where lease is not null`).toEqual([
      { webhook_endpoint_id: one },
    ]);
  });
});
