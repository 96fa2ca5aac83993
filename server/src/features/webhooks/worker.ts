import type { Act } from '../../act.ts';
import { type Tx, transaction } from '../../db/open.ts';
import { addMs, SECOND_MS } from '../../lib/clock.ts';
import { statementsOf } from '../../storage/index.ts';
import { audit, SYSTEM_ACTOR } from '../audit/record.ts';
import { attemptDelivery, toRecord } from './attempt.ts';
import { claimDeliveries, type DueEndpoint, releaseDeliveries } from './claim-sql.ts';
import { disableEndpoint } from './endpoints/sql.ts';
import {
  dealShares,
  finishSlot,
  isHalfEmpty,
  mayStart,
  noteClaimed,
  noteDropped,
  startSlot,
  sweepSlow,
} from './load.ts';
import { GIVE_UP_AFTER_MS, PATIENCE_MS } from './schedule.ts';
import { parkDue, unpark } from './tidy-sql.ts';
import { type Held, isBusy, isTooLate, LEASE_MS, type Worker, wake } from './worker-state.ts';

const MAX_STEPS = 512;
const MAX_CLAIM = 512;
const TIDY_BATCH = 500;
const TIDY_EVERY_MS = SECOND_MS;
const PAUSE_MS = 200;
/** Between two claims, so that what arrives together is claimed together. */
const CLAIM_GAP_MS = 10;

/**
 * One turn on the queue. It lasts while any send is in flight, so that waiting for the turn to end when the service
 * stops also waits for the sends.
 */
export async function turn(worker: Worker): Promise<boolean> {
  const { parts } = worker;
  if (!parts.stopping.aborted) {
    sweepSlow(worker.load, performance.now());
    await giveBackLate(worker);
    const inactive = await claim(worker);
    const tidied = await tidy(worker, inactive);
    if (!isBusy(worker)) return tidied || worker.backlogged.size > 0;
    await pause(worker);
  }
  if (!parts.stopping.aborted) return true;
  await drain(worker);
  return false;
}

async function claim(worker: Worker): Promise<string[]> {
  const { parts, load } = worker;
  const gapMs = worker.lastClaimMs + CLAIM_GAP_MS - performance.now();
  if (gapMs > 0) await new Promise((resolve) => setTimeout(resolve, gapMs));
  worker.isWoken = false;
  const now = parts.clock.now();
  const walk = await statementsOf(parts.db).walkDueEndpoints(parts.db, worker.servedLast, now, MAX_STEPS);
  const active = walk.due.filter((endpoint) => endpoint.is_active);
  const { shares, last } = dealShares(load, active, MAX_CLAIM);
  worker.servedLast = last ?? walk.endedAt ?? worker.servedLast;
  const taken = shares.size > 0 ? await take(worker, active, shares, now) : new Map<string, number>();
  worker.backlogged.clear();
  for (const { webhook_endpoint_id: id } of active) {
    // All requested rows came, or none could be requested: there may be more.
    if ((taken.get(id) ?? 0) === (shares.get(id) ?? 0)) worker.backlogged.add(id);
  }
  worker.lastClaimMs = performance.now();
  pump(worker);
  return walk.due.filter((endpoint) => !endpoint.is_active).map((endpoint) => endpoint.webhook_endpoint_id);
}

/** Claims and queues; returns how many rows came for each endpoint. */
async function take(
  worker: Worker,
  endpoints: readonly DueEndpoint[],
  shares: ReadonlyMap<string, number>,
  now: Date,
): Promise<Map<string, number>> {
  const { parts, load, queues } = worker;
  const lease = Buffer.from(parts.random.bytes(12)).toString('hex');
  const claimedMs = performance.now();
  const byId = new Map(endpoints.map((endpoint) => [endpoint.webhook_endpoint_id, endpoint]));
  const wanted = endpoints.flatMap(
    ({ webhook_endpoint_id: endpointId, merchant_id: merchantId, version }) => {
      const count = shares.get(endpointId);
      return count === undefined ? [] : [{ merchantId, endpointId, version, count }];
    },
  );
  const taken = new Map<string, number>();
  for (const row of await claimDeliveries(parts.db, wanted, lease, now, addMs(now, LEASE_MS))) {
    const id = row.webhook_endpoint_id;
    const endpoint = byId.get(id);
    if (!endpoint) continue;
    noteClaimed(load, id);
    const queue = queues.get(id) ?? [];
    queue.push({ endpoint, row, lease, claimedMs, leaseEndMs: claimedMs + LEASE_MS });
    queues.set(id, queue);
    taken.set(id, (taken.get(id) ?? 0) + 1);
  }
  return taken;
}

/**
 * Starts what may start. A served endpoint goes to the end of the queue, and is reached there again in the same pass.
 */
