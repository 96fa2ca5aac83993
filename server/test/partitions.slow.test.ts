// Slow: partitions tables while they are written.
import { randomUUID } from 'node:crypto';
import { isPlainRun } from '@payassent/proof/database/layout';
import { succeed } from '@payassent/proof/people/merchants';
import {
  type PaymentStage,
  paymentStage,
  pendingRequest,
  postRequest,
  report,
} from '@payassent/proof/people/payments';
import type { Body } from '@payassent/proof/service/client';
import { serviceForTest, type TestService } from '@payassent/proof/service/service';
import { expect, it, onTestFinished } from 'vitest';
import { type Database, openDatabase } from '../src/db/open.ts';
import { talliesOf } from '../src/maintenance/backup/dump.ts';
import { PARTITIONED_TABLES } from '../src/maintenance/partitions/cut.ts';
import { abandonCopies, partitionTables } from '../src/maintenance/partitions/index.ts';

interface Stage {
  service: TestService;
  owner: Database;
  stages: PaymentStage[];
}

async function stage(merchants = 2): Promise<Stage> {
  const service = await serviceForTest({ ungranted: true });
  const owner = openDatabase({ url: service.env['DATABASE_URL'] ?? '' }, { pool: 3 });
  onTestFinished(() => owner.end());
  const stages = await Promise.all(Array.from({ length: merchants }, () => paymentStage(service)));
  return { service, owner, stages };
}

async function fill({ service, stages }: Stage, each: number): Promise<Body[]> {
  const made: Body[] = [];
  for (let n = 0; n < each; n += 1)
    for (const place of stages) {
      const request = await pendingRequest(service, place);
      made.push(request);
      if (n % 3 === 0) await succeed(report(service, place, request['request_id'], { status: 'signed' }));
    }
  return made;
}

/** Interrupts the copy of payment requests when it has so many. */
async function copyUntil(owner: Database, rows: number): Promise<void> {
  const stop = new AbortController();
  const progress = (_table: string, copied: number) => {
    if (copied >= rows) stop.abort();
  };
  const options = { rowsAtOnce: 2, signal: stop.signal, progress };
  await expect(partitionTables(owner, 2, options)).rejects.toThrow('aborted');
}

async function kindsOf(owner: Database): Promise<string[]> {
  const rows = await owner<{ kind: string }[]>`
    select relkind::text as kind from pg_class
    where oid = any(${PARTITIONED_TABLES.map(String)}::text[]::regclass[]) order by relname`;
  return rows.map(({ kind }) => kind);
}

/** Everything that determines who may do what with the tables, and what is refused. */
async function guardsOf(owner: Database): Promise<unknown> {
  const tables = PARTITIONED_TABLES.map(String);
  const rights = await owner`
    select table_name, grantee, privilege_type, column_name from information_schema.column_privileges
    where table_name = any(${tables}) order by 1, 2, 3, 4`;
  const tableRights = await owner`
    select table_name, grantee, privilege_type from information_schema.table_privileges
    where table_name = any(${tables}) order by 1, 2, 3`;
  const policies = await owner`
    select tablename, policyname, roles::text, qual, with_check from pg_policies
    where tablename = any(${tables}) order by 1, 2`;
  const security = await owner`
    select relname, relrowsecurity from pg_class where relname = any(${tables}) order by 1`;
  const triggers = await owner`
    select pg_get_triggerdef(oid) as text from pg_trigger
    where tgrelid = any(${tables}::text[]::regclass[]) and not tgisinternal order by 1`;
  return JSON.parse(JSON.stringify({ rights, tableRights, policies, security, triggers }));
}

