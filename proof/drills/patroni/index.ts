import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { evidenceOf, judge } from '../../torture/check/index.ts';
import { loadTables } from '../../torture/check/load.ts';
import { runCrowd, type Tallies } from '../../torture/clients/crowd.ts';
import { peopleWorld } from '../../torture/clients/known-world.ts';
import { createRandom } from '../../torture/run/random.ts';
import { describeMachine } from '../../torture/run/report.ts';
import { openServer, patiently, type Server, type Stage, setStage } from '../../torture/run/stage.ts';
import { isChange, longestGap } from '../changes.ts';
import { publishDrill } from '../publish.ts';
import { HOSTS, type PatroniCluster, PROGRAMS, startPatroni } from './cluster.ts';
import { insideFolder, missingPrograms, runInside } from './machines.ts';

const KINDS = ['machine killed', 'PostgreSQL killed', 'network cut', 'switchover'] as const;
type Kind = (typeof KINDS)[number];

interface Failover {
  kind: Kind;
  from: string;
  to: string;
  /** The longest time between two acknowledged changes, from just before the fault on. */
  awayMs: number;
  /** What the former primary did with a write that was sent to it directly. */
  formerAccepted: boolean;
}

export interface PatroniOptions {
  failovers: number;
  /** One kind of fault alone. */
  only: string | undefined;
  publishes: boolean;
  keeps: boolean;
}

const SECOND = 1_000;
const CLIENTS = 8;
const DATABASE = 'payassent';
const say = (text: string) => process.stdout.write(`${text}\n`);

