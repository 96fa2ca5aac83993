import { join } from 'node:path';
import { onServer, patiently, type Server } from '../stage/database/servers.ts';
import { count, say } from '../stage/report.ts';
import { evidenceOf, judge } from '../torture/check/index.ts';
import { loadTables } from '../torture/check/tables.ts';
import { runCrowd } from '../torture/clients/crowd.ts';
import { peopleWorld } from '../torture/clients/known-world.ts';
import type { Attempt } from '../torture/run/history.ts';
import { createRandom } from '../torture/run/random.ts';
import { type Stage, setStage } from '../torture/run/stage.ts';

export const SECOND = 1_000;

/** The verdict of torture's invariants on a drill. */
export interface Verdict {
  calls: number;
  changes: number;
  /** Records that were acknowledged, and how many of these are missing. */
  compared: number;
  lost: number;
  violations: number;
  invariants: number;
  examples: string[];
}

/**
 * Torture's clients of every role at two processes of the service, while their database is disturbed; then all
 * invariants over the responses they got and the stored rows.
 */
export async function underCrowd<T>(
  { folder, server, seed, clients }: { folder: string; server: Server; seed: string; clients: number },
  size: { tenants: number; wallets: number; links: number },
  work: (stage: Stage) => Promise<T>,
): Promise<{ done: T; stage: Stage; verdict: Verdict }> {
  const random = createRandom(seed);
  const stage = await setStage(join(folder, 'stage'), random.child('stage'), { server });
  try {
    const world = await peopleWorld(stage, random.child('people'), size);
    let isOver = false;
    const crowd = runCrowd(world, random.child('crowd'), { clients, until: () => isOver }, new Map());
    let done: T;
    try {
      done = await work(stage);
    } finally {
      isOver = true;
    }
    await crowd;
    const tables = await onServer(server, (db) => patiently(() => loadTables(db)));
    const judgements = judge(evidenceOf(stage, tables));
    const present = judgements.find(({ name }) => name === 'acknowledged writes present');
    const { attempts } = stage.history;
    const verdict = {
      calls: attempts.length,
      changes: attempts.filter(isChange).length,
      compared: present?.checked ?? 0,
      lost: present?.violations.length ?? 0,
      violations: judgements.reduce((sum, each) => sum + each.violations.length, 0),
      invariants: judgements.length,
      examples: judgements.flatMap(({ name, violations }) =>
        violations.slice(0, 1).map((first) => `${name}: ${violations.length}, such as ${first}`),
      ),
    };
    for (const example of verdict.examples) say(`  ! ${example}`);
    return { done, stage, verdict };
  } finally {
    await stage.close();
  }
}

export function verdictText({ calls, changes, compared, lost, violations, invariants }: Verdict): string {
  return `${count(calls)} calls, ${count(changes)} acknowledged changes, ${count(compared)} records compared, ${lost} lost, ${violations} violations of ${invariants} invariants`;
}

/** Every process responds again, and the load continues for a while. */
export async function untilCalm(stage: Stage): Promise<void> {
  await Promise.all(stage.members.map(({ process }) => process.untilHealthy(60 * SECOND)));
  stage.history.fault('calm');
  await new Promise((resolve) => setTimeout(resolve, 15 * SECOND));
}

/** A change that the service has acknowledged. */
export const isChange = ({ method, answer }: Attempt): boolean =>
  method !== 'GET' && answer !== undefined && answer.status < 300;

const BEFORE_MS = 5_000;

/** The longest time between two acknowledged changes, beginning just before the injected failure. */
export function longestGap({ history }: Stage, causedAt: number): number {
  const times = history.attempts
    .filter(isChange)
    .map(({ answer }) => answer?.at ?? 0)
    .filter((at) => at > causedAt - BEFORE_MS)
    .toSorted((a, b) => a - b);
  return times.slice(1).reduce((longest, at, index) => Math.max(longest, at - (times[index] ?? at)), 0);
}
