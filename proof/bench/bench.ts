import { join } from 'node:path';
import { temporaryFolder } from '../stage/ending.ts';
import { type Watched, watching } from '../stage/faults/processes.ts';
import { freePort } from '../stage/free-port.ts';
import type { Helper } from '../stage/load/helper.ts';
import type { LoadJob, LoadResult, Source } from '../stage/load/jobs.ts';
import { create, get, report } from '../stage/load/requests.ts';
import { say } from '../stage/report.ts';
import { createServiceProcess } from '../stage/service/killable.ts';
import type { BareJob, BareResult } from './bare/jobs.ts';
import type { BenchDatabase, Cluster } from './ground/databases.ts';
import { type Caller, MASTER_KEY, populate } from './ground/population.ts';
import { headsOf, pickStored, settle, storeDecided } from './ground/stored.ts';
import type { Report } from './report/model.ts';

export interface Settings {
  isQuick: boolean;
  /** Repetitions of each comparison, in turn. */
  rounds: number;
  /** Of one measured stretch, after its warm-up. */
  legMs: number;
  warmUpMs: number;
  /** Requests stored in the full database. */
  stored: number;
  /** Work of one stretch where it is given by number: status reports and webhook deliveries. */
  reports: number;
  deliveries: number;
  longPolls: number;
}

/** What every row of the bench works with. */
export interface Bench {
  settings: Settings;
  cluster: Cluster;
  load: Helper<LoadJob, LoadResult>;
  driver: Helper<BareJob, BareResult>;
  report: Report;
}

export const IN_FLIGHT = 64;
/** Requests in a database that is nearly empty. */
export const FEW = 1_000;
const MERCHANTS = 16;
const READ_REQUESTS = 2048;
const READY_MS = 60_000;

/** A database with its callers. */
export interface Ground {
  database: BenchDatabase;
  callers: readonly Caller[];
}

export async function prepareGround(bench: Bench, name: string, stored = FEW): Promise<Ground> {
  const database = await bench.cluster.createDatabase(name);
  const callers = await populate(database.sql, 'quiet', MERCHANTS);
  await storeDecided(database.sql, callers, 0, stored);
  await settle(database.sql);
  return { database, callers };
}

/** Whatever is called: the service, or its limit. */
export interface Place {
  port: number;
  pid: number;
}

/** The compiled service in a separate process. */
interface Service extends Place {
  /** From the start of the process to the first successful response of /health. */
  startMs: number;
  stop(): Promise<void>;
  /** Samples of the main thread while something is done. */
  profiled(work: () => Promise<unknown>): Promise<CpuProfile>;
}

export interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[];
  samples: number[];
  timeDeltas: number[];
}

/** Without a database of the bench it brings its own. */
export async function startService(env: Record<string, string>, dataDir?: string): Promise<Service> {
  const [port, folder] = [await freePort(), await temporaryFolder('bench-service')];
  const service = createServiceProcess({
    name: 'bench',
    folder,
    port,
    companion: new URL('./profiler.js', import.meta.url),
    env: {
      SVC_DATA_DIR: dataDir ?? join(folder, 'data'),
      SVC_MASTER_KEY: MASTER_KEY.toString('base64'),
      SVC_LOG_LEVEL: 'warn',
      ...env,
    },
  });
  const startedMs = performance.now();
  await service.start();
  await service.untilHealthy(READY_MS);
  return {
    port,
    pid: service.pid(),
    startMs: performance.now() - startedMs,
    stop: service.stop,
    async profiled(work) {
      await service.ask('start profile');
      await work();
      return ((await service.ask('stop profile')) as { profile: CpuProfile }).profile;
    },
  };
}

export function serviceOn(ground: Ground, env: Record<string, string> = {}): Promise<Service> {
  return startService({ DATABASE_URL: ground.database.url, ...env });
}

