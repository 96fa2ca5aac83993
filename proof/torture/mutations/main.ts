import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../../stage/root.ts';
import { publishPart } from '../run/publish.ts';
import { describeMachine, type Report } from '../run/report.ts';
import { apply, cloneHead, compile, restore } from './clone.ts';
import { type Mutation, readMutations } from './patches.ts';

const HELP = `npm run torture:mutations -- [options] [name …]

  --minutes <n>  how long torture may take to notice (default 5, its own default)
  --seed <text>  for every run (default: mutation)
  --clients <n>  clients at once (default 16; fewer for a machine that has other work)
  --publish      writes the table into docs/TORTURE.md
`;

interface Outcome extends Mutation {
  isFound: boolean;
  afterS: number | undefined;
  /** The invariants that were broken, the one that broke most often first. */
  brokenInvariants: string[];
  note: string;
}

export async function main(args: string[]): Promise<number> {
  if (args.includes('--help')) {
    process.stdout.write(HELP);
    return 0;
  }
  const value = (name: string, otherwise: string) => {
    const at = args.indexOf(name);
    return at === -1 ? otherwise : (args.splice(at, 2)[1] ?? otherwise);
  };
  const run = {
    minutes: value('--minutes', '5'),
    seed: value('--seed', 'mutation'),
    clients: value('--clients', '16'),
  };
  const isPublished = args.includes('--publish');
  const names = args.filter((arg) => !arg.startsWith('--'));
  const all = readMutations(join(ROOT, 'proof/torture/mutations'));
  const named = names.length === 0 ? all : all.filter(({ name }) => names.includes(name));
  for (const { name, leftOut } of named)
    if (leftOut !== undefined) process.stdout.write(`left out  ${name}: ${leftOut}\n`);
  const chosen = named.filter(({ leftOut }) => leftOut === undefined);
  const folder = mkdtempSync(join(tmpdir(), 'payassent-mutations-'));
  const outcomes: Outcome[] = [];
  try {
    cloneHead(ROOT, join(folder, 'clone'));
    for (const mutation of chosen) {
      const outcome = await tryMutation(join(folder, 'clone'), mutation, run);
      outcomes.push(outcome);
      process.stdout.write(`${lineOf(outcome)}\n`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const survivors = outcomes.filter((outcome) => !outcome.isFound);
  process.stdout.write(`${outcomes.length - survivors.length} of ${outcomes.length} mutations found.\n`);
  if (isPublished) await publishOutcomes(outcomes, run);
  return survivors.length === 0 && outcomes.length > 0 ? 0 : 1;
}

async function tryMutation(
  clone: string,
  mutation: Mutation,
  run: { minutes: string; seed: string; clients: string },
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
  const args = [
    join(clone, 'proof/run.mjs'),
    'torture',
    '--minutes',
    run.minutes,
    '--seed',
    run.seed,
    '--clients',
    run.clients,
    '--json',
    json,
  ];
  const child = spawn(process.execPath, args, { cwd: clone, stdio: ['ignore', 'ignore', 'pipe'] });
  const endChild = () => child.kill('SIGTERM');
  process.once('exit', endChild);
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaint += chunk.toString();
  });
  await once(child, 'close');
  process.off('exit', endChild);
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
  // Any other invariant that breaks is worth a look, but does not show that this guard is watched.
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

async function publishOutcomes(
  outcomes: readonly Outcome[],
  run: { minutes: string; seed: string },
): Promise<void> {
  const figures = outcomes.map(({ file, applies, leftOut, ...rest }) => rest);
  const rows = outcomes.map(
    ({ name, removes, afterS, brokenInvariants, isFound }) =>
      `| \`${name}\` | ${removes} | ${isFound ? `${afterS} s` : 'not found'} | ${brokenInvariants.join('; ')} |`,
  );
  const text = `${new Date().toISOString().slice(0, 10)}, seed \`${run.seed}\`, at most ${run.minutes} minutes each, start of the service and set-up included. A run is judged at the end of each round, so nothing is found before the first one is over. Machine: ${describeMachine()}.

| Patch | What it removes | Found after | Invariants that broke |
|---|---|---|---|
${rows.join('\n')}`;
  await publishPart('mutations', text, { date: new Date().toISOString(), ...run, mutations: figures });
}
