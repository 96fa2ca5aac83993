/*
 * One run of torture: its stage, fault injection, recorder, history and report. Drills import the stage. A line of the
 * history is written before a call is sent and again when its response is complete.
 */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { patiently } from '../../stage/database/servers.ts';
import { temporaryFolder } from '../../stage/ending.ts';
import { describeMachine, say } from '../../stage/report.ts';
import { evidenceOf, faultsOf, type Judgement, judge } from '../check/index.ts';
import { coverageOfOneTimeThings } from '../check/one-time.ts';
import { dumpPlaces, filePlaces, findSecrets, type Place } from '../check/secrets.ts';
import { loadTables } from '../check/tables.ts';
import { runCrowd, type Tallies } from '../clients/crowd.ts';
import { peopleWorld, type World } from '../clients/known-world.ts';
import { storm } from './faults.ts';
import { createRandom, type Random } from './random.ts';
import type { Report } from './report.ts';
import { type Stage, setStage } from './stage.ts';

interface Options {
  minutes: number;
  seed: string;
  /** Bounds the rounds besides the time; undefined for no bound. */
  rounds: number | undefined;
  /** Length of the disturbed and of the quiet part of a round, in seconds. */
  storm: number;
  calm: number;
  clients: number;
  tenants: number;
  /** Hash partitions of the large tables; 0 for none. */
  partitions: number;
  keep: boolean;
}

const LINKS_PER_TENANT = 4;

/** Sets the stage, runs the crowd and the fault injection round after round, and judges after each. */
export async function runTorture(options: Options): Promise<Report> {
  const startedAt = new Date();
  const random = createRandom(options.seed);
  const folder = await temporaryFolder('torture', options.keep);
  say(`seed ${options.seed} (repeat with --seed ${options.seed}); folder ${folder}`);
  const stage = await setStage(folder, random.child('stage'), { partitions: options.partitions });
  const tallies: Tallies = new Map();
  let judgements: Judgement[] = [];
  let rounds = 0;
  try {
    const size = { tenants: options.tenants, wallets: 4, links: LINKS_PER_TENANT * options.tenants };
    const world = await peopleWorld(stage, random.child('people'), size);
    say(
      `${size.tenants} tenants, ${size.wallets} wallets, ${size.links} connections are there after ${elapsed(startedAt)}`,
    );
    const endsAt = startedAt.getTime() + options.minutes * 60_000;
    const halfRoundMs = (options.storm + options.calm) * 500;
    do {
      rounds += 1;
      await playRound(stage, world, random.child(`round ${rounds}`), options, tallies);
      judgements = await judgeNow(stage);
      say(`round ${rounds} ${summary(stage, judgements)} after ${elapsed(startedAt)}`);
    } while (!isOver(judgements, rounds, options) && Date.now() + halfRoundMs < endsAt);
    if (judgements.every((each) => each.violations.length === 0)) judgements.push(await scan(stage));
    return reportOf(stage, options, { startedAt, rounds, judgements, tallies, folder });
  } finally {
    await stage.close();
  }
}

function isOver(judgements: readonly Judgement[], rounds: number, options: Options): boolean {
  return judgements.some((each) => each.violations.length > 0) || rounds === options.rounds;
}

/** A storm and a calm, with the crowd at work through both. */
async function playRound(
  stage: Stage,
  world: World,
  random: Random,
  options: Options,
  tallies: Tallies,
): Promise<void> {
  let isOver = false;
  const crowd = runCrowd(world, random, { clients: options.clients, until: () => isOver }, tallies);
  try {
    await storm(stage, random.child('faults'), options.storm * 1000);
    await pause(options.calm * 1000);
  } finally {
    isOver = true;
  }
  await crowd;
}

const BACKGROUND_MS = 60_000;

