import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '@payassent/world';
import { evidenceOf, judge } from '../check/index.ts';
import { loadTables } from '../check/load.ts';
import { runCrowd, type Tallies } from '../clients/crowd.ts';
import { peopleWorld } from '../clients/known-world.ts';
import { publishPart } from '../run/publish.ts';
import { createRandom } from '../run/random.ts';
import { describeMachine } from '../run/report.ts';
import { openServer, patiently, type Server, type Stage, setStage } from '../run/stage.ts';
import {
  type Cluster,
  copyAsStandby,
  createCluster,
  findPrograms,
  initialise,
  serverUser,
} from './cluster.ts';

type Mode = 'synchronous' | 'asynchronous';

interface Outcome {
  mode: Mode;
  acknowledged: number;
  /** Before the primary was killed. */
  acknowledgedBefore: number;
  /** From the kill to the first answer of the service on the new primary. */
  awayMs: number;
  checkedRecords: number;
  lostRecords: number;
  otherViolations: number;
  examples: string[];
}

const LOAD_MS = 10_000;
/** How long an asynchronous standby hears nothing before the primary dies. */
const DEAF_MS = 4000;
const AFTER_MS = 6000;
const CLIENTS = 12;
const say = (text: string) => process.stdout.write(`${text}\n`);

export async function main(args: readonly string[]): Promise<number> {
  const seed = args.includes('--seed') ? (args[args.indexOf('--seed') + 1] ?? '') : 'failover';
  const outcomes: Outcome[] = [];
  for (const mode of ['synchronous', 'asynchronous'] as const) {
    const outcome = await failOver(mode, seed);
    outcomes.push(outcome);
    say(
      `${mode} standby: ${outcome.acknowledgedBefore} acknowledged calls before the kill, away ${outcome.awayMs} ms, ` +
        `${outcome.lostRecords} of ${outcome.checkedRecords} acknowledged records missing, ${outcome.otherViolations} other violations`,
    );
    for (const example of outcome.examples) say(`  ${example}`);
  }
  const [sync, async] = outcomes;
  const isSafe = sync !== undefined && sync.lostRecords === 0 && sync.otherViolations === 0;
  const isNoticed = async !== undefined && async.lostRecords > 0;
  say(
    isSafe
      ? 'Nothing is lost with a synchronous standby.'
      : 'FAILED: something is lost with a synchronous standby.',
  );
  say(
    isNoticed
      ? 'The loss of an asynchronous one is noticed.'
      : 'FAILED: the loss of an asynchronous one is not noticed.',
  );
  if (args.includes('--publish')) await publishOutcomes(outcomes);
  return isSafe && isNoticed ? 0 : 1;
}

