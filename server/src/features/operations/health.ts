import type { Context } from '../../context.ts';
import type { DocumentAnswer } from '../../http/document.ts';
import type { JobHealth } from '../../jobs/runner.ts';
import { VERSION } from '../../lib/version.ts';
import type { Peers } from '../../processes/peers.ts';
import { MAIL, witnessOutcome } from '../../telemetry/outcomes.ts';
import { settlementChecks } from '../settlement/job.ts';
import type { Observer } from '../settlement/observer-job.ts';
import type { Vitals } from './vitals.ts';

export interface HealthParts {
  vitals: Vitals;
  jobs: readonly JobHealth[];
  peers: Peers;
  observer: Observer;
}

/** Calls that reach this process can be served: the database that they need responds. */
export function isServing({ vitals }: Pick<HealthParts, 'vitals'>): boolean {
  return vitals.read().database === 'ok';
}

/**
 * Alive and able to work, or 503. One worker of several that is away, mail or a witness that fails, or a clock that is
 * off, is reported and no reason for 503. Nothing is asked for a caller: the values are at most ten seconds old.
 */
export function health(context: Context, parts: HealthParts): DocumentAnswer {
  const { jobs, peers } = parts;
  const works = isServing(parts) && jobs.every((job) => job.alive);
  const outside = outsideChecks(context);
  const isOk = works && peers.haveStarted() && peers.counts().serving > 0;
  return answer(isOk, {
    status: isOk && peers.areComplete() && outside.areWell ? 'ok' : 'degraded',
    version: VERSION,
    uptime_s: Math.floor(process.uptime()),
    pid: process.pid,
    checks: {
      ...parts.vitals.read(),
      schema: context.schemaLevel ?? null,
      jobs: Object.fromEntries(jobs.map((job) => [job.name, job.alive ? 'ok' : 'stalled'])),
      ...(context.config.workers > 1 ? { workers: peers.counts() } : {}),
      ...outside.checks,
      ...(context.config.observe.size > 0
        ? { settlement: settlementChecks(parts.observer, context.clock.now()) }
        : {}),
    },
    durability: context.durability ?? null,
    privileges: context.privileges ?? null,
    networks: context.config.enabledNetworks,
  });
}

/** What is not ours and calls do not wait for: mail, and each witness of the log by its name. */
function outsideChecks({ config, outcomes }: Context) {
  const mail = outcomes.of(MAIL);
  const witnesses = Object.fromEntries(
    config.logWitnesses.map(({ vkey, key }) => [key.name, outcomes.of(witnessOutcome(vkey))]),
  );
  return {
    areWell: [mail, ...Object.values(witnesses)].every((outcome) => outcome === 'ok'),
    checks: { mail, ...(config.logWitnesses.length > 0 ? { witnesses } : {}) },
  };
}

/**
 * Whether calls should be sent here: not while it starts, not without its database, and no longer once it stops. What
 * else is wrong would be wrong elsewhere too; `/health` and the metrics report it.
 */
export function readiness(context: Context, parts: HealthParts): DocumentAnswer {
  const isReady = isServing(parts) && parts.peers.haveStarted() && !context.stopping.aborted;
  return answer(isReady, {
    status: isReady ? 'ready' : 'not_ready',
    checks: { database: parts.vitals.read().database, schema: context.schemaLevel ?? null },
  });
}

function answer(isOk: boolean, body: Record<string, unknown>): DocumentAnswer {
  return {
    status: isOk ? 200 : 503,
    contentType: 'application/json; charset=utf-8',
    body: JSON.stringify(body),
  };
}
