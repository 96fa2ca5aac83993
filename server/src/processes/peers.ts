import cluster, { type Worker } from 'node:cluster';

/** A probe reaches one worker; its answer must speak for all of them. The primary counts how many serve. */
export interface Peers {
  /** Every process that should serve this port does. */
  areComplete(): boolean;
  counts(): { serving: number; expected: number };
  /** Tells the others about this process. */
  report(isServing: boolean): void;
}

interface Report {
  type: 'svc:serving';
  isServing: boolean;
}
interface Count {
  type: 'svc:serving';
  serving: number;
}

const isOurs = (message: unknown): message is Report & Count =>
  (message as { type?: unknown } | null)?.type === 'svc:serving';

/** In the primary: hears every worker and tells all of them how many serve. */
export function countServingWorkers(): void {
  const serving = new Set<number>();
  const tell = (worker: Worker) => {
    if (worker.isConnected())
      worker.send({ type: 'svc:serving', serving: serving.size } satisfies Count, () => {});
  };
  const note = (id: number, isServing: boolean) => {
    if (serving.has(id) === isServing) return;
    if (isServing) serving.add(id);
    else serving.delete(id);
    for (const worker of Object.values(cluster.workers ?? {})) if (worker) tell(worker);
  };
  cluster.on('message', (worker, message: unknown) => {
    if (!isOurs(message)) return;
    note(worker.id, message.isServing);
    tell(worker);
  });
  cluster.on('exit', (worker) => note(worker.id, false));
}

/** In a worker, or in a process that serves alone. */
export function createPeers(expected: number): Peers {
  let serving = 0;
  if (!cluster.isWorker)
    return {
      areComplete: () => true,
      counts: () => ({ serving, expected: 1 }),
      report: (isServing) => {
        serving = isServing ? 1 : 0;
      },
    };
  let reported: boolean | undefined;
  process.on('message', (message: unknown) => {
    if (isOurs(message)) serving = message.serving;
  });
  return {
    areComplete: () => serving === expected,
    counts: () => ({ serving, expected }),
    report(isServing) {
      if (isServing === reported) return;
      reported = isServing;
      process.send?.({ type: 'svc:serving', isServing } satisfies Report, () => {});
    },
  };
}