function pump(worker: Worker): void {
  const { load, queues, parts } = worker;
  if (parts.stopping.aborted) return;
  for (const [endpointId, queue] of queues) {
    if (!mayStart(load, endpointId)) continue;
    const held = queue.shift();
    queues.delete(endpointId);
    if (queue.length > 0) queues.set(endpointId, queue);
    if (!held) continue;
    if (isTooLate(held, performance.now())) {
      noteDropped(load, endpointId);
      worker.cutShort.push(held);
      continue;
    }
    const sending = send(worker, held)
      .catch(parts.onFault)
      .then(() => place.leave());
    const place = worker.sends.add(sending);
  }
}

async function send(worker: Worker, held: Held): Promise<void> {
  const { parts, load, recorder } = worker;
  const { row, endpoint } = held;
  const endpointId = row.webhook_endpoint_id;
  const slot = startSlot(load, endpointId, performance.now());
  const attempt = await attemptDelivery(parts, endpoint, row, worker.cut.signal);
  if (attempt) {
    const { outcome, endedAt } = attempt;
    const result = outcome.delivered ? 'delivered' : 'failed';
    finishSlot(load, slot, performance.now(), result);
    const failingMs = endedAt.getTime() - (endpoint.failing_since ?? endedAt).getTime();
    const reason = outcome.gone ? 'gone' : failingMs >= GIVE_UP_AFTER_MS ? 'failing' : undefined;
    // Before the record: a crash between the two must not lose the decision.
    if (reason && !outcome.delivered) await giveUp(worker, endpointId, reason);
    const record = toRecord(row, held.lease, attempt, parts.random);
    recorder.add({ endpointId, endedAt, leaseEndMs: held.leaseEndMs, record });
  } else {
    finishSlot(load, slot, performance.now(), 'unfinished');
    worker.cutShort.push(held);
  }
  pump(worker);
  if (worker.backlogged.has(endpointId) && isHalfEmpty(load, endpointId)) wake(worker);
}

async function giveUp(worker: Worker, endpointId: string, reason: DisableReason): Promise<void> {
  const { parts } = worker;
  try {
    await transaction(parts.db, (tx) => giveUpOn(tx, parts.newAct(), endpointId, reason));
  } catch (error) {
    // The next attempt leads to the same decision.
    parts.onFault(error);
  }
}

async function tidy(worker: Worker, inactive: readonly string[]): Promise<boolean> {
  const { parts } = worker;
  const now = parts.clock.now();
  let changed = 0;
  if (inactive.length > 0) changed += await parkDue(parts.db, inactive, now, PATIENCE_MS, TIDY_BATCH);
  const nowMs = performance.now();
  if (nowMs - worker.lastTidyMs >= TIDY_EVERY_MS) {
    worker.lastTidyMs = nowMs;
    changed += await unpark(parts.db, now, TIDY_BATCH);
  }
  return changed > 0;
}

/** Until something ends, something new is announced, or a moment has passed. */
function pause(worker: Worker): Promise<void> {
  const { stopping } = worker.parts;
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      stopping.removeEventListener('abort', end);
      worker.endPause = undefined;
      resolve();
    };
    const timer = setTimeout(end, PAUSE_MS);
    worker.endPause = end;
    if (stopping.aborted || worker.isWoken) end();
    else stopping.addEventListener('abort', end);
  });
}

/** `gone`: it returned 410. `failing`: nothing but failures for as long as the service retries. */
type DisableReason = 'gone' | 'failing';

/** The service disables a failing endpoint; a team member can verify it again. */
async function giveUpOn(tx: Tx, act: Act, endpointId: string, reason: DisableReason): Promise<void> {
  const failingSinceBefore = reason === 'failing' ? addMs(act.now, -GIVE_UP_AFTER_MS) : undefined;
  const endpoint = await disableEndpoint(tx, endpointId, { failingSinceBefore }, act.now);
  if (!endpoint) return;
  await audit(tx, act, SYSTEM_ACTOR, endpoint.merchant_id, 'webhook_endpoint.disabled', endpointId, {
    from: 'active',
    to: 'disabled',
    reason,
  });
}

/** The time that sends in flight get when the service stops. */
const STOP_PATIENCE_MS = 5 * SECOND_MS;
const RECORD_PATIENCE_MS = 3 * SECOND_MS;

/** Returns aborted sends and those that waited for a place for too long. */
async function giveBackLate(worker: Worker): Promise<void> {
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
 * Nothing new starts. Sends in flight get a moment to end, then their leases are released for others. A database that
 * is unreachable does not delay the stop: then the leases expire.
 */
async function drain(worker: Worker): Promise<void> {
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
