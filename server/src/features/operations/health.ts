import type { Context } from '../../context.ts';
import type { DocumentAnswer } from '../../http/document.ts';
import type { JobHealth } from '../../jobs/runner.ts';
import { VERSION } from '../../lib/version.ts';
import type { Peers } from '../../processes/peers.ts';
import { settlementChecks } from '../settlement/job.ts';
import type { Observer } from '../settlement/observer-job.ts';
import type { DatabaseSigns, Vitals } from './vitals.ts';

export interface HealthParts {
  vitals: Vitals;
  jobs: readonly JobHealth[];
  peers: Peers;
  observer: Observer;
}

/** This process alone: its database answers and its loops turn. Clock skew is reported, never a reason to be degraded. */
export function isServing({ vitals, jobs }: Pick<HealthParts, 'vitals' | 'jobs'>): boolean {
  return vitals.read().database === 'ok' && jobs.every((job) => job.alive);
}

/** Alive and able to work, or 503. Nothing is asked for a caller: the values are at most ten seconds old. */
export function health(context: Context, parts: HealthParts): DocumentAnswer {
  const isOk = isServing(parts) && parts.peers.areComplete();
  return answer(isOk, {
    status: isOk ? 'ok' : 'degraded',
    version: VERSION,
    uptime_s: Math.floor(process.uptime()),
    pid: process.pid,
    checks: { ...parts.vitals.read(), ...commonChecks(context, parts) },
    durability: context.durability ?? null,
    privileges: context.privileges ?? null,
    networks: context.config.enabledNetworks,
  });
}

/** Assertions and expiries go by the clock of the process that meets them. */
const MAX_SKEW_MS = 30_000;

/** Whether calls should be sent here. Not while it starts or its clock is wrong, and no longer once it stops. */
export function readiness(context: Context, parts: HealthParts): DocumentAnswer {
  const { database, clock_skew_ms }: DatabaseSigns = parts.vitals.read();
  const isSkewed = Math.abs(clock_skew_ms ?? 0) > MAX_SKEW_MS;
  const isReady = isServing(parts) && parts.peers.areComplete() && !context.stopping.aborted && !isSkewed;
  return answer(isReady, {
    status: isReady ? 'ready' : 'not_ready',
    checks: {
      database,
      ...(isSkewed ? { clock_skew_ms } : {}),
      ...commonChecks(context, parts),
      ...(context.config.observe.size > 0
        ? { settlement: settlementChecks(parts.observer, context.clock.now()) }
        : {}),
    },
  });
}

function commonChecks(context: Context, { jobs, peers }: HealthParts) {
  return {
    schema: context.schemaLevel ?? null,
    jobs: Object.fromEntries(jobs.map((job) => [job.name, job.alive ? 'ok' : 'stalled'])),
    ...(context.config.workers > 1 ? { workers: peers.counts() } : {}),
  };
}

function answer(isOk: boolean, body: Record<string, unknown>): DocumentAnswer {
  return {
    status: isOk ? 200 : 503,
    contentType: 'application/json; charset=utf-8',
    body: JSON.stringify(body),
  };
}