interface Leg extends LoadResult {
  /** Of the whole stretch, the warm-up included. */
  calls: number;
  /** Of the service with its workers, and of PostgreSQL with its backends. */
  serviceCpuMsPerCall: number | undefined;
  databaseCpuMsPerCall: number | undefined;
  peakMemoryBytes: number | undefined;
}

export interface LegOptions {
  inFlight?: number;
  openRatePerS?: number;
  legMs?: number;
}

/** One series of calls. Any rejected call is an error of the bench: nothing is measured then. */
export async function callLeg(
  bench: Bench,
  { port, pid }: Place,
  source: Source,
  options: LegOptions = {},
): Promise<Leg> {
  const { settings, cluster } = bench;
  const { openRatePerS } = options;
  const job: LoadJob = {
    port,
    source,
    arrival:
      openRatePerS === undefined
        ? { kind: 'closed', inFlight: options.inFlight ?? IN_FLIGHT }
        : { kind: 'open', ratePerS: openRatePerS, sockets: 256 },
    warmUpMs: settings.warmUpMs,
    durationMs: options.legMs ?? settings.legMs,
  };
  const { result, cpuMs, peakMemoryBytes }: Watched & { result: LoadResult } = await watching(
    [pid, cluster.pid],
    () => bench.load.ask(job),
  );
  if (result.count === 0) throw new Error('no call got a response in a whole series');
  if (result.refused > 0)
    throw new Error(`${result.refused} calls were refused; the first: ${result.firstRefusal}`);
  // Processor time covers the warm-up too, so it is shared by all calls of the stretch, taken at the measured rate.
  const calls =
    source.kind === 'once'
      ? source.requests.length
      : result.ratePerS * ((job.warmUpMs + job.durationMs) / 1000);
  const perCall = (ms: number | undefined) => (ms === undefined ? undefined : ms / calls);
  return {
    ...result,
    calls,
    serviceCpuMsPerCall: perCall(cpuMs[0]),
    databaseCpuMsPerCall: perCall(cpuMs[1]),
    peakMemoryBytes: peakMemoryBytes[0],
  };
}

/** A process that has just begun compiles and plans first; that is no part of a rate. */
export async function warmUp(bench: Bench, place: Place, source: Source): Promise<void> {
  await callLeg(bench, place, source, { legMs: bench.settings.legMs / 2 });
}

let runs = 0;

/** Creates for these callers in turn, each with a separate key and amount. */
export function creates(callers: readonly Caller[]): Source {
  runs += 1;
  const requests = callers.map((caller) => create(caller.connectionToken, caller));
  return { kind: 'keyed', requests, run: `run-${Date.now().toString(36)}-${runs}` };
}

/** Reads of requests all over the stored ones. */
export async function reads({ database, callers }: Ground, stored = FEW): Promise<Source> {
  const picked = await pickStored(database.sql, callers, stored, Math.min(stored, READ_REQUESTS));
  const requests = picked.map(({ requestId, caller }) =>
    get(`/v1/payment-requests/${requestId}`, caller.connectionToken),
  );
  return { kind: 'cycle', requests };
}

/** Polls that find the one newest event of their connection. */
export async function polls(ground: Ground): Promise<Source> {
  const heads = await headsOf(ground.database.sql);
  const requests = ground.callers.flatMap(({ connectionId, connectionToken }) => {
    const last = heads.get(connectionId) ?? 0;
    return last === 0 ? [] : [get(`/v1/payment-requests/events?since=${last - 1}`, connectionToken)];
  });
  return { kind: 'cycle', requests };
}

export function reports(pending: readonly { requestId: string; caller: Caller }[], status: string): Source {
  const requests = pending.map(({ requestId, caller }) =>
    report(caller.deviceToken, caller.deviceId, requestId, caller.connectionId, status),
  );
  return { kind: 'once', requests };
}

/** For docs/proof/growth.md, which people write. */
export function noteGrowth({ report }: Bench, what: string, value: string, how: string): void {
  report.growth.push({ what, value, how });
  say(`  ${what}: ${value} (${how})`);
}
