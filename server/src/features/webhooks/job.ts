import { createAct } from '../../act.ts';
import type { Context } from '../../context.ts';
import { type Job, jobTopic } from '../../jobs/job.ts';
import type { CounterSpec } from '../../telemetry/metrics.ts';
import { createSecretReader } from './endpoints/secrets.ts';
import { WEBHOOK_JOB } from './queue.ts';
import { webhookSigner } from './send.ts';
import { turn } from './worker.ts';
import { createWorker, type Worker, wake } from './worker-state.ts';

const DELIVERIES: CounterSpec<'outcome'> = {
  name: 'svc_webhook_attempts_total',
  help: 'Webhook attempts by what they came to; given_back ones were not made or cut short by a stop.',
  labels: ['outcome'],
};

/** The pause on an empty queue; retries are late by no more than this. */
const IDLE_MS = 250;

/** Its worker is created at the first turn: only a process that runs jobs has one. */
export function deliveryJob(): Job {
  let worker: Worker | undefined;
  return {
    name: WEBHOOK_JOB,
    everyMs: IDLE_MS,
    run(context) {
      worker ??= workerFor(context);
      return turn(worker);
    },
  };
}

function workerFor(context: Context): Worker {
  const { clock, random, outbound, db, log, metrics } = context;
  const worker = createWorker({
    clock,
    random,
    outbound,
    db,
    stopping: context.stopping,
    readSecrets: createSecretReader(context.keys),
    signer: webhookSigner(context.signing.webhook),
    newAct: () => createAct(context, `job-${WEBHOOK_JOB}`),
    onFault: (error) =>
      log.warn(
        { event: 'delivery_fault', job: WEBHOOK_JOB, err: error },
        'internal error delivering a webhook',
      ),
    onOutcome: (outcome, count) => metrics.increment(DELIVERIES, { outcome }, count),
  });
  context.signals.subscribe(jobTopic(WEBHOOK_JOB), () => wake(worker));
  metrics.gauge(
    { name: 'svc_webhook_sends', help: 'Webhook requests under way.' },
    () => worker.load.slots.size,
  );
  for (const outcome of ['delivered', 'failed']) metrics.increment(DELIVERIES, { outcome }, 0);
  return worker;
}
