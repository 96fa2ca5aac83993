import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { SQL_FOLDER } from '../../../server/src/context.ts';
import { migrate } from '../../../server/src/db/migrate.ts';
import type { Database } from '../../../server/src/db/open.ts';
import { distributeDatabase } from '../../../server/src/maintenance/distribution/index.ts';
import { type CitusCluster, missingParts, startCitus } from '../../stage/database/citus.ts';
import { onServer, patiently, type Server, serverAt } from '../../stage/database/servers.ts';
import { temporaryFolder } from '../../stage/ending.ts';
import { describeMachine, publish, say, table } from '../../stage/report.ts';
import type { Stage } from '../../torture/run/stage.ts';
import { longestGap, SECOND, underCrowd, untilCalm, verdictText } from '../crowd.ts';
import { costsTable, measureCosts } from './costs.ts';
import { runSuite, type SuiteResult } from './suite.ts';

interface CitusOptions {
  /** How often each fault is injected. */
  turns: number;
  /** Paths of tests that are run on a distributed database first; none without it. */
  suite: readonly string[];
  preload: string | undefined;
  /** Also measures what calls cost each machine, next to one PostgreSQL alone. */
  costs: boolean;
  publish: boolean;
}

const DATABASE = 'payassent';
const SHARDS = 8;
const LOOPBACK = '127.0.0.1';

/** What happens while torture's clients work. */
const FAULTS = {
  'a shard moved to the other machine': moveShard,
  'a merchant isolated on a separate shard': isolateMerchant,
  'a machine killed and started again': restartWorker,
  'the coordinator killed and started again': restartCoordinator,
} as const;
type Fault = keyof typeof FAULTS;

interface Done {
  fault: Fault;
  tookMs: number;
  /** The longest time between two acknowledged changes around it. */
  awayMs: number;
}

/** 0 when the tests pass on a distributed database and no injected failure loses or breaks anything. */
export async function citusDrill(options: CitusOptions): Promise<number> {
  const missing = missingParts();
  if (missing !== undefined) {
    say(`The drill cannot be done here. ${missing}`);
    return 2;
  }
  const suite = options.suite.length === 0 ? undefined : await runSuite(options.suite, say);
  const folder = await temporaryFolder('drill-citus');
  const costs = options.costs ? await compareCosts(folder, options) : '';
  return onCluster(options, 2, (cluster) => workOn(cluster, folder, options, { suite, costs }));
}

async function onCluster<T>(
  { preload }: CitusOptions,
  workers: number,
  work: (cluster: CitusCluster) => Promise<T>,
): Promise<T> {
  const settings = ['max_connections=300', 'citus.recover_2pc_interval=5s'];
  const cluster = await startCitus({ database: DATABASE, workers, preload, settings });
  try {
    await onServer(serverOf(cluster), async (owner) => {
      await migrate(owner, SQL_FOLDER);
      if (workers > 0) await distributeDatabase(owner, { shards: SHARDS });
    });
    return await work(cluster);
  } finally {
    cluster.stop();
  }
}

/** Killed by this drill, never by the stage's fault injection. */
const serverOf = ({ coordinator }: CitusCluster): Server => serverAt(() => coordinator.port, DATABASE);

/** The same calls on one PostgreSQL and on a coordinator with two workers, one after the other. */
async function compareCosts(folder: string, options: CitusOptions): Promise<string> {
  const measure = (workers: number) =>
    onCluster(options, workers, (cluster) => {
      const pids = [cluster.coordinator, ...cluster.workers].map((node) => node.pid());
      return measureCosts(folder, `${workers} workers`, { server: serverOf(cluster), pids });
    });
  const costs = costsTable(await measure(0), await measure(2));
  say(costs);
  return costs;
}

/** Findings from before the failures. */
interface Findings {
  suite: SuiteResult | undefined;
  costs: string;
}

async function workOn(
  cluster: CitusCluster,
  folder: string,
  options: CitusOptions,
  { suite, costs }: Findings,
): Promise<number> {
  const startedMs = performance.now();
  const place = { folder, server: serverOf(cluster), seed: 'citus', clients: 8 };
  const size = { tenants: 3, wallets: 4, links: 8 };
  const { done, stage, verdict } = await underCrowd(place, size, async (stage) => {
    const all: Done[] = [];
    for (let turn = 0; turn < options.turns; turn += 1)
      for (const fault of Object.keys(FAULTS) as Fault[]) all.push(await cause(fault, cluster, stage));
    await untilCalm(stage);
    return all;
  });
  const torn = await onServer(place.server, (db) => patiently(() => findTorn(db)));
  for (const text of [...torn, ...(await unexpectedErrors(stage))]) say(`  ! ${text}`);
  const minutes = ((performance.now() - startedMs) / 60_000).toFixed(0);
  const summary = `${done.length} faults in ${minutes} minutes: ${verdictText(verdict)}, ${torn.length} copies that differ.`;
  say(summary);
  if (options.publish) {
    const parts = [describeMachine(), suite?.summary ?? '', summary, faultsTable(done), costs];
    await publish('drills', 'citus', parts.filter((part) => part !== '').join('\n\n'));
  }
  return verdict.violations === 0 && torn.length === 0 && (suite?.failed ?? 0) === 0 ? 0 : 1;
}