/** 0 when nothing is lost in any failover, no former primary took a write, and every invariant holds. */
export async function patroniDrill(options: PatroniOptions): Promise<number> {
  const folder = insideFolder();
  if (folder !== undefined) return failOver(folder, options);
  const missing = missingPrograms(PROGRAMS);
  if (missing !== undefined) {
    say(`The drill cannot be done here. ${missing}`);
    return 2;
  }
  const made = await mkdtemp(join(tmpdir(), 'payassent-drill-patroni-'));
  await chmod(made, 0o711);
  try {
    return await runInside(made, HOSTS);
  } finally {
    if (options.keeps) say(`kept: ${made}`);
    else await rm(made, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function failOver(folder: string, options: PatroniOptions): Promise<number> {
  const startedMs = performance.now();
  const cluster = await startPatroni(folder);
  await cluster.untilWhole();
  say(`three machines, whole after ${((performance.now() - startedMs) / SECOND).toFixed(0)} s`);
  const server: Server = {
    // Killed by its own drill, never by the stage's faults.
    pid: 0,
    user: 'postgres',
    password: 'drill',
    database: DATABASE,
    target: () => ({ port: cluster.port }),
    stop: async () => {},
  };
  // Of its own: the service lets nobody else connect to it, and Patroni's user for pg_rewind needs `postgres`.
  const first = openServer({ ...server, database: 'postgres' }, 1);
  await patiently(() => first.unsafe(`create database ${DATABASE}`));
  await first.end();
  const random = createRandom('patroni');
  const stage = await setStage(join(folder, 'stage'), random.child('stage'), { server });
  try {
    const world = await peopleWorld(stage, random.child('people'), { tenants: 2, wallets: 3, links: 6 });
    const tallies: Tallies = new Map();
    let isOver = false;
    const crowd = runCrowd(world, random.child('crowd'), { clients: CLIENTS, until: () => isOver }, tallies);
    const failovers: Failover[] = [];
    try {
      const kinds = KINDS.filter((kind) => options.only === undefined || options.only === kind);
      for (let turn = 0; turn < options.failovers; turn += 1) {
        const done = await oneFailover(cluster, stage, kinds[turn % kinds.length] ?? 'switchover');
        failovers.push(done);
        say(
          `${turn + 1}. ${done.kind}: ${done.from} to ${done.to}, ${(done.awayMs / SECOND).toFixed(1)} s without an acknowledged change${done.formerAccepted ? ', AND THE FORMER PRIMARY TOOK A WRITE' : ''}`,
        );
      }
      await cluster.untilWhole();
      await Promise.all(stage.members.map(({ process }) => process.untilHealthy(60 * SECOND)));
      stage.history.fault('calm');
      await pause(15 * SECOND);
    } catch (error) {
      say(await cluster.describe());
      throw error;
    } finally {
      isOver = true;
    }
    await crowd;
    return await conclude(stage, server, failovers, options, performance.now() - startedMs);
  } finally {
    await stage.close();
  }
}

async function oneFailover(cluster: PatroniCluster, stage: Stage, kind: Kind): Promise<Failover> {
  await cluster.untilWhole();
  await pause(5 * SECOND);
  const from = await cluster.leader();
  if (from === undefined) throw new Error('the cluster is whole and has no leader');
  const machine = cluster.machine(from);
  const causedAt = Date.now();
  stage.history.fault(kind, { machine: from });
  if (kind === 'machine killed') machine.kill();
  else if (kind === 'network cut') machine.cut();
  else if (kind === 'switchover') await cluster.switchOver(from);
  else machine.run('/usr/bin/pkill', ['-9', '-f', '--', `-D ${join(machine.folder, 'data')}`], 5 * SECOND);
  const to = await cluster.untilAnotherLeads(from);
  await firstChange(stage, causedAt);
  // While it is still cut off, or when it has come back: from its own side, past the proxy that asks who leads.
  if (kind === 'machine killed') cluster.startAgain(machine);
  if (kind !== 'network cut') await cluster.untilWhole();
  const formerAccepted = takesWrite(machine);
  if (kind === 'network cut') machine.join();
  return { kind, from, to, awayMs: longestGap(stage.history.attempts, causedAt), formerAccepted };
}

/** By its own address, without a proxy. What is neither refused nor acknowledged in its time is not acknowledged. */
function takesWrite(machine: { run(program: string, args: readonly string[], withinMs: number): boolean }) {
  const write = 'create table if not exists drill_former (at timestamptz); drop table drill_former';
  return machine.run('psql', ['-h', '127.0.0.1', '-U', 'postgres', '-c', write, 'postgres'], 8 * SECOND);
}

/** Acknowledged through the service, by a call that was made after the fault. */
async function firstChange(stage: Stage, causedAt: number): Promise<void> {
  const endMs = performance.now() + 60 * SECOND;
  const { attempts } = stage.history;
  // A second later: what was under way when the fault was caused may still be acknowledged by the former primary.
  while (!attempts.some((each) => each.at > causedAt + SECOND && isChange(each))) {
    if (performance.now() > endMs) throw new Error('no change was acknowledged within a minute');
    await pause(100);
  }
}

async function conclude(
  stage: Stage,
  server: Server,
  failovers: readonly Failover[],
  options: PatroniOptions,
  tookMs: number,
): Promise<number> {
  const db = openServer(server, 1);
  const tables = await patiently(() => loadTables(db));
  await db.end();
  const { attempts } = stage.history;
  const judgements = judge(evidenceOf(stage, tables));
  const violations = judgements.flatMap((each) => each.violations);
  for (const each of judgements.filter((found) => found.violations.length > 0))
    say(`  ! ${each.name}: ${each.violations.length}, such as ${each.violations[0]}`);
  const changes = attempts.filter(isChange).length;
  const lost = judgements.find(({ name }) => name === 'acknowledged writes present');
  const taken = failovers.filter(({ formerAccepted }) => formerAccepted).length;
  const summary = `${failovers.length} failovers in ${(tookMs / 60_000).toFixed(0)} minutes: ${attempts.length.toLocaleString('en')} calls, ${changes.toLocaleString('en')} acknowledged changes, ${(lost?.checked ?? 0).toLocaleString('en')} records compared, ${lost?.violations.length ?? 0} lost, ${violations.length} violations of ${judgements.length} invariants, ${taken} writes taken by a former primary.`;
  say(summary);
  const isSound = violations.length === 0 && taken === 0 && failovers.length === options.failovers;
  if (options.publishes) await publishDrill('patroni', markdownOf(summary, failovers));
  return isSound ? 0 : 1;
}

function markdownOf(summary: string, failovers: readonly Failover[]): string {
  const rows = KINDS.map((kind) => {
    const away = failovers
      .filter((each) => each.kind === kind)
      .map(({ awayMs }) => awayMs / SECOND)
      .toSorted((a, b) => a - b);
    const median = away[Math.floor(away.length / 2)];
    const seconds = (value: number | undefined) => (value === undefined ? '–' : `${value.toFixed(1)} s`);
    return `| ${kind} | ${away.length} | ${seconds(away[0])} | ${seconds(median)} | ${seconds(away.at(-1))} |`;
  });
  return `${new Date().toISOString().slice(0, 10)}, machine: ${describeMachine()}. ${summary}

| Fault | Times | Without an acknowledged change: least | median | most |
|---|---|---|---|---|
${rows.join('\n')}`;
}
