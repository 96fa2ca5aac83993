import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeMachine } from '../../torture/run/report.ts';
import { missingAcknowledgements } from '../acknowledged.ts';
import { publishDrill } from '../publish.ts';
import type { Told } from './load.ts';
import type { Outcome, Run } from './run.ts';
import { mountSmall, RUNS } from './runs.ts';
import { openSite, type Site } from './site.ts';

interface Verdict {
  run: Run;
  seconds: number;
  /** Of the machine when the run was over, everything else on it included. */
  load: number;
  outcome: Outcome;
  lost: string[];
  leftOut?: string;
}

const say = (text: string) => process.stdout.write(`${text}\n`);
const SMALL_WAL = { max_wal_size: '48MB', min_wal_size: '32MB' };

/** 0 when nothing that was acknowledged is missing and there was no other fault. */
export async function operatorDrill(options: {
  only: string | undefined;
  publishes: boolean;
}): Promise<number> {
  const chosen = RUNS.filter(({ name }) => options.only === undefined || options.only === name);
  const verdicts: Verdict[] = [];
  const shared = chosen.some((run) => !run.alone) ? await openStaged('shared') : undefined;
  try {
    for (const run of chosen) {
      const verdict = await judge(run, shared);
      verdicts.push(verdict);
      say(lineOf(verdict));
      for (const fault of faultsOf(verdict).slice(0, 5)) say(`    ! ${fault}`);
    }
  } finally {
    await shared?.close();
  }
  const faults = verdicts.flatMap(faultsOf);
  const acknowledged = verdicts.reduce((sum, each) => sum + sumOf(each, ({ acknowledged: a }) => a.size), 0);
  say(
    faults.length === 0
      ? `${acknowledged} acknowledgements, none lost; no other faults.`
      : `FAILED: ${faults.length} faults.`,
  );
  if (options.publishes) await publish(verdicts, acknowledged);
  return faults.length === 0 ? 0 : 1;
}

/** With tables, a merchant, an agent and a wallet, and no service running. */
async function openStaged(name: string, clusterFolder?: string): Promise<Site> {
  const site = await openSite(name, clusterFolder === undefined ? {} : { clusterFolder });
  await site.startCluster(clusterFolder === undefined ? {} : SMALL_WAL);
  const service = await site.start();
  await site.stage();
  await service.stop();
  return site;
}

async function judge(run: Run, shared: Site | undefined): Promise<Verdict> {
  const leftOut = run.missing?.();
  if (leftOut !== undefined)
    return { run, seconds: 0, load: 0, outcome: { told: [], faults: [] }, lost: [], leftOut };
  const startedMs = performance.now();
  const isSmall = run.name === 'disk-full';
  const folder = join(tmpdir(), `payassent-drill-small-${process.pid}`);
  const unmount = isSmall ? mountSmall(folder) : undefined;
  let site: Site | undefined;
  try {
    site = run.alone || !shared ? await openStaged(run.name, isSmall ? folder : undefined) : shared;
    const outcome = await run
      .run(site)
      .catch((error: Error): Outcome => ({ told: [], faults: [`could not be done: ${error.message}`] }));
    const db = site.db();
    const lost = await missingAcknowledgements(db, outcome.told);
    await db.end({ timeout: 5 });
    const [load = 0] = loadavg();
    return { run, seconds: (performance.now() - startedMs) / 1000, load, outcome, lost };
  } finally {
    if (site && site !== shared) await site.close();
    unmount?.();
  }
}

function faultsOf({ outcome, lost }: Verdict): string[] {
  const { told, faults } = outcome;
  return [...faults, ...lost, ...told.flatMap(({ late, wrong, givenUp }) => [...late, ...wrong, ...givenUp])];
}

const sumOf = ({ outcome }: Verdict, of: (told: Told) => number) =>
  outcome.told.reduce((sum, each) => sum + of(each), 0);

function cellsOf(verdict: Verdict): string[] {
  const { run, outcome, lost, leftOut, seconds } = verdict;
  const count = (of: (told: Told) => number) => sumOf(verdict, of).toLocaleString('en');
  if (leftOut !== undefined) return [run.what, `left out: ${leftOut}`, '', '', '', '', ''];
  return [
    run.what + (outcome.note === undefined ? '' : ` (${outcome.note})`),
    count(({ acknowledged }) => acknowledged.size),
    String(lost.length),
    count(({ unavailable }) => unavailable),
    count(({ cut }) => cut),
    String(faultsOf(verdict).length - lost.length),
    `${seconds.toFixed(0)} s`,
  ];
}

function lineOf(verdict: Verdict): string {
  const [what, acknowledged, lost, unavailable, cut, others, time] = cellsOf(verdict);
  if (verdict.leftOut !== undefined) return `${verdict.run.name}: ${acknowledged}`;
  return `${verdict.run.name}: ${what}: ${acknowledged} acknowledged, ${lost} lost, ${unavailable} × 503, ${cut} cut, ${others} other faults, ${time}`;
}

async function publish(verdicts: readonly Verdict[], acknowledged: number): Promise<void> {
  const rows = verdicts.map((verdict) => `| ${cellsOf(verdict).join(' | ')} |`);
  const loads = verdicts.filter(({ leftOut }) => leftOut === undefined).map(({ load }) => load);
  const text = `${new Date().toISOString().slice(0, 10)}, one run, machine: ${describeMachine()}, load ${Math.min(...loads).toFixed(0)} to ${Math.max(...loads).toFixed(0)} (the drill itself included). ${acknowledged.toLocaleString('en')} acknowledgements.

| Fault | Acknowledged | Lost | 503 | Cut | Other faults | Time |
|---|---|---|---|---|---|---|
${rows.join('\n')}`;
  await publishDrill('operator', text);
}
