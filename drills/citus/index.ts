import { setTimeout as pause } from 'node:timers/promises';
import { type CitusCluster, missingParts, startCitus } from '@payassent/test-kit/citus';
import { SQL_FOLDER } from '../../server/src/context.ts';
import { migrate } from '../../server/src/db/migrate.ts';
import { openDatabase } from '../../server/src/db/open.ts';
import postgres from '../../server/vendor/postgres/src/index.js';
import { distribute, populate, STORE_REQUESTS } from './schema.ts';

const CALLERS = 4;
const MERCHANTS = 'ABCDE';
/** A plan that is kept is a different one from the sixth execution on. */
const EXECUTIONS = 7;
const STORE = 'select * from store_requests($1, $2, $3)';

const LOOK_UP = `
  select c.connection_id from (select $1::text as token_hash) i cross join lateral (
    select c.* from connection_tokens t cross join lateral (
      select * from connections c where c.merchant_id = $2 and c.connection_id = t.connection_id limit 1) c
    where t.merchant_id = $2 and t.token_hash = i.token_hash limit 1) c`;
const MOVE = `
  with found as materialized (
    select r.ctid from payment_requests r where r.merchant_id = $1 and r.status = 'pending' limit 1 for update skip locked
  ), moved as (
    update payment_requests r set state_version = r.state_version + 1
    from found f where r.merchant_id = $1 and r.ctid = f.ctid returning r.*
  )
  select to_json(m.amount) from moved m`;

/**
 * Whether Citus still does what docs/decisions/0015-many-machines.md says and builds on: 0 when it does. The service
 * itself does not work on a distributed database yet.
 */
export async function citusDrill({ preload }: { preload?: string | undefined }): Promise<number> {
  const missing = missingParts();
  if (missing !== undefined) {
    process.stdout.write(`The drill cannot be done here. ${missing}\n`);
    return 2;
  }
  const cluster = await startCitus({ database: 'payassent', preload });
  const report = createReport();
  const { sql, commands } = listeningTo(cluster.coordinator.url);
  try {
    const owner = openDatabase({ url: cluster.coordinator.url }, { pool: 1, patient: true });
    await migrate(owner, SQL_FOLDER);
    await owner.end();
    await distribute(sql);
    await populate(sql);
    await sql.unsafe(STORE_REQUESTS);
    await sql`
      select create_distributed_function('store_requests(id, text, timestamptz)', 'merchant', colocate_with := 'merchants')`;
    await tryStatements(sql, commands, report.say);
    await tryCommits(sql, commands, report.say);
    await goOn(cluster, sql, report.say);
  } finally {
    await sql.end({ timeout: 2 });
    cluster.stop();
  }
  return report.differences() === 0 ? 0 : 1;
}

type Say = (isAsRecorded: boolean, text: string) => void;

function createReport(): { say: Say; differences(): number } {
  let differences = 0;
  return {
    say(isAsRecorded, text) {
      if (!isAsRecorded) differences += 1;
      process.stdout.write(`${isAsRecorded ? 'as recorded' : 'DIFFERENT  '}  ${text}\n`);
    },
    differences: () => differences,
  };
}

/** `commands` is what the coordinator has sent to other machines. */
function listeningTo(url: string): { sql: postgres.Sql; commands: string[] } {
  const commands: string[] = [];
  const sql = postgres(url, {
    max: 1,
    onnotice({ message = '' }) {
      if (message.startsWith('issuing ')) commands.push(message.slice('issuing '.length));
    },
    connection: { 'citus.log_remote_commands': 'on' } as never,
  });
  return { sql, commands };
}

async function tryStatements(sql: postgres.Sql, commands: string[], say: Say): Promise<void> {
  const isOneCommand = async (name: string, text: string, parametersOf: (turn: number) => unknown[]) => {
    const counts: number[] = [];
    for (let turn = 0; turn < EXECUTIONS; turn += 1) {
      commands.length = 0;
      await sql.unsafe(text, parametersOf(turn) as never[], { prepare: true });
      counts.push(commands.length);
    }
    say(
      counts.every((count) => count === 1),
      `${name}: ${counts.join(', ')} commands`,
    );
  };
  const isRefused = async (name: string, words: string, text: string, parameter: string) => {
    const refusal = await sql.unsafe(text, [parameter]).then(
      () => 'done',
      (error: Error) => error.message,
    );
    say(refusal.includes(words), `${name}: ${refusal}`);
  };
  await isOneCommand('a look-up that names its merchant', LOOK_UP, () => ['tok_A', 'mer_A']);
  await isOneCommand('a create as a function', STORE, (turn) => createOf('A', `one_${turn}`));
  await isOneCommand('a select over lock and update', MOVE, () => ['mer_A']);
  await isRefused(
    'to_json in the returning of an update',
    'non-IMMUTABLE',
    'update payment_requests r set reason = null where merchant_id = $1 returning to_json(amount)',
    'mer_A',
  );
  await isRefused(
    'a lock without the merchant',
    'FOR UPDATE/SHARE',
    'select * from agents where agent_id = $1 for update',
    'agt_A',
  );
  await isRefused(
    'an SQL function over the group, in from',
    'SQL functions referencing',
    'select * from working_credentials($1, now())',
    'agt_A',
  );
  const [row] = await sql<{ found: boolean }[]>`
    select exists (select from working_credentials('agt_A', now())) as found`;
  say(row?.found === false, `the same inside of exists, where there is one: ${row?.found}`);
}

