import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { atEnd, temporaryFolder } from '../../stage/ending.ts';
import { command, flag, number, text, type Values } from '../../stage/options.ts';
import { describeMachine, publish, say, table, today } from '../../stage/report.ts';
import { ROOT } from '../../stage/root.ts';
import type { Report } from '../run/report.ts';
import { apply, cloneHead, compile, restore } from './clone.ts';
import { type Mutation, readMutations } from './patches.ts';

interface Outcome extends Mutation {
  isFound: boolean;
  afterS: number | undefined;
  /** The invariants that were broken, the one that broke most often first. */
  brokenInvariants: string[];
  note: string;
}

const OPTIONS = {
  minutes: number('n', 'how long torture may take to notice', 5),
  seed: text('text', 'for every run', 'mutation'),
  clients: number('n', 'concurrent clients; fewer for a machine that has other work', 16),
  publish: flag('writes the table into docs/proof/torture.md'),
};
type Run = Pick<Values<typeof OPTIONS>, 'minutes' | 'seed' | 'clients'>;

const USAGE = 'npm run torture:mutations -- [options] [name …]';

export default command(USAGE, OPTIONS, async ({ publish: isPublished, ...run }, names) => {
  const all = readMutations(join(ROOT, 'proof/torture/mutations'));
  const named = names.length === 0 ? all : all.filter(({ name }) => names.includes(name));
  for (const { name, leftOut } of named) if (leftOut !== undefined) say(`left out  ${name}: ${leftOut}`);
  const chosen = named.filter(({ leftOut }) => leftOut === undefined);
  const clone = join(await temporaryFolder('mutations'), 'clone');
  cloneHead(ROOT, clone);
  const outcomes: Outcome[] = [];
  for (const mutation of chosen) {
    const outcome = await tryMutation(clone, mutation, run);
    outcomes.push(outcome);
    say(lineOf(outcome));
  }
  const survivors = outcomes.filter((outcome) => !outcome.isFound);
  say(`${outcomes.length - survivors.length} of ${outcomes.length} mutations found.`);
  if (isPublished) await publishOutcomes(outcomes, run);
  return survivors.length === 0 && outcomes.length > 0 ? 0 : 1;
});

async function tryMutation(
  clone: string,
  mutation: Mutation,
  { minutes, seed, clients }: Run,
): Promise<Outcome> {
  const failed = (note: string): Outcome => ({
    ...mutation,
    isFound: false,
    afterS: undefined,
    brokenInvariants: [],
    note,
  });
  restore(clone);
  const refused = apply(clone, mutation.file);
  if (refused !== '') return failed(`the patch does not apply: ${refused.trim()}`);
  const faults = compile(clone);
  if (faults !== '') return failed(`it does not compile: ${faults.trim().slice(0, 300)}`);
  const json = join(clone, 'report.json');
  rmSync(json, { force: true });
  const given = Object.entries({ minutes, seed, clients, json });
  const args = given.flatMap(([name, value]) => [`--${name}`, String(value)]);
  const child = spawn(process.execPath, [join(clone, 'proof/run.mjs'), 'torture', ...args], {
    cwd: clone,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const endChild = atEnd(() => void child.kill('SIGTERM'));
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaint += chunk.toString();
  });
  await once(child, 'close');
  await endChild();
  try {
    return judgeReport(mutation, JSON.parse(readFileSync(json, 'utf8')));
  } catch {
    return failed(`torture itself failed: ${complaint.trim().slice(0, 300)}`);
  }
}

function judgeReport(mutation: Mutation, report: Report): Outcome {
  const broken = report.invariants
    .filter((invariant) => invariant.violations > 0)
    .sort((a, b) => b.violations - a.violations);
  // Any other broken invariant deserves a check, but does not show that this guard is watched.
  const noticed = broken.find(({ name }) => mutation.foundBy.includes(name));
  return {
    ...mutation,
    isFound: noticed !== undefined,
    afterS: noticed && report.durationS,
    brokenInvariants: broken.map((invariant) => invariant.name),
    note: (noticed ?? broken[0])?.examples[0] ?? `survived ${report.rounds} rounds`,
  };
}

function lineOf({ name, isFound, afterS, brokenInvariants, note }: Outcome): string {
  return isFound
    ? `found     ${name} after ${afterS} s: ${brokenInvariants.join('; ')} (${note})`
    : `SURVIVED  ${name}: ${note}`;
}

async function publishOutcomes(outcomes: readonly Outcome[], run: Run): Promise<void> {
  const figures = outcomes.map(({ file, applies, leftOut, ...rest }) => rest);
  const rows = outcomes.map(({ name, removes, afterS, brokenInvariants, isFound }) => [
    `\`${name}\``,
    removes,
    isFound ? `${afterS} s` : 'not found',
    brokenInvariants.join('; '),
  ]);
  const text = `${today()}, seed \`${run.seed}\`, at most ${run.minutes} minutes each, start of the service and set-up included. A run is judged at the end of each round, so nothing is found before the first one is over. Machine: ${describeMachine()}.

${table(['Patch', 'What it removes', 'Found after', 'Invariants that broke'], rows)}`;
  await publish('torture', 'mutations', text, {
    date: new Date().toISOString(),
    ...run,
    mutations: figures,
  });
}