async function failOver(mode: Mode, seed: string): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'payassent-failover-'));
  await chmod(folder, 0o711);
  const pair = await startPair(join(folder, 'postgres'), mode);
  let current = pair.primary;
  const server: Server = {
    get pid() {
      return current.pid();
    },
    user: 'postgres',
    password: '',
    database: 'postgres',
    target: () => ({ port: current.port }),
    stop: async () => {
      await pair.primary.kill();
      await pair.standby.kill();
    },
  };
  let stage: Stage | undefined;
  try {
    stage = await setStage(folder, createRandom(seed), { server });
    return await killUnderLoad(stage, mode, seed, pair, () => {
      current = pair.standby;
    });
  } finally {
    if (stage) await stage.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Pair {
  primary: Cluster;
  standby: Cluster;
}

async function startPair(folder: string, mode: Mode): Promise<Pair> {
  const [programs, user] = [findPrograms(), serverUser()];
  const place = async (name: string) => ({ programs, user, folder, name, port: await freePort() });
  const primary = createCluster(await place('primary'));
  const standby = createCluster(await place('standby'));
  initialise(primary);
  const settings = (cluster: Cluster) => ({
    listen_addresses: '127.0.0.1',
    port: String(cluster.port),
    unix_socket_directories: folder,
    synchronous_commit: 'on',
  });
  const alone = settings(primary);
  await primary.start({
    ...alone,
    synchronous_standby_names: mode === 'synchronous' ? 'FIRST 1 (standby)' : '',
  });
  copyAsStandby(standby, primary.port);
  // The one that takes over must not wait for a standby that it does not have.
  await standby.start({ ...settings(standby), synchronous_standby_names: '' });
  const db = openServer(asServer(primary), 1);
  const wanted = mode === 'synchronous' ? 'sync' : 'async';
  await patiently(async () => {
    const [row] = await db<{ sync_state: string }[]>`select sync_state from pg_stat_replication`;
    if (row?.sync_state !== wanted) throw new Error(`the standby is ${row?.sync_state ?? 'not there'}`);
  });
  await db.end();
  return { primary, standby };
}

function asServer(cluster: Cluster): Server {
  const target = () => ({ port: cluster.port });
  return {
    pid: cluster.pid(),
    user: 'postgres',
    password: '',
    database: 'postgres',
    target,
    stop: () => cluster.kill(),
  };
}

async function killUnderLoad(
  stage: Stage,
  mode: Mode,
  seed: string,
  pair: Pair,
  moveAddress: () => void,
): Promise<Outcome> {
  const random = createRandom(`${seed}/load`);
  const world = await peopleWorld(stage, random.child('people'), { tenants: 2, wallets: 3, links: 6 });
  const tallies: Tallies = new Map();
  let isOver = false;
  const crowd = runCrowd(world, random.child('crowd'), { clients: CLIENTS, until: () => isOver }, tallies);
  const { history } = stage;
  const acknowledged = () =>
    history.attempts.filter(({ answer }) => answer !== undefined && answer.status < 300).length;
  await pause(LOAD_MS);
  if (mode === 'asynchronous') {
    await deafen(pair.standby);
    await pause(DEAF_MS);
  }
  history.fault('kill primary');
  await pair.primary.kill();
  const [acknowledgedBefore, killedAt] = [acknowledged(), Date.now()];
  pair.standby.promote();
  moveAddress();
  await Promise.all(stage.members.map(({ process }) => process.untilHealthy(60_000)));
  const awayMs = Date.now() - killedAt;
  await pause(AFTER_MS);
  isOver = true;
  await crowd;
  const db = openServer(asServer(pair.standby), 1);
  const tables = await loadTables(db);
  await db.end();
  const judgements = judge(evidenceOf(stage, tables));
  const present = judgements.find(({ name }) => name === 'acknowledged writes present');
  const others = judgements.filter((each) => each !== present);
  return {
    mode,
    acknowledged: acknowledged(),
    acknowledgedBefore,
    awayMs,
    checkedRecords: present?.checked ?? 0,
    lostRecords: present?.violations.length ?? 0,
    otherViolations: others.reduce((sum, each) => sum + each.violations.length, 0),
    examples: [...(present?.violations ?? []), ...others.flatMap((each) => each.violations)].slice(0, 3),
  };
}

/** The way between the two is broken: from here on the standby receives nothing, and nobody waits for it. */
async function deafen(standby: Cluster): Promise<void> {
  const db = openServer(asServer(standby), 1);
  await db.unsafe(`alter system set primary_conninfo = 'host=127.0.0.1 port=1 connect_timeout=1'`);
  await db`select pg_reload_conf()`;
  await db.end();
}

async function publishOutcomes(outcomes: readonly Outcome[]): Promise<void> {
  const rows = outcomes.map(
    (each) =>
      `| ${each.mode} | ${each.acknowledgedBefore} | ${each.checkedRecords} | ${each.lostRecords} | ${(each.awayMs / 1000).toFixed(1)} s |`,
  );
  const text = `${new Date().toISOString().slice(0, 10)}, two service processes, ${CLIENTS} clients at once. Machine: ${describeMachine()}.

| Standby | Calls acknowledged before the kill | Records compared | Missing afterwards | Kill to healthy again |
|---|---|---|---|---|
${rows.join('\n')}`;
  await publishPart('failover', text, {
    date: new Date().toISOString(),
    machine: describeMachine(),
    outcomes,
  });
}