async function cause(fault: Fault, cluster: CitusCluster, stage: Stage): Promise<Done> {
  await pause(5 * SECOND);
  stage.history.fault(fault);
  const startedMs = performance.now();
  const causedAt = Date.now();
  await FAULTS[fault](cluster);
  const tookMs = performance.now() - startedMs;
  await pause(10 * SECOND);
  const awayMs = longestGap(stage, causedAt);
  say(
    `${fault}: ${(tookMs / SECOND).toFixed(1)} s, at most ${(awayMs / SECOND).toFixed(1)} s without an acknowledged change`,
  );
  return { fault, tookMs, awayMs };
}

interface Placement {
  merchant_id: string;
  shard: number;
  port: number;
}

/** Where the requests of the busiest merchant are. */
async function placeOfBusiest(db: Database): Promise<Placement> {
  const [busiest] = await db<{ merchant_id: string }[]>`
    select merchant_id from payment_requests group by 1 order by count(*) desc limit 1`;
  const merchantId = busiest?.merchant_id ?? '';
  const [place] = await db<Omit<Placement, 'merchant_id'>[]>`
    select shardid as shard, nodeport as port from citus_shards
    where shardid = get_shard_id_for_distribution_column('payment_requests', ${merchantId}::text)`;
  if (!place) throw new Error('The requests of a merchant are on no shard.');
  return { merchant_id: merchantId, ...place };
}

function moveShard(cluster: CitusCluster): Promise<void> {
  return onServer(serverOf(cluster), async (db) => {
    const { shard, port } = await placeOfBusiest(db);
    const other = cluster.workers.find((worker) => worker.port !== port);
    await db`
      select citus_move_shard_placement(
        ${shard}, ${LOOPBACK}, ${port}, ${LOOPBACK}, ${other?.port ?? 0}, 'force_logical')`;
  });
}

function isolateMerchant(cluster: CitusCluster): Promise<void> {
  return onServer(serverOf(cluster), async (db) => {
    const [merchant] = await db<{ merchant_id: string }[]>`
      select m.merchant_id from merchants m order by random() limit 1`;
    await db`
      select isolate_tenant_to_new_shard(
        'payment_requests', ${merchant?.merchant_id ?? ''}::text, 'CASCADE', shard_transfer_mode := 'block_writes')`.catch(
      (error: Error) => {
        // It had been isolated before.
        if (!error.message.includes('already been isolated')) throw error;
      },
    );
  });
}

async function restartWorker({ workers: [first] }: CitusCluster): Promise<void> {
  first?.kill();
  await pause(2 * SECOND);
  first?.start();
}

async function restartCoordinator({ coordinator }: CitusCluster): Promise<void> {
  coordinator.kill();
  await pause(2 * SECOND);
  coordinator.start();
}

/** Rows of the coordinator whose copy on the merchant's machine is another one: a transaction was torn. */
async function findTorn(db: Database): Promise<string[]> {
  const torn: string[] = [];
  for (const table of ['connections', 'agents', 'recipients', 'recipient_versions', 'recipient_recalls']) {
    const digestOf = async (from: string) =>
      (await db.unsafe(`select md5(t::text) as digest from (select * from ${from}) t order by 1`)).map(
        (row) => row['digest'],
      );
    const [own, copies] = [await digestOf(table), await digestOf(`mirror.${table}`)];
    if (own.join() !== copies.join())
      torn.push(`${table}: ${own.length} rows, ${copies.length} copies, not the same`);
  }
  return torn;
}

/** What the services logged of calls that they returned 500, each text once. */
async function unexpectedErrors({ members }: Stage): Promise<string[]> {
  const logs = await Promise.all(members.map(({ process }) => readFile(process.logFile, 'utf8')));
  const texts = logs
    .flatMap((log) => log.split('\n').filter((line) => line.includes('"call_failed"')))
    .map((line) => JSON.parse(line) as { route: string; err: { code?: string; message: string } })
    .map(({ route, err }) => `${route}: ${err.code ?? 'no code'}, ${err.message}`);
  return [...new Set(texts)];
}

function faultsTable(done: readonly Done[]): string {
  const most = (times: number[]) =>
    times.length === 0 ? '–' : `${(Math.max(...times) / SECOND).toFixed(1)} s`;
  const rows = (Object.keys(FAULTS) as Fault[]).map((fault) => {
    const own = done.filter((each) => each.fault === fault);
    return [fault, own.length, most(own.map(({ tookMs }) => tookMs)), most(own.map(({ awayMs }) => awayMs))];
  });
  return table(['Fault', 'Times', 'Took at most', 'Longest without an acknowledged change'], rows);
}