// A database gets its partitions once, and is distributed or has them.
it.runIf(isPlainRun)(
  'gives tables partitions while requests are made and decided: nothing is lost, and every guard stays',
  async () => {
    const world = await stage();
    const { service, owner, stages } = world;
    await fill(world, 6);
    const guards = await guardsOf(owner);

    let isOver = false;
    const acknowledged = new Map<string, { place: PaymentStage; status: string; key: string }>();
    const busy = stages.map(async (place) => {
      while (!isOver) {
        const key = randomUUID();
        const { payment_request: made } = (
          await succeed(postRequest(service, place, {}, { idempotencyKey: key }))
        ).body;
        acknowledged.set(made.request_id, { place, status: 'pending', key });
        await succeed(report(service, place, made.request_id, { status: 'rejected' }));
        acknowledged.set(made.request_id, { place, status: 'rejected', key });
      }
    });
    const done = await partitionTables(owner, 4, { rowsAtOnce: 3 });
    await new Promise((resolve) => setTimeout(resolve, 300));
    isOver = true;
    await Promise.all(busy);

    expect(done.map(({ table, isNew }) => [table, isNew])).toEqual(
      PARTITIONED_TABLES.map((table) => [table, true]),
    );
    expect(await kindsOf(owner)).toEqual(PARTITIONED_TABLES.map(() => 'p'));
    expect(await guardsOf(owner)).toEqual(guards);
    expect(acknowledged.size).toBeGreaterThan(stages.length);
    for (const [id, { place, status, key }] of acknowledged) {
      const { body } = await succeed(
        service.call('GET', `/v1/payment-requests/${id}`, { bearer: place.connectionToken }),
      );
      expect(body.payment_request.status).toBe(status);
      const again = await succeed(postRequest(service, place, {}, { idempotencyKey: key }));
      expect(again.body.payment_request.request_id).toBe(id);
    }
    for (const place of stages) {
      const { body } = await succeed(
        service.call('GET', '/v1/payment-requests/events?since=0&limit=100', {
          bearer: place.connectionToken,
        }),
      );
      const numbers = body.events.map((event: Body) => event['sequence']);
      expect(numbers).toEqual(numbers.map((_: number, n: number) => n + 1));
    }
    await expect(owner`update payment_requests set amount = '1'`).rejects.toThrow(/never change|final|fact/i);
    const [spread] = await owner<[{ used: number; former: string | null; progress: string | null }]>`
    select count(distinct tableoid)::int as used, to_regclass('payment_requests_former')::text as former,
           to_regclass('partition_copies')::text as progress
    from payment_requests`;
    expect(spread).toMatchObject({ former: null, progress: null });

    // Again there is nothing to do, and another number is refused.
    expect((await partitionTables(owner, 4)).map(({ isNew }) => isNew)).toEqual(
      PARTITIONED_TABLES.map(() => false),
    );
    await expect(partitionTables(owner, 8)).rejects.toThrow('payment_requests has 4 partitions');
  },
);

// A database gets its partitions once, and is distributed or has them.
it.runIf(isPlainRun)(
  'continues where it was interrupted, and the tables are as they were until then',
  async () => {
    const world = await stage(1);
    const { owner, service, stages } = world;
    const made = await fill(world, 9);
    await copyUntil(owner, 4);
    expect(await kindsOf(owner)).toEqual(PARTITIONED_TABLES.map(() => 'r'));

    // What changes between the two runs reaches the copy too.
    const [request] = made.slice(-1);
    await succeed(
      report(service, stages[0] as PaymentStage, String(request?.['request_id']), { status: 'rejected' }),
    );
    const second: [string, number][] = [];
    await partitionTables(owner, 2, {
      rowsAtOnce: 2,
      progress: (table, copied) => second.push([table, copied]),
    });
    expect(second[0]).toEqual(['payment_requests', 6]);
    expect(await kindsOf(owner)).toEqual(PARTITIONED_TABLES.map(() => 'p'));
  },
);

/** The first try has given way. */
async function triesTwice(owner: Database): Promise<void> {
  const waits = new Set<string>();
  await expect
    .poll(
      async () => {
        const rows = await owner<{ since: string }[]>`
          select waitstart::text as since from pg_locks
          where not granted and waitstart is not null
            and pid in (select pid from pg_stat_activity where datname = current_database())`;
        for (const { since } of rows) waits.add(since);
        return waits.size;
      },
      { interval: 20 },
    )
    .toBeGreaterThan(1);
}

/** The second one as an automatic vacuum does. */
const HOLDERS = [
  [
    'a row',
    `begin; update payment_requests set updated_at = updated_at
       where request_id = (select max(request_id::text) from payment_requests)`,
  ],
  [
    'a partition',
    `begin; do $$ begin execute (
       select format('lock table %s in share update exclusive mode', min(inhrelid::regclass::text))
       from pg_inherits where inhparent = 'payment_requests_copy'::regclass); end $$`,
  ],
] as const;

