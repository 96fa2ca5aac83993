import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { onServer, patiently, serverAt } from '../../stage/database/servers.ts';
import { temporaryFolder } from '../../stage/ending.ts';
import { describeMachine, publish, say, table, today } from '../../stage/report.ts';
import type { Stage } from '../../torture/run/stage.ts';
import { isChange, longestGap, SECOND, underCrowd, untilCalm, verdictText } from '../crowd.ts';
import { HOSTS, type PatroniCluster, PROGRAMS, startPatroni } from './cluster.ts';
import { insideFolder, type Machine, missingNamespaces, runInside } from './machines.ts';

const KINDS = ['machine killed', 'PostgreSQL killed', 'network cut', 'switchover'] as const;
type Kind = (typeof KINDS)[number];

interface Failover {
  kind: Kind;
  from: string;
  to: string;
  /** The longest time between two acknowledged changes, beginning just before the injected failure. */
  awayMs: number;
  /** What the previous primary did with a write that was sent to it directly. */
  formerAccepted: boolean;
}

interface PatroniOptions {
  failovers: number;
  /** One kind of failure only. */
  only: string | undefined;
  publish: boolean;
  keep: boolean;
}

const DATABASE = 'payassent';

/** 0 when nothing is lost in any failover, no previous primary took a write, and every invariant holds. */
export async function patroniDrill(options: PatroniOptions): Promise<number> {
  const folder = insideFolder();
  if (folder !== undefined) return failOver(folder, options);
  const missing = missingNamespaces(PROGRAMS);
  if (missing !== undefined) {
    say(`The drill cannot be done here. ${missing}`);
    return 2;
  }
  const made = await temporaryFolder('drill-patroni', options.keep);
  if (options.keep) say(`kept: ${made}`);
  return runInside(made, HOSTS);
}

async function failOver(folder: string, options: PatroniOptions): Promise<number> {
  const startedMs = performance.now();
  const cluster = await startPatroni(folder);
  await cluster.untilWhole();
  say(`three machines, whole after ${((performance.now() - startedMs) / SECOND).toFixed(0)} s`);
  // Killed by this drill, never by the stage's fault injection. On a separate database: the service lets no other user
  // connect to its database, and Patroni's user for pg_rewind needs `postgres`.
  const server = serverAt(() => cluster.port, DATABASE);
  await patiently(() =>
    onServer({ ...server, database: 'postgres' }, (db) => db.unsafe(`create database ${DATABASE}`)),
  );
  const place = { folder, server, seed: 'patroni', clients: 8 };
  const { done: failovers, verdict } = await underCrowd(
    place,
    { tenants: 2, wallets: 3, links: 6 },
    async (stage) => {
      try {
        return await failOverAll(cluster, stage, options);
      } catch (error) {
        say(await cluster.describe());
        throw error;
      }
    },
  );
  const taken = failovers.filter(({ formerAccepted }) => formerAccepted).length;
  const minutes = ((performance.now() - startedMs) / 60_000).toFixed(0);
  const summary = `${failovers.length} failovers in ${minutes} minutes: ${verdictText(verdict)}, ${taken} writes accepted by a previous primary.`;
  say(summary);
  if (options.publish) await publish('drills', 'patroni', markdownOf(summary, failovers));
  return verdict.violations === 0 && taken === 0 && failovers.length === options.failovers ? 0 : 1;
}

async function failOverAll(
  cluster: PatroniCluster,
  stage: Stage,
  { only, failovers }: PatroniOptions,
): Promise<Failover[]> {
  const kinds = KINDS.filter((kind) => only === undefined || only === kind);
  const all: Failover[] = [];
  while (all.length < failovers) {
    const done = await oneFailover(cluster, stage, kinds[all.length % kinds.length] ?? 'switchover');
    all.push(done);
    say(
      `${all.length}. ${done.kind}: ${done.from} to ${done.to}, ${(done.awayMs / SECOND).toFixed(1)} s without an acknowledged change${done.formerAccepted ? ', AND THE PREVIOUS PRIMARY ACCEPTED A WRITE' : ''}`,
    );
  }
  await cluster.untilWhole();
  await untilCalm(stage);
  return all;
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
  // While it is still cut off, or when it has come back: from its side, bypassing the proxy that checks for the leader.
  if (kind === 'machine killed') cluster.startAgain(machine);
  if (kind !== 'network cut') await cluster.untilWhole();
  const formerAccepted = takesWrite(machine);
  if (kind === 'network cut') machine.join();
  return { kind, from, to, awayMs: longestGap(stage, causedAt), formerAccepted };
}

/** By its own address, without a proxy. What is neither refused nor acknowledged in its time is not acknowledged. */
function takesWrite(machine: Machine): boolean {
  const write = 'create table if not exists drill_former (at timestamptz); drop table drill_former';
  return machine.run('psql', ['-h', '127.0.0.1', '-U', 'postgres', '-c', write, 'postgres'], 8 * SECOND);
}

/** Acknowledged through the service, by a call that was made after the failure. */
async function firstChange({ history: { attempts } }: Stage, causedAt: number): Promise<void> {
  const endMs = performance.now() + 60 * SECOND;
  // A second later: the previous primary may still acknowledge calls that were in flight at the time of the failure.
  while (!attempts.some((each) => each.at > causedAt + SECOND && isChange(each))) {
    if (performance.now() > endMs) throw new Error('no change was acknowledged within a minute');
    await pause(100);
  }
}

function markdownOf(summary: string, failovers: readonly Failover[]): string {
  const seconds = (value: number | undefined) => (value === undefined ? '–' : `${value.toFixed(1)} s`);
  const rows = KINDS.map((kind) => {
    const away = failovers
      .filter((each) => each.kind === kind)
      .map(({ awayMs }) => awayMs / SECOND)
      .toSorted((a, b) => a - b);
    return [kind, away.length, ...[away[0], away[Math.floor(away.length / 2)], away.at(-1)].map(seconds)];
  });
  const head = ['Fault', 'Times', 'Without an acknowledged change: least', 'median', 'most'];
  return `${today()}, machine: ${describeMachine()}. ${summary}\n\n${table(head, rows)}`;
}
