import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { Config } from '../config/index.ts';
import type { ConnectionTarget } from '../db/open.ts';
import { StartError } from '../errors.ts';
import { createLog } from '../lib/log.ts';
import { TIME_OUTS } from '../limits.ts';
import { answerMetricsQuestions } from '../telemetry/cluster-metrics.ts';
import { countServingWorkers } from './peers.ts';
import { longDrainMs, type Service } from './run-until-stopped.ts';
import { BACKLOG, openSocket } from './socket.ts';

/** What a worker process receives instead of computing it again. The port comes with it. */
interface WorkerOrder {
  target: ConnectionTarget;
}

/** The exit code of a worker that refuses to work on this database. */
export const REFUSED = 78;

const ORDER_PLEASE = 'svc:order';
const LISTENING = 'svc:listening';
const STOP_PATIENCE_MS = TIME_OUTS.workerStop.s * 1000;

/**
 * A worker that has served is replaced immediately, and one that was killed before it served after a short pause: the
 * kernel may have run out of memory. After workers that exited before they served the pause grows each time, and after
 * several in a row no other is started.
 */
const RESTART_MS = { first: 500, longest: 30_000 } as const;
const GIVE_UP_AFTER = 6;

const backOffMs = (failures: number) => Math.min(RESTART_MS.longest, RESTART_MS.first * 2 ** (failures - 1));

/** Several server processes share one port. The primary owns the database and restarts a worker that has exited. */
export async function runPrimary(
  config: Config,
  target: ConnectionTarget,
  signal: AbortSignal,
): Promise<Service> {
  const log = createLog(config.logLevel);
  let stopping = false;
  let failures = 0;
  const waiting = new Set<NodeJS.Timeout>();
  const listening = new Set<Worker>();
  let giveUp: (reason: StartError) => void = () => {};
  let allListen = () => {};
  const order: WorkerOrder = { target };
  // Each worker accepts from the one open socket itself. If the primary passed connections on, one on its way to a
  // killed worker would belong to no process, and its client would wait forever.
  const socket = await openSocket(config);
  cluster.setupPrimary({ exec: fileURLToPath(new URL('../main.js', import.meta.url)) });
  answerMetricsQuestions();
  countServingWorkers(config.workers);
  const fork = () => {
    const worker = cluster.fork();
    const bornMs = performance.now();
    worker.on('message', (message: unknown) => {
      // The worker requests its order once it can receive one; a message sent earlier would be lost.
      if (message === ORDER_PLEASE && !stopping) worker.send(order, socket as never, () => {});
      if (message !== LISTENING) return;
      failures = 0;
      if (listening.add(worker).size === config.workers) allListen();
    });
    worker.once('exit', (code, killedBy) => {
      if (stopping || signal.aborted) return;
      const lived = performance.now() - bornMs;
      const hasServed = listening.delete(worker);
      const isOwnFault = !hasServed && killedBy !== 'SIGKILL';
      if (isOwnFault) failures += 1;
      const facts = { event: 'worker_ended', pid: worker.process.pid, code, signal: killedBy };
      log.error({ ...facts, lived_ms: Math.round(lived) }, 'a server process ended');
      // A worker that refuses has printed the reason; another one would do the same.
      if (code === REFUSED) return giveUp(new StartError('The server processes refuse to work.'));
      // While another one serves, giving up would lose it.
      if (isOwnFault && failures > GIVE_UP_AFTER && listening.size === 0)
        return giveUp(new StartError(`Server processes ended ${failures} times before they were ready.`));
      const timer = setTimeout(
        () => {
          waiting.delete(timer);
          if (!stopping) fork();
        },
        hasServed ? 0 : isOwnFault ? backOffMs(failures) : RESTART_MS.first,
      );
      waiting.add(timer);
    });
  };
  const stop = async () => {
    stopping = true;
    // From here on the port is open as long as a worker serves it.
    socket.close();
    // A pending timer would keep the process alive.
    for (const timer of waiting) clearTimeout(timer);
    const patienceMs = STOP_PATIENCE_MS + longDrainMs(config);
    const workers = Object.values(cluster.workers ?? {});
    await Promise.all(workers.map((worker) => (worker ? end(worker, patienceMs) : undefined)));
  };
  const settled = new Promise<void>((resolve, reject) => {
    allListen = resolve;
    giveUp = reject;
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  for (let count = 0; count < config.workers; count += 1) fork();
  try {
    await settled;
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

/** In a worker: requests its order from the primary. */
export function awaitOrder(): Promise<WorkerOrder & { listen(server: Server): Promise<void> }> {
  return new Promise((resolve) => {
    const hear = (message: unknown, socket: unknown) => {
      const { target } = (message ?? {}) as Partial<WorkerOrder>;
      // Other workers' messages may come first.
      if (!target) return;
      process.off('message', hear);
      resolve({ target, listen: (server) => listenOn(server, socket) });
    };
    process.on('message', hear);
    // A primary that is gone is noticed elsewhere.
    process.send?.(ORDER_PLEASE, () => {});
  });
}

async function listenOn(server: Server, socket: unknown): Promise<void> {
  server.listen(socket, BACKLOG);
  await once(server, 'listening');
  process.send?.(LISTENING, () => {});
}
