import cluster, { type Worker } from 'node:cluster';
import { fileURLToPath } from 'node:url';
import { answerMetricsQuestions } from './cluster-metrics.ts';
import type { Config } from './config.ts';
import type { ConnectionTarget } from './db/open.ts';
import { createLog } from './lib/log.ts';
import { countServingWorkers } from './peers.ts';
import { longDrainMs, type Service } from './run.ts';
import { StartError } from './start-error.ts';

/** What a worker process is told instead of finding it out again. */
export interface WorkerOrder {
  target: ConnectionTarget;
}

/** The exit code of a worker that refuses to work on this database. */
export const REFUSED = 78;

const ORDER_PLEASE = 'svc:order';
const STOP_PATIENCE_MS = 12_000;

/** After a worker that has never listened the next one waits longer, and after several of them there is no next one. */
const RESTART_MS = { first: 500, longest: 30_000 } as const;
const GIVE_UP_AFTER = 6;

/** Several server processes share one port. The primary owns the database and starts a dead worker again. */
export async function runPrimary(
  config: Config,
  target: ConnectionTarget,
  signal: AbortSignal,
): Promise<Service> {
  const log = createLog(config.logLevel);
  let stopping = false;
  let failures = 0;
  const waiting = new Set<NodeJS.Timeout>();
  let giveUp: (reason: StartError) => void = () => {};
  const order: WorkerOrder = { target };
  // Each worker takes connections from the one listening socket itself. Handed on by the primary, a connection on its
  // way to a worker that is killed would belong to nobody, and its client would wait forever.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ exec: fileURLToPath(new URL('main.js', import.meta.url)) });
  answerMetricsQuestions();
  countServingWorkers();
  const fork = () => {
    const worker = cluster.fork();
    const bornMs = performance.now();
    let hasListened = false;
    worker.once('listening', () => {
      hasListened = true;
    });
    // The worker asks once it listens for the answer; a message sent earlier would be lost.
    worker.on('message', (message: unknown) => message === ORDER_PLEASE && worker.send(order, () => {}));
    worker.once('exit', (code, killedBy) => {
      if (stopping || signal.aborted) return;
      const lived = performance.now() - bornMs;
      failures = hasListened ? 0 : failures + 1;
      const facts = { event: 'worker_ended', pid: worker.process.pid, code, signal: killedBy };
      log.error({ ...facts, lived_ms: Math.round(lived) }, 'a server process ended');
      // One that refuses has said why; another one would say the same.
      if (code === REFUSED) return giveUp(new StartError('The server processes refuse to work.'));
      if (failures > GIVE_UP_AFTER)
        return giveUp(new StartError(`Server processes ended ${failures} times before they were ready.`));
      const pauseMs = Math.min(RESTART_MS.longest, RESTART_MS.first * 2 ** Math.max(0, failures - 1));
      const timer = setTimeout(() => {
        waiting.delete(timer);
        if (!stopping) fork();
      }, pauseMs);
      waiting.add(timer);
    });
    return worker;
  };
  const stop = async () => {
    stopping = true;
    // A pause that nobody waits for would keep the process.
    for (const timer of waiting) clearTimeout(timer);
    const patienceMs = STOP_PATIENCE_MS + longDrainMs(config);
    const workers = Object.values(cluster.workers ?? {});
    await Promise.all(workers.map((worker) => (worker ? end(worker, patienceMs) : undefined)));
  };
  const refused = new Promise<never>((_, reject) => {
    giveUp = reject;
  });
  refused.catch(() => {});
  const isListening = Array.from({ length: config.workers }, fork).map(untilListening);
  const abort = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  try {
    await Promise.race([Promise.all(isListening), refused, abort]);
  } catch (error) {
    await stop();
    throw error;
  }
  giveUp = ({ message }) => {
    process.stderr.write(`${message}\n`);
    process.exitCode = 1;
    process.kill(process.pid, 'SIGTERM');
  };
  return { stop };
}

/** A worker that ends before is replaced, and another one listens in its place. */
function untilListening(worker: Worker): Promise<void> {
  return new Promise((resolve) => {
    worker.once('listening', () => resolve());
    worker.once('exit', () => cluster.once('listening', () => resolve()));
  });
}

function end(worker: Worker, patienceMs: number): Promise<void> {
  return new Promise((resolve) => {
    if (worker.isDead()) return resolve();
    const force = setTimeout(() => worker.process.kill('SIGKILL'), patienceMs);
    worker.once('exit', () => {
      clearTimeout(force);
      resolve();
    });
    worker.process.kill('SIGTERM');
  });
}

/** In a worker: asks the primary for its order. */
export function awaitOrder(): Promise<WorkerOrder> {
  return new Promise((resolve) => {
    const hear = (message: unknown) => {
      // Other workers' news may come first.
      if (!(message as Partial<WorkerOrder> | null)?.target) return;
      process.off('message', hear);
      resolve(message as WorkerOrder);
    };
    process.on('message', hear);
    // A primary that is gone already is noticed elsewhere.
    process.send?.(ORDER_PLEASE, () => {});
  });
}
