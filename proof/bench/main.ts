import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../stage/root.ts';
import { HELP, type RowName, readArguments, type Settings } from './arguments.ts';
import { type Bench, prepareGround } from './bench.ts';
import { createDisposal, type Disposal } from './disposal.ts';
import { startHelper } from './helper.ts';
import { describeMachine, loadAverage } from './machine.ts';
import type { Report } from './report/model.ts';
import { writeReport } from './report/write.ts';
import { measureCreate } from './rows/create.ts';
import { measureGrowth } from './rows/growth.ts';
import { measureLatency } from './rows/latency.ts';
import { measureLog } from './rows/log.ts';
import { measureProfile } from './rows/profile.ts';
import { measureRead } from './rows/read.ts';
import { measureResources } from './rows/resources.ts';
import { measureSizes } from './rows/sizes.ts';
import { measureStatus } from './rows/status.ts';
import { measureStored } from './rows/stored.ts';
import { measureWaiting } from './rows/waiting.ts';
import { measureWebhooks } from './rows/webhooks.ts';
import { measureWorkers } from './rows/workers.ts';
import { startCluster } from './stage/postgres.ts';

const FEW = 1_000;
const say = (text: string) => void process.stdout.write(`${text}\n`);

/** From then on errors are only echoes of the end, and half a report is none. */
let isGivenUp = false;

export async function main(args: readonly string[]): Promise<number> {
  const settings = readArguments(args, join(ROOT, 'proof/bench/out'));
  if (settings === 'help') say(HELP);
  else if (settings.rendered !== undefined) {
    await mkdir(settings.outDir, { recursive: true });
    const former = JSON.parse(await readFile(settings.rendered, 'utf8')) as Report;
    await writeReport({ ...former, costs: former.costs ?? [] }, settings, say);
  } else return runGuarded(settings);
  return 0;
}

/** However it ends, nothing stays behind: no process, no folder. */
async function runGuarded(wanted: Settings): Promise<number> {
  const disposal = createDisposal();
  const giveUp = (why: string) => {
    isGivenUp = true;
    process.stderr.write(`${why}\n`);
    void disposal.run().then(() => process.exit(1));
  };
  const patience = setTimeout(() => giveUp('the bench took too long and was ended'), wanted.patienceMs);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => giveUp(`ended by ${signal}`));
  try {
    return (await run(wanted, disposal)).faults.length === 0 ? 0 : 1;
  } catch (error) {
    if (!isGivenUp) process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    return 1;
  } finally {
    clearTimeout(patience);
    await disposal.run();
  }
}

async function run(wanted: Settings, disposal: Disposal): Promise<Report> {
  const startedMs = performance.now();
  const before = loadAverage();
  await mkdir(wanted.outDir, { recursive: true });
  const cluster = await startCluster(disposal);
  const bench: Bench = {
    settings: wanted,
    disposal,
    cluster,
    say,
    load: startHelper(new URL('./load/generator.js', import.meta.url), disposal),
    driver: startHelper(new URL('./bare/driver.js', import.meta.url), disposal),
    report: {
      date: new Date().toISOString().slice(0, 10),
      isQuick: wanted.isQuick,
      rounds: wanted.rounds,
      legSeconds: wanted.legMs / 1000,
      stored: wanted.stored,
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
  await measureAll(bench);
  bench.report.loadAverage.after = loadAverage();
  bench.report.minutes = (performance.now() - startedMs) / 60_000;
  await writeReport(bench.report, wanted, say);
  return bench.report;
}

/** Each row on a database of its own, so that none meets what another left. */
async function measureAll(bench: Bench): Promise<void> {
  const measures: Record<RowName, (name: string) => Promise<void>> = {
    create: async (name) => measureCreate(bench, await prepareGround(bench, name, FEW)),
    read: async (name) => measureRead(bench, await prepareGround(bench, name, FEW), FEW),
    status: async (name) => measureStatus(bench, await prepareGround(bench, name, FEW)),
    webhooks: async (name) => measureWebhooks(bench, await prepareGround(bench, name, FEW)),
    waiting: async (name) => measureWaiting(bench, await prepareGround(bench, name, FEW)),
    stored: () => measureStored(bench),
    workers: async (name) => measureWorkers(bench, await prepareGround(bench, name, FEW), FEW),
    latency: async (name) => measureLatency(bench, await prepareGround(bench, name, FEW), FEW),
    resources: async (name) => measureResources(bench, await prepareGround(bench, name, FEW)),
    profile: async (name) => measureProfile(bench, await prepareGround(bench, name, FEW), FEW),
    growth: () => measureGrowth(bench),
    sizes: () => measureSizes(bench),
    log: () => measureLog(bench),
  };
  for (const row of bench.settings.rows) {
    bench.say(row);
    try {
      await measures[row](`for_${row}`);
    } catch (error) {
      if (isGivenUp) throw error;
      // The other rows are still worth having; the exit code and the report say that this one is missing.
      const text = error instanceof Error ? error.message : String(error);
      bench.report.faults.push(`${row}: ${text.split('\n')[0]?.replaceAll(/\/\S+/g, '…')}`);
      process.stderr.write(`${error instanceof Error ? error.stack : text}\n`);
    }
  }
}
