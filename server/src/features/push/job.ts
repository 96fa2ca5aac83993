import type { Context } from '../../context.ts';
import { EVERYTHING } from '../../db/signals.ts';
import { type Job, jobTopic } from '../../jobs/job.ts';
import { addMs, MINUTE_MS, SECOND_MS } from '../../lib/clock.ts';
import type { CounterSpec } from '../../telemetry/metrics.ts';
import { walletIn } from '../callers/topics.ts';
import { deleteSubscriptions } from '../wallets/subscriptions.ts';
import { type Looked, lookAtWallets, OVERLAP_MS } from './look-sql.ts';
import { DEADLINE_MS, type PushOutcome, pauseAfter, sendPush } from './send.ts';
import * as sql from './sql.ts';
import { PUSH_JOB } from './subscription.ts';
import type { VapidKeys } from './vapid.ts';

/** The most that a message is late, too little to notice. */
const TURN_MS = SECOND_MS / 2;
/** The longest that a lost hint or a killed process can delay a message. */
const WALK_EVERY_MS = MINUTE_MS;
const WALK_BATCH = 200;
const MAX_HINTS = 10_000;
const HINTS_AT_ONCE = 500;
const QUIET_MS = 5 * SECOND_MS;
/** Longer than a send: meanwhile no other process sends to the device. */
const LEASE_MS = 2 * DEADLINE_MS + 15 * SECOND_MS;
const MAX_SENDS = 128;

const MESSAGES: CounterSpec<'outcome'> = {
  name: 'svc_push_messages_total',
  help: 'Push messages by what they came to; gone ones ended their subscription.',
  labels: ['outcome'],
};

/** One process's state. All of it may be lost: the rows decide. */
interface Ringer {
  vapidKeys: VapidKeys;
  /** Wallets with an announced change. */
  hints: Set<string>;
  /** No subscription exists here, so hints are not collected and nothing is queried. */
  isAsleep: boolean;
  hasHeardOfOne: boolean;
  /** The last device that the walk has reached; undefined between two walks. */
  walkedTo: string | undefined;
  walkedMs: number;
  sends: Set<Promise<void>>;
}

/**
 * Notifies devices that something is pending for their wallet. Every process takes part; each message is sent by one
 * process.
 */
export function pushJob(vapidKeys: VapidKeys): Job {
  let ringer: Ringer | undefined;
  return {
    name: PUSH_JOB,
    everyMs: TURN_MS,
    run(context) {
      ringer ??= ringerFor(context, vapidKeys);
      return turn(context, ringer);
    },
  };
}

async function turn(context: Context, ringer: Ringer): Promise<boolean> {
  if (context.stopping.aborted) {
    await Promise.all(ringer.sends);
    return false;
  }
  const walked = await walk(context, ringer);
  if (ringer.isAsleep) return false;
  await ring(context, ringer, takeHints(ringer), walked);
  const hasMore = ringer.walkedTo !== undefined || ringer.hints.size > 0;
  return hasMore && ringer.sends.size < MAX_SENDS / 2;
}

function ringerFor(context: Context, vapidKeys: VapidKeys): Ringer {
  const ringer: Ringer = {
    vapidKeys,
    hints: new Set(),
    isAsleep: false,
    hasHeardOfOne: false,
    walkedTo: undefined,
    walkedMs: Number.NEGATIVE_INFINITY,
    sends: new Set(),
  };
  context.signals.subscribeAll((topic) => hear(ringer, topic));
  for (const outcome of ['delivered', 'failed']) context.metrics.increment(MESSAGES, { outcome }, 0);
  return ringer;
}

function hear(ringer: Ringer, topic: string): void {
  if (topic === jobTopic(PUSH_JOB)) {
    ringer.isAsleep = false;
    ringer.hasHeardOfOne = true;
  }
  // Too many topics to name: the walk checks every subscription.
  if (topic === EVERYTHING) ringer.walkedMs = Number.NEGATIVE_INFINITY;
  if (ringer.isAsleep) return;
  const walletId = walletIn(topic);
  if (walletId === undefined) return;
  if (ringer.hints.size < MAX_HINTS) ringer.hints.add(walletId);
  else ringer.walkedMs = Number.NEGATIVE_INFINITY;
}

