import cluster, { type Worker } from 'node:cluster';

/** A probe reaches one worker; its response must describe all of them. The primary counts how many serve. */
export interface Peers {
  /** Every process that should serve this port does. */
  areComplete(): boolean;
  /**
   * They were complete once since the service was started, or have had their time: before, a call may still reach one
   * that is starting.
   */
  haveStarted(): boolean;
  counts(): { serving: number; expected: number };
  /** Notifies the others about this process. */
  report(isServing: boolean): void;
}

interface Report {
  type: 'svc:serving';
  isServing: boolean;
}
interface Count {
  type: 'svc:serving';
  serving: number;
  haveStarted: boolean;
}

const isOurs = (message: unknown): message is Report & Count =>
  (message as { type?: unknown } | null)?.type === 'svc:serving';

const BEAT_MS = 1_000;
/** A worker whose event loop has not turned for this long does not serve. */
const SILENT_MS = 5_000;

/** From the first worker that serves: one that never comes up must not block the others' calls forever. */
const START_MS = 60_000;

/** In the primary: counts the workers' beats and notifies all of them how many serve. */
export function countServingWorkers(expected: number, startMs = START_MS): void {
  const serving = new Set<number>();
  const heardMs = new Map<number, number>();
  let haveStarted = false;
  let firstMs: number | undefined;
  const tell = (worker: Worker) => {
    const count: Count = { type: 'svc:serving', serving: serving.size, haveStarted };
    if (worker.isConnected()) worker.send(count, () => {});
  };
  const tellAll = () => {
    for (const worker of Object.values(cluster.workers ?? {})) if (worker) tell(worker);
  };
  const note = (id: number, isServing: boolean) => {
    if (serving.has(id) === isServing) return;
    if (isServing) serving.add(id);
    else serving.delete(id);
    if (isServing) firstMs ??= performance.now();
    haveStarted ||= serving.size === expected;
    tellAll();
  };
  cluster.on('message', (worker, message: unknown) => {
    if (!isOurs(message)) return;
    const isFirst = !heardMs.has(worker.id);
    heardMs.set(worker.id, performance.now());
    note(worker.id, message.isServing);
    if (isFirst) tell(worker);
  });
  cluster.on('exit', (worker) => {
    heardMs.delete(worker.id);
    note(worker.id, false);
  });
  let lookedMs = performance.now();
  const look = () => {
    const nowMs = performance.now();
    // A primary that was delayed itself has messages to read first.
    const wasHeldUp = nowMs - lookedMs > 2 * BEAT_MS;
    lookedMs = nowMs;
    if (!haveStarted && firstMs !== undefined && nowMs - firstMs > startMs) {
      haveStarted = true;
      tellAll();
    }
    if (wasHeldUp) return;
    for (const [id, lastMs] of heardMs) if (nowMs - lastMs > SILENT_MS) note(id, false);
  };
  setInterval(look, BEAT_MS).unref();
}

/** In a worker, or in a process that serves alone. */
export function createPeers(expected: number): Peers {
  let serving = 0;
  if (!cluster.isWorker)
    return {
      areComplete: () => true,
      haveStarted: () => true,
      counts: () => ({ serving, expected: 1 }),
      report: (isServing) => {
        serving = isServing ? 1 : 0;
      },
    };
  let reported: boolean | undefined;
  let haveStarted = false;
  process.on('message', (message: unknown) => {
    if (isOurs(message)) ({ serving, haveStarted } = message);
  });
  const send = (isServing: boolean) =>
    process.send?.({ type: 'svc:serving', isServing } satisfies Report, () => {});
  // Each beat shows that the event loop turns.
  setInterval(() => reported !== undefined && send(reported), BEAT_MS).unref();
  return {
    areComplete: () => serving === expected,
    haveStarted: () => haveStarted,
    counts: () => ({ serving, expected }),
    report(isServing) {
      if (isServing === reported) return;
      reported = isServing;
      send(isServing);
    },
  };
}
