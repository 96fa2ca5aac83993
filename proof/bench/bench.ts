import type { Settings } from './arguments.ts';
import type { BareJob, BareResult, BareRoute } from './bare/jobs.ts';
import type { Disposal } from './disposal.ts';
import type { Helper } from './helper.ts';
import { startHelper } from './helper.ts';
import type { LoadJob, LoadResult, Source } from './load/jobs.ts';
import { create, get, report } from './load/requests.ts';
import { type Watched, watching } from './processes.ts';
import type { Report } from './report/model.ts';
import { type Caller, populate } from './stage/population.ts';
import type { BenchDatabase, Cluster } from './stage/postgres.ts';
import { type Service, type ServiceOptions, startService } from './stage/service.ts';
import { headsOf, pickStored, settle, storeDecided } from './stage/stored.ts';

/** What every row of the bench works with. */
export interface Bench {
  settings: Settings;
  disposal: Disposal;
  cluster: Cluster;
  load: Helper<LoadJob, LoadResult>;
  driver: Helper<BareJob, BareResult>;
  report: Report;
  say(text: string): void;
}

export const IN_FLIGHT = 64;
const MERCHANTS = 16;
const READ_REQUESTS = 2048;

/** A database with its callers. */
export interface Ground {
  database: BenchDatabase;
  callers: readonly Caller[];
}

export async function prepareGround(bench: Bench, name: string, stored: number): Promise<Ground> {
  const database = await bench.cluster.createDatabase(name);
  const { callers } = await populate(database.sql, 'quiet', MERCHANTS);
  await storeDecided(database.sql, callers, 0, stored);
  await settle(database.sql);
  return { database, callers };
}

export function serviceOn(
  bench: Bench,
  ground: Ground,
  options: Omit<ServiceOptions, 'databaseUrl'> = {},
): Promise<Service> {
  return startService(bench.disposal, { ...options, databaseUrl: ground.database.url });
}

export interface Leg extends LoadResult {
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

/** One stretch of calls to a service. Any refusal is a fault of the bench: nothing is measured then. */
export async function callLeg(
  bench: Bench,
  port: number,
  pid: number,
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
  if (result.count === 0) throw new Error('nothing was answered in a whole stretch');
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
export async function warmUp(
  bench: Bench,
  place: { port: number; pid: number },
  source: Source,
): Promise<void> {
  await callLeg(bench, place.port, place.pid, source, { legMs: bench.settings.legMs / 2 });
}

let runs = 0;

/** Creates for these callers in turn, each with a key and an amount of its own. */
export function creates(callers: readonly Caller[]): Source {
  runs += 1;
  const requests = callers.map((caller) => create(caller.connectionToken, caller));
  return { kind: 'keyed', requests, run: `run-${Date.now().toString(36)}-${runs}` };
}

/** Reads of requests all over the stored ones. */
export async function reads(ground: Ground, stored: number): Promise<Source> {
  const picked = await pickStored(
    ground.database.sql,
    ground.callers,
    stored,
    Math.min(stored, READ_REQUESTS),
  );
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

export function startBare(disposal: Disposal): Helper<BareRoute, { port: number }> {
  return startHelper(new URL('./bare/fastify.js', import.meta.url), disposal);
}

/** The body of the answer to a request as the generator would send it. */
export async function bodyOf(port: number, request: string): Promise<string> {
  const [, path = '/'] = request.split(' ');
  const token = /authorization: (.*)\r\n/.exec(request)?.[1] ?? '';
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: token } });
  if (answer.status !== 200) throw new Error(`answered ${answer.status}: ${await answer.text()}`);
  return answer.text();
}