// A database gets its partitions once, and is distributed or has them.
it.runIf(isPlainRun).each(HOLDERS)(
  'gives way to a transaction that holds %s of the copy, and continues after it',
  async (_title, hold) => {
    const world = await stage(1);
    const { owner, service } = world;
    await fill(world, 6);
    await copyUntil(owner, 2);
    const holder = openDatabase(service.database.target, { pool: 1, patient: true });
    onTestFinished(() => holder.end({ timeout: 1 }));
    const held = await holder.reserve();
    await held.unsafe(hold);
    const done = partitionTables(owner, 2, { rowsAtOnce: 2 });
    await Promise.race([triesTwice(owner), done]);
    await held.unsafe('commit');
    held.release();
    await done;
    expect(await kindsOf(owner)).toEqual(PARTITIONED_TABLES.map(() => 'p'));
  },
);

// A database gets its partitions once, and is distributed or has them.
it.runIf(isPlainRun)('begins again when the table was migrated meanwhile, and loses no column', async () => {
  const world = await stage(1);
  const { owner } = world;
  await fill(world, 3);
  await copyUntil(owner, 2);
  await owner`alter table payment_requests add column added text default 'kept'`;
  const copied: number[] = [];
  await partitionTables(owner, 2, { rowsAtOnce: 2, progress: (_table, rows) => copied.push(rows) });
  expect(copied[0]).toBe(2);
  expect(await owner`select distinct added from payment_requests`).toEqual([{ added: 'kept' }]);
});

// A database gets its partitions once, and is distributed or has them.
it.runIf(isPlainRun)('does not exchange a copy that differs, and leaves the table as it was', async () => {
  const world = await stage(1);
  const { owner } = world;
  await fill(world, 4);
  await copyUntil(owner, 2);
  await owner`update payment_requests_copy set amount = '99'`;
  const spoilt = partitionTables(owner, 2);
  await expect(spoilt).rejects.toThrow('The copy was taken away and the table is as it was');
  expect(await kindsOf(owner)).toEqual(PARTITIONED_TABLES.map(() => 'r'));
  const [left] = await owner<[{ copy: string | null; triggers: number }]>`
    select to_regclass('payment_requests_copy')::text as copy,
           (select count(*)::int from pg_trigger where tgname = 'keep_the_copy') as triggers`;
  expect(left).toEqual({ copy: null, triggers: 0 });
  await partitionTables(owner, 2);
  expect(await kindsOf(owner)).toEqual(PARTITIONED_TABLES.map(() => 'p'));
});

// A database gets its partitions once, and is distributed or has them.
it.runIf(isPlainRun)(
  'is backed up as any other database, whether partitioned, unfinished or not',
  async () => {
    const world = await stage(1);
    const { owner } = world;
    await fill(world, 3);
    const tallies = async () => {
      const connection = await owner.reserve();
      const found = await talliesOf(connection);
      connection.release();
      return PARTITIONED_TABLES.map((table) => [table, found.get(table)]).concat([
        ['tables', found.size] as never,
      ]);
    };
    const before = await tallies();
    await copyUntil(owner, 2);
    expect(await tallies()).toEqual(before);
    await abandonCopies(owner);
    expect(await tallies()).toEqual(before);
    await partitionTables(owner, 2);
    expect(await tallies()).toEqual(before);
  },
);

it('refuses a number that makes no sense', async () => {
  const { owner } = await stage(0);
  for (const number of [1, 1025, 2.5, Number.NaN])
    await expect(partitionTables(owner, number)).rejects.toThrow('between 2 and 1024');
});

it.runIf(isPlainRun)('waits until no process of an earlier release is connected', async () => {
  const { owner, service } = await stage(0);
  const earlier = openDatabase(service.database.target, { pool: 1, name: 'payassent' });
  onTestFinished(() => earlier.end({ timeout: 1 }));
  await earlier`select 1`;
  await expect(partitionTables(owner, 2)).rejects.toThrow(
    'Processes of an earlier release are connected to this database (sessions: 1).',
  );
  await earlier.end({ timeout: 1 });
  await expect.poll(() => partitionTables(owner, 2).then(() => true, String)).toBe(true);
});
