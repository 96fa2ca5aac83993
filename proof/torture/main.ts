import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { command, flag, number, text } from '../stage/options.ts';
import { ROOT } from '../stage/root.ts';
import { faultsOf, judge } from './check/index.ts';
import { readHistory } from './run/history.ts';
import { publishRun, reportText } from './run/report.ts';
import { runTorture } from './run/torture.ts';

const OPTIONS = {
  minutes: number('n', 'how long clients and injected failures run', 5),
  seed: text('text', 'repeats the choices of an earlier run; without it a new one, printed first', ''),
  rounds: number('n', 'at most so many rounds of storm and calm; without it as many as fit', undefined),
  storm: number('s', 'disturbed seconds of a round', 20),
  calm: number('s', 'quiet seconds of a round', 10),
  clients: number('n', 'concurrent clients', 16),
  tenants: number('n', 'merchants', 3),
  partitions: number('n', 'on a database whose large tables have so many partitions', 0),
  suite: text('name', 'all, or races: the long runs of single races alone [name of a file]', 'all'),
  publish: flag('writes the report into docs/'),
  json: text('file', 'writes the report as JSON', undefined),
  keep: flag('keeps the folder with the log, the evidence and the database'),
  check: text('folder', 'checks the evidence of a kept folder again', undefined),
};

export default command('npm run torture -- [options]', OPTIONS, async (options, names) => {
  if (options.suite === 'races') return runRaces(names);
  if (options.check !== undefined) return checkAgain(options.check);
  const seed = options.seed === '' ? randomBytes(4).toString('hex') : options.seed;
  const report = await runTorture({ ...options, seed });
  process.stdout.write(reportText(report));
  if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify(report, null, 2)}\n`);
  if (options.publish) await publishRun(report);
  return report.failures.length === 0 ? 0 : 1;
});

/** The long runs of single races, each a separate test. */
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
