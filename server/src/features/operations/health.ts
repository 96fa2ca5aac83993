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

/** This process can serve calls: its database responds. */
export function isServing({ vitals }: Pick<HealthParts, 'vitals'>): boolean {
  return vitals.read().database === 'ok';
}

/**
 * Alive and able to work, or 503. One of several workers that is down, a failing mail server or witness, a wrong clock,
 * or writes that the database does not confirm are reported and no reason for 503. No caller waits for it: the values are
 * at most ten seconds old.
 */
export function health(context: Context, parts: HealthParts): DocumentAnswer {
  const { jobs, peers } = parts;
  const works = isServing(parts) && jobs.every((job) => job.alive);
  const outside = outsideChecks(context);
  const signs = parts.vitals.read();
  const isOk = works && peers.haveStarted() && peers.counts().serving > 0;
  return answer(isOk, {
    status: isOk && signs.writing === 'ok' && peers.areComplete() && outside.areWell ? 'ok' : 'degraded',
    version: VERSION,
    uptime_s: Math.floor(process.uptime()),
    pid: process.pid,
    checks: {
      ...signs,
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

/** External parts that calls do not wait for: mail, and each witness of the log by its name. */
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
 * Whether calls should be sent here: not during the start, not without its database, and no longer once it stops. Any
 * other problem would be the same elsewhere; `/health` and the metrics report it.
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
