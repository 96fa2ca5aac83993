import { SECOND_MS } from '../../lib/clock.ts';
import { releaseDeliveries } from './claim-sql.ts';
import { noteDropped } from './load.ts';
import { type Held, isTooLate, type Worker } from './worker-state.ts';

/** What sends under way get when the service stops. */
const STOP_PATIENCE_MS = 5 * SECOND_MS;
const RECORD_PATIENCE_MS = 3 * SECOND_MS;

/** Gives back what was cut short and what waited for its place for too long. */
export async function giveBackLate(worker: Worker): Promise<void> {
  const nowMs = performance.now();
  const returned = worker.cutShort;
  worker.cutShort = [];
  for (const [endpointId, queue] of worker.queues) {
    const late = queue.filter((held) => isTooLate(held, nowMs));
    if (late.length === 0) continue;
    for (const _ of late) noteDropped(worker.load, endpointId);
    returned.push(...late);
    if (late.length === queue.length) worker.queues.delete(endpointId);
    else worker.queues.set(endpointId, queue.slice(late.length));
  }
  if (returned.length > 0) await release(worker, returned);
}

async function release(worker: Worker, returned: readonly Held[]): Promise<void> {
  const { parts } = worker;
  const rows = returned.map(({ row, lease }) => ({
    merchantId: row.merchant_id,
    deliveryId: row.delivery_id,
    lease,
  }));
  await releaseDeliveries(parts.db, rows, parts.clock.now());
  parts.onOutcome('given_back', rows.length);
}

/**
 * Nothing new starts. What is under way gets a moment to end, then its lease is given up for others. A database that
 * is away does not hold the stop up: then the leases run out by themselves.
 */
export async function drain(worker: Worker): Promise<void> {
  const { parts, load, queues } = worker;
  const giveBack = async (rows: readonly Held[]) => {
    if (rows.length > 0) await within(RECORD_PATIENCE_MS, release(worker, rows).catch(parts.onFault));
  };
  const unsent = [...queues].flatMap(([endpointId, queue]) => {
    for (const _ of queue) noteDropped(load, endpointId);
    return queue;
  });
  queues.clear();
  await giveBack(unsent);
  await within(STOP_PATIENCE_MS, Promise.allSettled(worker.sends.values()));
  worker.cut.abort();
  await Promise.allSettled(worker.sends.values());
  const { cutShort } = worker;
  worker.cutShort = [];
  await giveBack(cutShort);
  await within(RECORD_PATIENCE_MS, worker.recorder.settled());
}

async function within(durationMs: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, durationMs);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}