/** Revocations and recalls are settled in the background; when that takes too long, the checks report it. */
async function backgroundDone(stage: Stage): Promise<void> {
  const endMs = performance.now() + BACKGROUND_MS;
  while (performance.now() < endMs) {
    const [open] = await patiently(
      () => stage.db<{ count: number }[]>`
        select ((select count(*) from connection_revocations) + (select count(*) from agent_revocations)
                + (select count(*) from recipient_recalls where swept_at is null))::int as count`,
    );
    if (open?.count === 0) return;
    await pause(200);
  }
}

async function judgeNow(stage: Stage): Promise<Judgement[]> {
  await backgroundDone(stage);
  const tables = await patiently(() => loadTables(stage.db));
  const evidence = evidenceOf(stage, tables);
  const { chain, leftOut } = evidence;
  for (const [name, kept] of Object.entries({ tables, chain, 'left-out': leftOut }))
    await writeFile(join(stage.folder, `${name}.json`), JSON.stringify(kept));
  return judge(evidence);
}

/** The dump, the data files with the journal, and everything that was logged. */
async function scan(stage: Stage): Promise<Judgement> {
  await stage.db`checkpoint`;
  const isLogOrData = (path: string) =>
    !/history\.jsonl$|receipts\.jsonl$|tables\.json$|left-out\.json$|clock-/.test(path);
  async function* places(): AsyncGenerator<Place> {
    yield* dumpPlaces(stage.db);
    yield* filePlaces(stage.folder, isLogOrData);
  }
  return {
    name: 'no issued secret in dump, data files or logs',
    ...(await findSecrets(places(), stage.secrets)),
  };
}

function summary(stage: Stage, judgements: readonly Judgement[]): string {
  const { attempts, faults } = stage.history;
  const lost = attempts.filter((attempt) => attempt.lost !== undefined).length;
  const violations = judgements.reduce((sum, each) => sum + each.violations.length, 0);
  return `${attempts.length} calls, ${lost} responses lost, ${faults.length} faults, ${violations} violations`;
}

function elapsed(since: Date): string {
  return `${((Date.now() - since.getTime()) / 1000).toFixed(0)} s`;
}

interface Run {
  startedAt: Date;
  rounds: number;
  judgements: Judgement[];
  tallies: Tallies;
  folder: string;
}

function reportOf(stage: Stage, options: Options, run: Run): Report {
  const { attempts, faults } = stage.history;
  const counts: Record<string, number> = {};
  for (const { kind } of faults)
    if (!['calm', 'storm', 'postgres'].includes(kind)) counts[kind] = (counts[kind] ?? 0) + 1;
  counts['connections cut by the proxies'] = stage.members.reduce(
    (sum, { front, back }) => sum + front.cutCount() + back.cutCount(),
    0,
  );
  return {
    seed: options.seed,
    machine: describeMachine(),
    startedAt: run.startedAt.toISOString(),
    durationS: Math.round((Date.now() - run.startedAt.getTime()) / 1000),
    rounds: run.rounds,
    clients: options.clients,
    tenants: options.tenants,
    partitions: options.partitions,
    calls: {
      attempted: attempts.length,
      acknowledged: attempts.filter((attempt) => attempt.answer !== undefined && attempt.answer.status < 300)
        .length,
      refused: attempts.filter((attempt) => attempt.answer !== undefined && attempt.answer.status >= 300)
        .length,
      lost: attempts.filter((attempt) => attempt.lost !== undefined).length,
    },
    webhooksReceived: stage.receivers.receipts.length,
    secretsIssued: stage.secrets.tokens.size,
    faults: counts,
    actions: Object.fromEntries([...run.tallies].sort(([a], [b]) => a.localeCompare(b))),
    oneTimeThings: coverageOfOneTimeThings(attempts),
    invariants: run.judgements.map(({ name, checked, violations, leftOut }) => ({
      name,
      checked,
      leftOut,
      violations: violations.length,
      examples: violations.slice(0, 5),
    })),
    failures: faultsOf(run.judgements).slice(0, 50),
    folder: options.keep ? run.folder : undefined,
  };
}