function takeHints({ hints }: Ringer): string[] {
  const taken = [...hints].slice(0, HINTS_AT_ONCE);
  for (const walletId of taken) hints.delete(walletId);
  return taken;
}

/** The next devices of a walk over all subscriptions, which only reads. */
async function walk({ db }: Context, ringer: Ringer): Promise<string[]> {
  if (ringer.walkedTo === undefined) {
    if (performance.now() - ringer.walkedMs < WALK_EVERY_MS) return [];
    ringer.walkedMs = performance.now();
    ringer.hasHeardOfOne = false;
  }
  const after = ringer.walkedTo ?? '';
  const deviceIds = await sql.walkSubscriptions(db, after, WALK_BATCH);
  if (after === '') ringer.isAsleep = deviceIds.length === 0 && !ringer.hasHeardOfOne;
  ringer.walkedTo = deviceIds.length === WALK_BATCH ? deviceIds.at(-1) : undefined;
  return deviceIds;
}

async function ring(
  context: Context,
  ringer: Ringer,
  walletIds: readonly string[],
  deviceIds: readonly string[],
): Promise<void> {
  const { db, clock } = context;
  const now = clock.now();
  const looked = await lookAtWallets(db, { walletIds, deviceIds, limit: MAX_SENDS }, now);
  for (const { device_id: id } of looked.filter((row) => !row.is_active))
    await deleteSubscriptions(db, db`device_id = ${id}`);
  const active = looked.filter((row) => row.is_active);
  await sql.planLooks(
    db,
    active.filter((row) => row.is_due && row.kind === null),
    now,
  );
  // Failing receivers leave room for the others. What finds no room is checked again in the next turn.
  const news = active.filter((row) => row.kind !== null).toSorted((a, b) => a.tries - b.tries);
  const chosen: Looked[] = [];
  for (const row of news) {
    const room = row.tries > 0 ? MAX_SENDS / 2 : MAX_SENDS;
    if (ringer.sends.size + chosen.length < room) chosen.push(row);
    else ringer.hints.add(row.wallet_id);
  }
  const until = addMs(now, LEASE_MS);
  const ids = chosen.map((row) => row.device_id);
  const claimed = await sql.claim(db, ids, { now, until });
  for (const row of chosen.filter(({ device_id }) => claimed.has(device_id))) {
    const sending = tell(context, ringer.vapidKeys, row, { now, until }).finally(() =>
      ringer.sends.delete(sending),
    );
    ringer.sends.add(sending);
  }
}

async function tell(
  context: Context,
  vapidKeys: VapidKeys,
  row: Looked,
  { now, until }: { now: Date; until: Date },
): Promise<void> {
  const { db, clock, log, metrics } = context;
  const claimed = { device_id: row.device_id, quiet_until: until };
  try {
    const outcome = await sendPush(context, vapidKeys, row, now);
    // Aborted by our shutdown: the lease expires, and another process checks again.
    if (outcome.kind === 'aborted') return;
    const pauseMs = pauseAfter(outcome, row.tries);
    const isOver = outcome.kind === 'delivered' || pauseMs === undefined;
    metrics.increment(MESSAGES, { outcome: nameOf(outcome, isOver) });
    if (outcome.kind === 'gone') return await sql.forgetGone(db, claimed, row.box);
    if (!isOver) return await sql.recordFailure(db, claimed, clock.now(), pauseMs);
    const told_through = row.told_through ?? addMs(now, -OVERLAP_MS);
    const told = { looked_at: now, told_through, told: row.told ?? [] };
    await sql.recordTold(db, claimed, told, addMs(clock.now(), QUIET_MS));
  } catch (error) {
    log.warn({ event: 'push_fault', job: PUSH_JOB, err: error }, 'internal error sending a push message');
  }
}

function nameOf({ kind }: PushOutcome, isOver: boolean): string {
  return kind === 'failed' && isOver ? 'given_up' : kind;
}
