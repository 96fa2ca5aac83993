/**
 * Who may have how much in flight, in this process. Fast and slow receivers live in two lanes with separate
 * limits: however many endpoints hang until the deadline, they use up only their own lane. A receiver is slow as
 * soon as one request to it has been under way for a second, so that endpoints that die all at once leave the
 * fast lane within that second, and it is fast again after one quick answer.
 *
 * Only estimates and counts are kept here; what is to be delivered stands in the database.
 */
export interface Limits {
  /** Requests under way in each lane, and altogether. */
  quick: number;
  slow: number;
  total: number;
  /** The same for one merchant. */
  merchantQuick: number;
  merchantSlow: number;
  /** Requests under way to one endpoint. */
  endpoint: number;
  /** Claimed rows of one endpoint, under way or waiting for their turn: at first, and at most. */
  firstWindow: number;
  maxWindow: number;
  /** Claimed rows altogether. */
  held: number;
}

export const LIMITS: Readonly<Limits> = {
  quick: 256,
  slow: 128,
  total: 1024,
  merchantQuick: 64,
  merchantSlow: 16,
  endpoint: 16,
  firstWindow: 4,
  maxWindow: 256,
  held: 2048,
};

export const SLOW_AFTER_MS = 1_000;
/** How much of a fast receiver's work is claimed ahead. */
const AHEAD_MS = 250;
const REMEMBERED_ENDPOINTS = 5_000;

export type Lane = 'quick' | 'slow';

interface EndpointLoad {
  id: string;
  merchantId: string;
  lane: Lane;
  window: number;
  sending: number;
  waiting: number;
}

/** One request under way; `lane` is where it counts at the moment. */
export interface Slot {
  endpoint: EndpointLoad;
  lane: Lane;
  startedMs: number;
}

export interface Load {
  limits: Readonly<Limits>;
  endpoints: Map<string, EndpointLoad>;
  slots: Set<Slot>;
  inLane: Record<Lane, number>;
  ofMerchant: Record<Lane, Map<string, number>>;
  held: number;
}

export function createLoad(limits: Readonly<Limits> = LIMITS): Load {
  return {
    limits,
    endpoints: new Map(),
    slots: new Set(),
    inLane: { quick: 0, slow: 0 },
    ofMerchant: { quick: new Map(), slow: new Map() },
    held: 0,
  };
}

export interface SeenEndpoint {
  webhook_endpoint_id: string;
  merchant_id: string;
  failing_since: Date | null;
}

/**
 * Deals places out to the due endpoints, one each per round in the order of the walk, so that a few places reach
 * many endpoints. `last` got the last place: the next walk begins behind it.
 */
export function dealShares(
  load: Load,
  due: readonly SeenEndpoint[],
  maxRows: number,
): { shares: Map<string, number>; last: string | undefined } {
  const shares = new Map<string, number>();
  const hands = due.map((endpoint) => see(load, endpoint)).map((endpoint) => ({ endpoint, got: 0 }));
  const slowOfMerchant = new Map<string, number>();
  let slowLeft = Math.min(load.limits.slow - load.inLane.slow, load.limits.total - load.slots.size);
  let left = Math.min(maxRows, load.limits.held - load.held);
  let last: string | undefined;
  for (let dealt = true; dealt && left > 0; ) {
    dealt = false;
    for (const hand of hands) {
      const { id, merchantId, lane, window, sending, waiting } = hand.endpoint;
      if (left <= 0 || window - sending - waiting <= hand.got) continue;
      // Fast rows may wait a moment for their turn; a slow one is only claimed when it can leave at once.
      if (lane === 'slow') {
        const ownSlow = slowOfMerchant.get(merchantId) ?? 0;
        const slowUnderWay = load.ofMerchant.slow.get(merchantId) ?? 0;
        if (slowLeft <= 0 || slowUnderWay + ownSlow >= load.limits.merchantSlow) continue;
        slowOfMerchant.set(merchantId, ownSlow + 1);
        slowLeft -= 1;
      }
      hand.got += 1;
      shares.set(id, hand.got);
      left -= 1;
      last = id;
      dealt = true;
    }
  }
  return { shares, last };
}

