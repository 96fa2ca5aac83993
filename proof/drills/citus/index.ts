import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { SQL_FOLDER } from '../../../server/src/context.ts';
import { migrate } from '../../../server/src/db/migrate.ts';
import { type Database, openDatabase } from '../../../server/src/db/open.ts';
import { distributeDatabase } from '../../../server/src/maintenance/distribution/index.ts';
import { type CitusCluster, missingParts, startCitus } from '../../stage/database/citus.ts';
import { evidenceOf, judge } from '../../torture/check/index.ts';
import { loadTables } from '../../torture/check/load.ts';
import { runCrowd, type Tallies } from '../../torture/clients/crowd.ts';
import { peopleWorld } from '../../torture/clients/known-world.ts';
import { createRandom } from '../../torture/run/random.ts';
import { describeMachine } from '../../torture/run/report.ts';
import { openServer, patiently, type Server, type Stage, setStage } from '../../torture/run/stage.ts';
import { isChange, longestGap } from '../changes.ts';
import { publishDrill } from '../publish.ts';
import { costsTable, measureCosts } from './costs.ts';
import { runSuite, type SuiteResult } from './suite.ts';

export interface CitusOptions {
  /** Of each of the faults. */
  turns: number;
  /** Paths of tests that are run on a distributed database first; none without it. */
  suite: readonly string[];
  preload: string | undefined;
  /** Also measures what calls cost each machine, beside one PostgreSQL alone. */
  measures: boolean;
  publishes: boolean;
}

const SECOND = 1_000;
const DATABASE = 'payassent';
const SHARDS = 8;
const CLIENTS = 8;
const LOOPBACK = '127.0.0.1';
const say = (text: string) => void process.stdout.write(`${text}\n`);

