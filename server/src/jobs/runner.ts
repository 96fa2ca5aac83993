import type { Context } from '../context.ts';
import { TIME_OUTS } from '../limits.ts';
import type { CounterSpec } from '../telemetry/metrics.ts';
import { type Job, jobTopic } from './job.ts';

export interface JobHealth {
  name: string;
  /** False when no turn has succeeded for far longer than the loop's pause: stopped, stuck or failing. */
  alive: boolean;
  failures: number;
  /** Since the last successful turn. */
  silentS: number;
}

export interface JobRunner {
  health(): JobHealth[];
  /** Lets the turns in progress finish. */
  stop(): Promise<void>;
}

const FAILURES: CounterSpec<'job_name'> = {
  name: 'svc_job_failures_total',
  help: 'Turns of background jobs that failed and were tried again.',
  labels: ['job_name'],
};

const STALLED_AFTER_MS = TIME_OUTS.stalledJob.s * 1000;
const MAX_BACKOFF_MS = 10_000;
const WHILE_REFUSED_MS = 1_000;

export function startJobs(context: Context, jobs: readonly Job[]): JobRunner {
  const loops = jobs.map((job) => startLoop(context, job));
  return {
    health: () => loops.map((loop) => loop.health()),
    stop: async () => {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}

function startLoop(context: Context, job: Job) {
  context.metrics.increment(FAILURES, { job_name: job.name }, 0);
  let stopped = false;
  let failures = 0;
  let lastGoodTurnMs = performance.now();
  /** Ended well, or left out on purpose. */
  let lastTurnMs = lastGoodTurnMs;
  let endPause: (() => void) | undefined;
  let wokenDuringTurn = false;
  const wake = () => {
    wokenDuringTurn = true;
    endPause?.();
  };
  const { tracer } = context;
  const run = tracer ? tracer.job(job.name, job.run) : job.run;
  const unsubscribe = context.signals.subscribe(jobTopic(job.name), wake);

  const pause = (durationMs: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, durationMs);
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const loop = async () => {
    if (job.firstAfterMs !== undefined) await pause(job.firstAfterMs);
    while (!stopped) {
      // A turn would hold a connection that reads need.
      if (context.writing.state === 'refused') {
        lastTurnMs = performance.now();
        await pause(WHILE_REFUSED_MS);
        continue;
      }
      wokenDuringTurn = false;
      let more = false;
      try {
        more = await run(context);
        failures = 0;
        lastGoodTurnMs = lastTurnMs = performance.now();
      } catch (error) {
        failures += 1;
        context.metrics.increment(FAILURES, { job_name: job.name });
        context.log.warn(
          { event: 'job_failed', job: job.name, failures, err: error },
          'job failed, trying again',
        );
      }
      if (stopped || more || (wokenDuringTurn && failures === 0)) continue;
      await pause(failures > 0 ? Math.min(MAX_BACKOFF_MS, 100 * 2 ** failures) : job.everyMs);
    }
  };
  const finished = loop();

  return {
    health: (): JobHealth => ({
      name: job.name,
      alive: !stopped && performance.now() - lastTurnMs < job.everyMs + STALLED_AFTER_MS,
      failures,
      silentS: (performance.now() - lastGoodTurnMs) / 1000,
    }),
    async stop() {
      stopped = true;
      unsubscribe();
      endPause?.();
      await finished;
    },
  };
}