/** How a transaction ends that writes to a worker and to a table of the coordinator. */
async function tryCommits(sql: postgres.Sql, commands: string[], say: Say): Promise<void> {
  await sql.unsafe('create table ordinary (k text); create table managed (k text)');
  await sql`select citus_add_local_table_to_metadata('managed')`;
  for (const [table, expected] of [
    ['ordinary', 'COMMIT'],
    ['managed', 'PREPARE TRANSACTION'],
  ] as const) {
    await sql.begin(async (tx) => {
      await tx`update merchants set name = name where merchant_id = 'mer_A'`;
      await tx`insert into ${tx(table)} values ('k')`;
      commands.length = 0;
    });
    const [first = 'nothing'] = commands;
    say(
      first.startsWith(expected),
      `a worker and a table of the coordinator, ${table}: ${first.split(" '")[0]}`,
    );
  }
}

/** Creates while a shard moves, a merchant gets a shard of its own, and a worker is killed and comes back. */
async function goOn(cluster: CitusCluster, sql: postgres.Sql, say: Say): Promise<void> {
  const callers = postgres(cluster.coordinator.url, { max: CALLERS, onnotice: () => {} });
  const acknowledged: string[] = [];
  const failures: string[] = [];
  let count = 0;
  let isOver = false;
  const call = async () => {
    while (!isOver) {
      count += 1;
      const id = `go_${count}`;
      const merchant = MERCHANTS[count % MERCHANTS.length] ?? 'A';
      try {
        const rows = await callers.unsafe(STORE, createOf(merchant, id) as never[]);
        if (rows.length === 1) acknowledged.push(id);
      } catch (error) {
        failures.push((error as { code?: string }).code ?? String(error));
        await pause(20);
      }
    }
  };
  const calls = Array.from({ length: CALLERS }, call);
  try {
    const [place] = await sql<{ shard: string; port: number }[]>`
      select shardid as shard, nodeport as port from citus_shards
      where shardid = get_shard_id_for_distribution_column('payment_requests', 'mer_A')`;
    const other = cluster.workers.find(({ port }) => port !== place?.port);
    if (!place || !other) throw new Error('The shard of mer_A is on no worker.');
    await sql`
      select citus_move_shard_placement(
        ${place.shard}, '127.0.0.1', ${place.port}, '127.0.0.1', ${other.port}, 'force_logical')`;
    await sql`
      select isolate_tenant_to_new_shard('payment_requests', 'mer_B', 'CASCADE', shard_transfer_mode := 'block_writes')`;
    say(
      failures.length === 0,
      `a shard moved and a merchant isolated, ${acknowledged.length} creates: ${failures.length} failed`,
    );
    failures.length = 0;
    other.kill();
    await pause(2_000);
    other.start();
    await pause(2_000);
  } finally {
    isOver = true;
    await Promise.all(calls);
  }
  const codes = [...new Set(failures)];
  say(
    codes.every((code) => /^(08|57P)/.test(code)),
    `a worker killed and started again: ${failures.length} failed (${codes})`,
  );
  const rows = await callers<{ request_id: string }[]>`
    select request_id from payment_requests where request_id like 'go\\_%'`;
  const stored = new Set(rows.map((row) => row.request_id));
  const lost = acknowledged.filter((id) => !stored.has(id));
  say(lost.length === 0, `${acknowledged.length} creates acknowledged: ${lost.length} lost`);
  await callers.end();
}

function createOf(merchant: string, requestId: string): unknown[] {
  const row = {
    token_hash: `tok_${merchant}`,
    request_id: requestId,
    recipient_id: `rcp_${merchant}`,
  };
  return [`mer_${merchant}`, JSON.stringify([row]), new Date()];
}