function see(load: Load, seen: SeenEndpoint): EndpointLoad {
  const { webhook_endpoint_id: id, merchant_id: merchantId } = seen;
  const failing = seen.failing_since !== null;
  const known = load.endpoints.get(id);
  if (known) return known;
  if (load.endpoints.size >= REMEMBERED_ENDPOINTS) forgetIdle(load);
  const endpoint: EndpointLoad = {
    id,
    merchantId,
    lane: failing ? 'slow' : 'quick',
    window: failing ? 1 : load.limits.firstWindow,
    sending: 0,
    waiting: 0,
  };
  load.endpoints.set(id, endpoint);
  return endpoint;
}

export function noteClaimed(load: Load, endpointId: string): void {
  endpointOf(load, endpointId).waiting += 1;
  load.held += 1;
}

/** A claimed row is given back unsent. */
export function noteDropped(load: Load, endpointId: string): void {
  endpointOf(load, endpointId).waiting -= 1;
  load.held -= 1;
}

export function mayStart(load: Load, endpointId: string): boolean {
  const { lane, merchantId, window, sending, waiting } = endpointOf(load, endpointId);
  const { limits } = load;
  const merchantLimit = lane === 'quick' ? limits.merchantQuick : limits.merchantSlow;
  return (
    waiting > 0 &&
    sending < Math.min(window, limits.endpoint) &&
    load.slots.size < limits.total &&
    load.inLane[lane] < limits[lane] &&
    (load.ofMerchant[lane].get(merchantId) ?? 0) < merchantLimit
  );
}

export function startSlot(load: Load, endpointId: string, nowMs: number): Slot {
  const endpoint = endpointOf(load, endpointId);
  endpoint.waiting -= 1;
  endpoint.sending += 1;
  const slot: Slot = { endpoint, lane: endpoint.lane, startedMs: nowMs };
  load.slots.add(slot);
  count(load, slot.lane, endpoint.merchantId, 1);
  return slot;
}

/** What an answer says about the receiver; nothing when the attempt was cut short by ourselves. */
export function finishSlot(
  load: Load,
  slot: Slot,
  nowMs: number,
  outcome: 'delivered' | 'failed' | 'unfinished',
): void {
  const { endpoint } = slot;
  const { limits } = load;
  load.slots.delete(slot);
  count(load, slot.lane, endpoint.merchantId, -1);
  load.held -= 1;
  endpoint.sending -= 1;
  if (outcome === 'unfinished') return;
  const delivered = outcome === 'delivered';
  const durationMs = Math.max(1, nowMs - slot.startedMs);
  if (durationMs >= SLOW_AFTER_MS) {
    endpoint.lane = 'slow';
    endpoint.window = delivered ? limits.firstWindow : 1;
    return;
  }
  endpoint.lane = 'quick';
  const enough = Math.ceil(limits.endpoint * (1 + AHEAD_MS / durationMs));
  endpoint.window = delivered
    ? Math.min(limits.maxWindow, enough, endpoint.window * 2)
    : Math.max(limits.firstWindow, Math.floor(endpoint.window / 2));
}

/** Worth a claim: half of what the endpoint may have is used up. */
export function isHalfEmpty(load: Load, endpointId: string): boolean {
  const { window, sending, waiting } = endpointOf(load, endpointId);
  return sending + waiting <= window / 2;
}

/** Moves what has been under way for too long to the slow lane, whether or not there is room. */
export function sweepSlow(load: Load, nowMs: number): void {
  for (const slot of load.slots) {
    if (slot.lane === 'slow' || nowMs - slot.startedMs < SLOW_AFTER_MS) continue;
    const { endpoint } = slot;
    count(load, 'quick', endpoint.merchantId, -1);
    count(load, 'slow', endpoint.merchantId, 1);
    slot.lane = 'slow';
    endpoint.lane = 'slow';
    endpoint.window = Math.min(endpoint.window, load.limits.firstWindow);
  }
}

function endpointOf(load: Load, id: string): EndpointLoad {
  const endpoint = load.endpoints.get(id);
  if (!endpoint) throw new Error('an endpoint was used before it was seen');
  return endpoint;
}

function count(load: Load, lane: Lane, merchantId: string, by: 1 | -1): void {
  load.inLane[lane] += by;
  const counts = load.ofMerchant[lane];
  const next = (counts.get(merchantId) ?? 0) + by;
  if (next === 0) counts.delete(merchantId);
  else counts.set(merchantId, next);
}

function forgetIdle(load: Load): void {
  for (const [id, endpoint] of load.endpoints)
    if (endpoint.sending === 0 && endpoint.waiting === 0) load.endpoints.delete(id);
}
