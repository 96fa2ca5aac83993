import { mkdir, readFile } from 'node:fs/promises';
import { arch, cpus, loadavg, platform, totalmem } from 'node:os';
import { join } from 'node:path';
import { endAll } from '../stage/ending.ts';
import { startHelper } from '../stage/load/helper.ts';
import { command, flag, number, text } from '../stage/options.ts';
import { say, today } from '../stage/report.ts';
import { ROOT } from '../stage/root.ts';
import type { Bench, Settings } from './bench.ts';
import { type BenchDatabase, bareDriver, type Cluster, startCluster } from './ground/databases.ts';
import type { Machine, Report } from './report/model.ts';
import { writeReport } from './report/pages.ts';
import { BY_NAME, ROWS, type RowName } from './rows/index.ts';

/** Requests, on a busy machine: ten million may take their time. */
const STORED_A_MINUTE = 100_000;

/** From then on errors are only echoes of the end, and half a report is none. */
let isGivenUp = false;

const NAMES = Object.keys(ROWS) as RowName[];

const OPTIONS = {
  quick: flag('about a minute: shows that everything works, the figures mean little'),
  only: text('row,…', NAMES.join(', '), undefined),
  rounds: number('n', 'repetitions of each comparison (5)', undefined),
  seconds: number('s', 'length of one measured stretch (2)', undefined),
  stored: number('n', 'requests stored in the full database (1000000)', undefined),
  'long-polls': number('n', 'concurrent long polls of the rows "waiting" and "growth" (10000)', undefined),
  out: text('folder', 'where the report goes', join(ROOT, 'proof/bench/out')),
  publish: flag('writes docs/proof/bench.md and docs/proof/bench/ as well'),
  render: text('file', 'measures nothing, writes the pages again from a bench.json', undefined),
};

export default command('npm run bench -- [options]', OPTIONS, async (values) => {
  const isQuick = values.quick;
  const rows = values.only?.split(',').map(rowOf) ?? NAMES.filter((row) => !BY_NAME.has(row));
  const stored = Math.ceil(values.stored ?? (isQuick ? 20_000 : 1_000_000));
  const settings: Settings = {
    isQuick,
    rounds: Math.ceil(values.rounds ?? (isQuick ? 1 : 5)),
    legMs: (values.seconds ?? (isQuick ? 0.8 : 2)) * 1000,
    warmUpMs: 500,
    stored,
    reports: isQuick ? 1_200 : 6_000,
    deliveries: isQuick ? 1_000 : 8_000,
    longPolls: Math.ceil(values['long-polls'] ?? (isQuick ? 200 : 10_000)),
  };
  const place = { outDir: values.out, isPublished: values.publish };
  await mkdir(place.outDir, { recursive: true });
  if (values.render !== undefined) {
    const former = JSON.parse(await readFile(values.render, 'utf8')) as Report;
    await writeReport({ ...former, costs: former.costs ?? [] }, place);
    return 0;
  }
  const giveUp = () => {
    isGivenUp = true;
    process.stderr.write('the bench took too long and was ended\n');
    void endAll().then(() => process.exit(1));
  };
  const patience = setTimeout(giveUp, (isQuick ? 10 : 45 + stored / STORED_A_MINUTE) * 60_000);
  const report = await run(settings, rows);
  clearTimeout(patience);
  await writeReport(report, place);
  return report.faults.length === 0 ? 0 : 1;
});

function rowOf(name: string): RowName {
  const row = NAMES.find((known) => known === name);
  if (row === undefined) throw new RangeError(`--only ${name}: one of ${NAMES.join(', ')}`);
  return row;
}

async function run(settings: Settings, rows: readonly RowName[]): Promise<Report> {
  const startedMs = performance.now();
  const loadAverage = () => loadavg()[0] ?? Number.NaN;
  const before = loadAverage();
  const cluster = await startCluster();
  const bench: Bench = {
    settings,
    cluster,
    load: startHelper(new URL('../stage/load/generator.js', import.meta.url)),
    driver: startHelper(new URL('./bare/driver.js', import.meta.url)),
    report: {
      date: today(),
      isQuick: settings.isQuick,
      rounds: settings.rounds,
      legSeconds: settings.legMs / 1000,
      stored: settings.stored,
      machine: await describeMachine(cluster, await cluster.createDatabase('commits')),
      loadAverage: { before, after: before },
      minutes: 0,
      ratios: [],
      costs: [],
      curves: [],
      latencies: [],
      resources: [],
      profiles: [],
      growth: [],
      faults: [],
    },
  };
  for (const row of rows) {
    say(row);
    try {
      await ROWS[row](bench);
    } catch (error) {
      if (isGivenUp) throw error;
      // The other rows are still worth having; the exit code and the report show that this one is missing.
      const told = error instanceof Error ? error : new Error(String(error));
      bench.report.faults.push(`${row}: ${told.message.split('\n')[0]?.replaceAll(/\/\S+/g, '…')}`);
      process.stderr.write(`${told.stack}\n`);
    }
  }
  bench.report.loadAverage.after = loadAverage();
  bench.report.minutes = (performance.now() - startedMs) / 60_000;
  return bench.report;
}

async function describeMachine(cluster: Cluster, database: BenchDatabase): Promise<Machine> {
  return {
    cores: cpus().length,
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    arch: arch(),
    platform: platform(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.versions.node,
    postgres: cluster.version,
    settings: cluster.settings,
    commitMs: await measureCommit(database),
  };
}

/** The disk decides more than anything else what a commit costs. */
async function measureCommit(database: BenchDatabase): Promise<number> {
  const sql = bareDriver(database.target, 1);
  await sql`create table commits (n int)`;
  for (let n = 0; n < 20; n += 1) await sql`insert into commits values (${n})`;
  const count = 200;
  const startedMs = performance.now();
  for (let n = 0; n < count; n += 1) await sql`insert into commits values (${n})`;
  const commitMs = (performance.now() - startedMs) / count;
  await sql`drop table commits`;
  await sql.end();
  return commitMs;
}
