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

/** What a worker process is told instead of finding it out again. The port comes with it. */
interface WorkerOrder {
  target: ConnectionTarget;
}

/** The exit code of a worker that refuses to work on this database. */
export const REFUSED = 78;

const ORDER_PLEASE = 'svc:order';
const LISTENING = 'svc:listening';
const STOP_PATIENCE_MS = TIME_OUTS.workerStop.s * 1000;

/**
 * A worker that has served is replaced at once, and one that was killed before it listened after a short pause: it may
 * have been the kernel that had no memory for it. After those that ended by themselves before they listened the next one
 * waits longer and longer, and after several in a row there is no next one.
 */
const RESTART_MS = { first: 500, longest: 30_000 } as const;
const GIVE_UP_AFTER = 6;

const backOffMs = (failures: number) => Math.min(RESTART_MS.longest, RESTART_MS.first * 2 ** (failures - 1));

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
  const listening = new Set<Worker>();
  let giveUp: (reason: StartError) => void = () => {};
  let allListen = () => {};
  const order: WorkerOrder = { target };
  // Each worker takes connections from the one listening socket itself. Handed on by the primary, a connection on its
  // way to a worker that is killed would belong to nobody, and its client would wait forever.
  const socket = await openSocket(config);
  cluster.setupPrimary({ exec: fileURLToPath(new URL('../main.js', import.meta.url)) });
  answerMetricsQuestions();
  countServingWorkers(config.workers);
  const fork = () => {
    const worker = cluster.fork();
    const bornMs = performance.now();
    worker.on('message', (message: unknown) => {
      // The worker asks once it listens for the answer; a message sent earlier would be lost.
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
      // One that refuses has said why; another one would say the same.
      if (code === REFUSED) return giveUp(new StartError('The server processes refuse to work.'));
      // As long as another one serves, there is something to lose.
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
    // A pause that nobody waits for would keep the process.
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

/** In a worker: asks the primary for its order. */
export function awaitOrder(): Promise<WorkerOrder & { listen(server: Server): Promise<void> }> {
  return new Promise((resolve) => {
    const hear = (message: unknown, socket: unknown) => {
      const { target } = (message ?? {}) as Partial<WorkerOrder>;
      // Other workers' news may come first.
      if (!target) return;
      process.off('message', hear);
      resolve({ target, listen: (server) => listenOn(server, socket) });
    };
    process.on('message', hear);
    // A primary that is gone already is noticed elsewhere.
    process.send?.(ORDER_PLEASE, () => {});
  });
}

async function listenOn(server: Server, socket: unknown): Promise<void> {
  server.listen(socket, BACKLOG);
  await once(server, 'listening');
  process.send?.(LISTENING, () => {});
}
