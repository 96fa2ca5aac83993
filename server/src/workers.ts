import cluster, { type Worker } from 'node:cluster';
import { fileURLToPath } from 'node:url';
import { answerMetricsQuestions } from './cluster-metrics.ts';
import type { Config } from './config.ts';
import type { ConnectionTarget } from './db/open.ts';
import { countServingWorkers } from './peers.ts';
import type { Service } from './run.ts';
import { StartError } from './start-error.ts';

/** What a worker process is told instead of finding it out again. */
export interface WorkerOrder {
  target: ConnectionTarget;
}

/** The exit code of a worker that refuses to work on this database. */
export const REFUSED = 78;

const ORDER_PLEASE = 'svc:order';
const RESTART_PAUSE_MS = 500;
const STOP_PATIENCE_MS = 12_000;

/** Several server processes share one port. The primary owns the database and starts a dead worker again. */
export async function runPrimary(config: Config, target: ConnectionTarget): Promise<Service> {
  let stopping = false;
  const order: WorkerOrder = { target };
  // Each worker takes connections from the one listening socket itself. Handed on by the primary, a connection on its
  // way to a worker that is killed would belong to nobody, and its client would wait forever.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ exec: fileURLToPath(new URL('main.js', import.meta.url)) });
  answerMetricsQuestions();
  countServingWorkers();
  const fork = () => {
    const worker = cluster.fork();
    // The worker asks once it listens for the answer; a message sent earlier would be lost.
    worker.on('message', (message: unknown) => message === ORDER_PLEASE && worker.send(order));
    return worker;
  };
  cluster.on('exit', (worker, code) => {
    if (!stopping && code === REFUSED) {
      // It has said why; another one would say the same.
      stopping = true;
      process.exitCode = 1;
      process.kill(process.pid, 'SIGTERM');
    }
    if (!stopping && worker.exitedAfterDisconnect !== true)
      setTimeout(() => !stopping && fork(), RESTART_PAUSE_MS);
  });
  const workers = Array.from({ length: config.workers }, fork);
  await Promise.all(workers.map(untilListening));
  return {
    async stop() {
      stopping = true;
      await Promise.all(
        Object.values(cluster.workers ?? {}).map((worker) => (worker ? end(worker) : undefined)),
      );
    },
  };
}

function untilListening(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.once('listening', () => resolve());
    worker.once('exit', (code) =>
      reject(new StartError(`A server process ended with code ${code} before it was ready.`)),
    );
  });
}

function end(worker: Worker): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => worker.process.kill('SIGKILL'), STOP_PATIENCE_MS);
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
    process.send?.(ORDER_PLEASE);
  });
}
