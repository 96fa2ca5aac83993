import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { loadavg } from 'node:os';
import { atEnd, temporaryFolder } from '../../stage/ending.ts';
import { count, describeMachine, publish, say, table, today } from '../../stage/report.ts';
import { missingAcknowledgements, type Told } from './load.ts';
import type { Outcome, Run } from './run.ts';
import { RUNS, SMALL_MB } from './runs.ts';
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

const SMALL_WAL = { max_wal_size: '48MB', min_wal_size: '32MB' };

/** 0 when nothing that was acknowledged is missing and nothing else failed. */
export async function operatorDrill(options: {
  only: string | undefined;
  publish: boolean;
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
      ? `${acknowledged} acknowledgements, none lost; no other errors.`
      : `FAILED: ${faults.length} errors.`,
  );
  if (options.publish) await publish('drills', 'operator', markdownOf(verdicts, acknowledged));
  return faults.length === 0 && verdicts.length > 0 ? 0 : 1;
}

/** With tables, a merchant, an agent and a wallet, and no service running. */
async function openStaged(name: string, clusterFolder?: string): Promise<Site> {
  const site = await openSite(
    name,
    clusterFolder === undefined ? {} : { clusterFolder, settings: SMALL_WAL },
  );
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
  const small = run.name === 'disk-full' ? await mountSmall() : undefined;
  const site = run.alone || !shared ? await openStaged(run.name, small?.folder) : shared;
  try {
    const outcome = await run
      .run(site)
      .catch((error: Error): Outcome => ({ told: [], faults: [`could not be done: ${error.message}`] }));
    const db = site.db();
    const lost = await missingAcknowledgements(db, outcome.told);
    await db.end({ timeout: 5 });
    const [load = 0] = loadavg();
    return { run, seconds: (performance.now() - startedMs) / 1000, load, outcome, lost };
  } finally {
    if (site !== shared) await site.close();
    await small?.unmount();
  }
}

/** A place for PostgreSQL that is small enough to be filled. */
async function mountSmall(): Promise<{ folder: string; unmount(): Promise<void> }> {
  const folder = await temporaryFolder('drill-small');
  const mount = ['-t', 'tmpfs', '-o', `size=${SMALL_MB}m`, 'tmpfs', folder];
  const { status, stderr } = spawnSync('mount', mount);
  if (status !== 0) throw new Error(`mount: ${stderr}`);
  // Processes of a killed server may hold it for a moment longer; it goes with the last of them.
  const unmount = atEnd(() => {
    spawnSync('umount', ['--lazy', folder]);
    rmSync(folder, { recursive: true, force: true });
  });
  return { folder, unmount };
}

function faultsOf({ outcome, lost }: Verdict): string[] {
  const { told, faults } = outcome;
  return [...faults, ...lost, ...told.flatMap(({ late, wrong, givenUp }) => [...late, ...wrong, ...givenUp])];
}

const sumOf = ({ outcome }: Verdict, of: (told: Told) => number) =>
  outcome.told.reduce((sum, each) => sum + of(each), 0);

function cellsOf(verdict: Verdict): string[] {
  const { run, outcome, lost, leftOut, seconds } = verdict;
  if (leftOut !== undefined) return [run.what, `left out: ${leftOut}`, '', '', '', '', ''];
  return [
    run.what + (outcome.note === undefined ? '' : ` (${outcome.note})`),
    count(sumOf(verdict, ({ acknowledged }) => acknowledged.size)),
    String(lost.length),
    count(sumOf(verdict, ({ unavailable }) => unavailable)),
    count(sumOf(verdict, ({ cut }) => cut)),
    String(faultsOf(verdict).length - lost.length),
    `${seconds.toFixed(0)} s`,
  ];
}

function lineOf(verdict: Verdict): string {
  const [what, acknowledged, lost, unavailable, cut, others, time] = cellsOf(verdict);
  if (verdict.leftOut !== undefined) return `${verdict.run.name}: ${acknowledged}`;
  return `${verdict.run.name}: ${what}: ${acknowledged} acknowledged, ${lost} lost, ${unavailable} × 503, ${cut} cut, ${others} other errors, ${time}`;
}

function markdownOf(verdicts: readonly Verdict[], acknowledged: number): string {
  const loads = verdicts.filter(({ leftOut }) => leftOut === undefined).map(({ load }) => load);
  const head = ['Fault', 'Acknowledged', 'Lost', '503', 'Cut', 'Other errors', 'Time'];
  return `${today()}, one run, machine: ${describeMachine()}, load ${Math.min(...loads).toFixed(0)} to ${Math.max(...loads).toFixed(0)} (the drill itself included). ${count(acknowledged)} acknowledgements.

${table(head, verdicts.map(cellsOf))}`;
}