/** What happens while torture's clients work. */
const FAULTS = {
  'a shard moved to the other machine': moveShard,
  'a merchant isolated on a shard of its own': isolateMerchant,
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

/** 0 when the tests pass on a distributed database and no fault there loses or breaks anything. */
export async function citusDrill(options: CitusOptions): Promise<number> {
  const missing = missingParts();
  if (missing !== undefined) {
    say(`The drill cannot be done here. ${missing}`);
    return 2;
  }
  const suite = options.suite.length === 0 ? undefined : await runSuite(options.suite, say);
  const folder = await mkdtemp(join(tmpdir(), 'payassent-drill-citus-'));
  await chmod(folder, 0o711);
  try {
    const costs = options.measures ? await compareCosts(folder, options) : [];
    return await onCluster(options, 2, (cluster) => workOn(cluster, folder, options, { suite, costs }));
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function onCluster<T>(
  { preload }: CitusOptions,
  workers: number,
  work: (cluster: CitusCluster) => Promise<T>,
): Promise<T> {
  const settings = ['max_connections=300', 'citus.recover_2pc_interval=5s'];
  const cluster = await startCitus({ database: DATABASE, workers, preload, settings });
  try {
    return await work(cluster);
  } finally {
    cluster.stop();
  }
}

/** The same calls on one PostgreSQL and on a coordinator with two workers, one after the other. */
async function compareCosts(folder: string, options: CitusOptions): Promise<string[]> {
  const measure = (workers: number) =>
    onCluster(options, workers, async (cluster) => {
      await layOut(cluster);
      const pids = [cluster.coordinator, ...cluster.workers].map((node) => node.pid());
      return measureCosts(folder, `${workers} workers`, { server: serverOf(cluster), pids });
    });
  const table = costsTable(await measure(0), await measure(2));
  for (const line of table) say(line);
  return table;
}

async function layOut({ coordinator, workers }: CitusCluster): Promise<void> {
  const owner = openDatabase({ url: coordinator.url }, { pool: 1, patient: true });
  await migrate(owner, SQL_FOLDER);
  if (workers.length > 0) await distributeDatabase(owner, { shards: SHARDS });
  await owner.end();
}

function serverOf({ coordinator }: CitusCluster): Server {
  return {
    // Killed by its own drill, never by the stage's faults.
    pid: 0,
    user: 'postgres',
    password: 'drill',
    database: DATABASE,
    target: () => ({ port: coordinator.port }),
    stop: async () => {},
  };
}

/** What was found before the faults. */
interface Findings {
  suite: SuiteResult | undefined;
  costs: readonly string[];
}

async function workOn(
  cluster: CitusCluster,
  folder: string,
  options: CitusOptions,
  findings: Findings,
): Promise<number> {
  const startedMs = performance.now();
  await layOut(cluster);
  say(`distributed over two machines after ${((performance.now() - startedMs) / SECOND).toFixed(0)} s`);
  const server = serverOf(cluster);
  const random = createRandom('citus');
  const stage = await setStage(join(folder, 'stage'), random.child('stage'), { server });
  try {
    const world = await peopleWorld(stage, random.child('people'), { tenants: 3, wallets: 4, links: 8 });
    const tallies: Tallies = new Map();
    let isOver = false;
    const crowd = runCrowd(world, random.child('crowd'), { clients: CLIENTS, until: () => isOver }, tallies);
    const done: Done[] = [];
    try {
      for (let turn = 0; turn < options.turns; turn += 1)
        for (const fault of Object.keys(FAULTS) as Fault[]) done.push(await cause(fault, cluster, stage));
      await Promise.all(stage.members.map(({ process }) => process.untilHealthy(60 * SECOND)));
      stage.history.fault('calm');
      await pause(15 * SECOND);
    } finally {
      isOver = true;
    }
    await crowd;
    return await conclude(
      stage,
      server,
      { ...findings, done, tookMs: performance.now() - startedMs },
      options,
    );
  } finally {
    await stage.close();
  }
}

async function cause(fault: Fault, cluster: CitusCluster, stage: Stage): Promise<Done> {
  await pause(5 * SECOND);
  stage.history.fault(fault);
  const startedMs = performance.now();
  const causedAt = Date.now();
  await FAULTS[fault](cluster);
  const tookMs = performance.now() - startedMs;
  await pause(10 * SECOND);
  const awayMs = longestGap(stage.history.attempts, causedAt);
  say(
    `${fault}: ${(tookMs / SECOND).toFixed(1)} s, at most ${(awayMs / SECOND).toFixed(1)} s without an acknowledged change`,
  );
  return { fault, tookMs, awayMs };
}

async function onCoordinator<T>(cluster: CitusCluster, work: (db: Database) => Promise<T>): Promise<T> {
  const db = openDatabase({ url: cluster.coordinator.url }, { pool: 1, patient: true });
  try {
    return await work(db);
  } finally {
    await db.end();
  }
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
  return onCoordinator(cluster, async (db) => {
    const { shard, port } = await placeOfBusiest(db);
    const other = cluster.workers.find((worker) => worker.port !== port);
    await db`
      select citus_move_shard_placement(
        ${shard}, ${LOOPBACK}, ${port}, ${LOOPBACK}, ${other?.port ?? 0}, 'force_logical')`;
  });
}

function isolateMerchant(cluster: CitusCluster): Promise<void> {
  return onCoordinator(cluster, async (db) => {
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

async function restartWorker(cluster: CitusCluster): Promise<void> {
  const [first] = cluster.workers;
  first?.kill();
  await pause(2 * SECOND);
  first?.start();
}

async function restartCoordinator(cluster: CitusCluster): Promise<void> {
  cluster.coordinator.kill();
  await pause(2 * SECOND);
  cluster.coordinator.start();
}

interface Outcome extends Findings {
  done: readonly Done[];
  tookMs: number;
}

async function conclude(
  stage: Stage,
  server: Server,
  { done, suite, costs, tookMs }: Outcome,
  { publishes }: CitusOptions,
): Promise<number> {
  const db = openServer(server, 1);
  const tables = await patiently(() => loadTables(db));
  const torn = await patiently(() => findTorn(db));
  await db.end();
  const { attempts } = stage.history;
  const judgements = judge(evidenceOf(stage, tables));
  const violations = judgements.flatMap((each) => each.violations);
  for (const each of judgements.filter((found) => found.violations.length > 0))
    say(`  ! ${each.name}: ${each.violations.length}, such as ${each.violations[0]}`);
  for (const text of torn) say(`  ! ${text}`);
  for (const text of await unexpectedErrors(stage)) say(`  ! ${text}`);
  const lost = judgements.find(({ name }) => name === 'acknowledged writes present');
  const count = (value: number) => value.toLocaleString('en');
  const summary = `${done.length} faults in ${(tookMs / 60_000).toFixed(0)} minutes: ${count(attempts.length)} calls, ${count(attempts.filter(isChange).length)} acknowledged changes, ${count(lost?.checked ?? 0)} records compared, ${lost?.violations.length ?? 0} lost, ${violations.length} violations of ${judgements.length} invariants, ${torn.length} copies that differ.`;
  say(summary);
  if (publishes) await publishDrill('citus', markdownOf(summary, { suite, costs }, done));
  const isSound = violations.length === 0 && torn.length === 0 && (suite?.failed ?? 0) === 0;
  return isSound ? 0 : 1;
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

/** What the services logged of calls that they answered with 500, each text once. */
async function unexpectedErrors({ members }: Stage): Promise<string[]> {
  const logs = await Promise.all(members.map(({ process }) => readFile(process.logFile, 'utf8')));
  const texts = logs
    .flatMap((log) => log.split('\n').filter((line) => line.includes('"call_failed"')))
    .map((line) => JSON.parse(line) as { route: string; err: { code?: string; message: string } })
    .map(({ route, err }) => `${route}: ${err.code ?? 'no code'}, ${err.message}`);
  return [...new Set(texts)];
}

function markdownOf(summary: string, { suite, costs }: Findings, done: readonly Done[]): string {
  const rows = (Object.keys(FAULTS) as Fault[]).map((fault) => {
    const own = done.filter((each) => each.fault === fault);
    const most = (times: number[]) =>
      times.length === 0 ? '–' : `${(Math.max(...times) / SECOND).toFixed(1)} s`;
    return `| ${fault} | ${own.length} | ${most(own.map((each) => each.tookMs))} | ${most(own.map((each) => each.awayMs))} |`;
  });
  return [
    describeMachine(),
    '',
    ...(suite ? [suite.summary, ''] : []),
    summary,
    '',
    '| Fault | Times | Took at most | Longest without an acknowledged change |',
    '|---|---|---|---|',
    ...rows,
    ...(costs.length === 0 ? [] : ['', ...costs]),
  ].join('\n');
}
