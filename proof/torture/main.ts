import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../stage/root.ts';
import { faultsOf, judge } from './check/index.ts';
import { readHistory } from './run/history.ts';
import { HELP, type Options, parseOptions } from './run/options.ts';
import { publish } from './run/publish.ts';
import { reportText } from './run/report.ts';
import { runTorture } from './run/torture.ts';

export async function main(args: readonly string[]): Promise<number> {
  let options: Options;
  let rest: string[];
  try {
    ({ options, rest } = parseOptions(args));
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    return 2;
  }
  if (options.help) {
    process.stdout.write(HELP);
    return 0;
  }
  if (options.suite === 'races') return runRaces(rest);
  if (options.check !== undefined) return checkAgain(options.check);
  const seed = options.seed === '' ? randomBytes(4).toString('hex') : options.seed;
  const report = await runTorture({ ...options, seed });
  process.stdout.write(reportText(report));
  if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify(report, null, 2)}\n`);
  if (options.publish) await publish(report);
  return report.failures.length === 0 ? 0 : 1;
}

/** The long runs of single races, each a test of its own. */
function runRaces(names: readonly string[]): number {
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const config = join(ROOT, 'proof/torture/vitest.config.ts');
  const args = [vitest, 'run', '--config', config, ...names];
  return spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' }).status ?? 1;
}

async function checkAgain(folder: string): Promise<number> {
  const history = readHistory(join(folder, 'history.jsonl'));
  const [tables, chain, leftOut] = await Promise.all(
    ['tables.json', 'chain.json', 'left-out.json'].map(async (name) =>
      JSON.parse(await readFile(join(folder, name), 'utf8')),
    ),
  );
  const lines = (await readFile(join(folder, 'receipts.jsonl'), 'utf8'))
    .split('\n')
    .filter((line) => line !== '');
  const judgements = judge({
    ...history,
    tables,
    chain,
    leftOut,
    receipts: lines.map((line) => JSON.parse(line)),
  });
  for (const { name, checked, violations } of judgements)
    process.stdout.write(`${name}: ${checked} checked, ${violations.length} violations\n`);
  const failures = faultsOf(judgements);
  process.stdout.write(failures.map((failure) => `  ! ${failure}\n`).join(''));
  return failures.length === 0 ? 0 : 1;
}
