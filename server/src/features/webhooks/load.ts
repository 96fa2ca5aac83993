/**
 * How much each receiver may have in flight, in this process. Fast and slow receivers have separate limits: endpoints
 * that hang until the deadline only use up the limit of the slow ones. A receiver is slow as soon as one request to it
 * has been in flight for a second, so that many endpoints failing together leave the fast limit within that second, and
 * it is fast again after one quick response.
 *
 * Only estimates and counts are kept here; what is to be delivered is in the database.
 */
interface Limits {
  /** Requests in flight, fast and slow. */
  quick: number;
  slow: number;
  /**
   * Requests in flight altogether, and how many of these places are reserved for receivers that have responded quickly.
   */
  total: number;
  reserved: number;
  /** The same for one merchant. */
  merchantQuick: number;
  merchantSlow: number;
  /** Requests in flight to one endpoint. */
  endpoint: number;
  /** Claimed rows of one endpoint, in flight or waiting for their turn: at first, and at most. */
  firstWindow: number;
  maxWindow: number;
  /** Claimed rows altogether. */
  held: number;
}

export const LIMITS: Readonly<Limits> = {
  quick: 256,
  slow: 128,
  total: 1024,
  reserved: 256,
  merchantQuick: 64,
  merchantSlow: 16,
  endpoint: 16,
  firstWindow: 4,
  maxWindow: 512,
  held: 2048,
};

const SLOW_AFTER_MS = 1_000;
/** How much of a fast receiver's work is claimed ahead. */
const AHEAD_MS = 250;
const REMEMBERED_ENDPOINTS = 5_000;

type Pace = 'quick' | 'slow';

interface EndpointLoad {
  id: string;
  merchantId: string;
  pace: Pace;
  window: number;
  sending: number;
  waiting: number;
  /** Its last response was a quick success. */
  isProven: boolean;
}

/** One request in flight; `pace` is the limit it currently counts against. */
export interface Slot {
  endpoint: EndpointLoad;
  pace: Pace;
  startedMs: number;
}

export interface Load {
  limits: Readonly<Limits>;
  endpoints: Map<string, EndpointLoad>;
  slots: Set<Slot>;
  atPace: Record<Pace, number>;
  ofMerchant: Record<Pace, Map<string, number>>;
  held: number;
}

export function createLoad(limits: Readonly<Limits> = LIMITS): Load {
  return {
    limits,
    endpoints: new Map(),
    slots: new Set(),
    atPace: { quick: 0, slow: 0 },
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
 * Deals places out to the due endpoints, one each per round in the order of the walk, so that a few places reach many
 * endpoints. `last` got the last place: the next walk begins after it.
 */
export function dealShares(
  load: Load,
  due: readonly SeenEndpoint[],
  maxRows: number,
): { shares: Map<string, number>; last: string | undefined } {
  const shares = new Map<string, number>();
  const hands = due.map((endpoint) => ({ endpoint: see(load, endpoint), got: 0 }));
  const takePlace = placesOf(load);
  let left = Math.min(maxRows, load.limits.held - load.held);
  let last: string | undefined;
  for (let dealt = true; dealt && left > 0; ) {
    dealt = false;
    for (const hand of hands) {
      const { endpoint } = hand;
      const room = endpoint.window - endpoint.sending - endpoint.waiting;
      if (left <= 0 || room <= hand.got) continue;
      // Rows of a responsive receiver may wait a moment for their turn; others are claimed only to be sent immediately.
      if (!endpoint.isProven && !takePlace(endpoint)) continue;
      hand.got += 1;
      shares.set(endpoint.id, hand.got);
      left -= 1;
      last = endpoint.id;
      dealt = true;
    }
  }
  return { shares, last };
}

/** The free places, taken one by one. */
function placesOf(load: Load): (endpoint: EndpointLoad) => boolean {
  const { limits, atPace, ofMerchant, slots } = load;
  const left: Record<Pace, number> = { quick: limits.quick - atPace.quick, slow: limits.slow - atPace.slow };
  const taken: Record<Pace, Map<string, number>> = { quick: new Map(), slow: new Map() };
  let altogether = limits.total - limits.reserved - slots.size;
  return ({ pace, merchantId }) => {
    const own = taken[pace].get(merchantId) ?? 0;
    const ownLeft = merchantLimit(limits, pace) - (ofMerchant[pace].get(merchantId) ?? 0) - own;
    if (left[pace] <= 0 || altogether <= 0 || ownLeft <= 0) return false;
    taken[pace].set(merchantId, own + 1);
    left[pace] -= 1;
    altogether -= 1;
    return true;
  };
}

function merchantLimit(limits: Readonly<Limits>, pace: Pace): number {
  return pace === 'quick' ? limits.merchantQuick : limits.merchantSlow;
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
    pace: failing ? 'slow' : 'quick',
    window: failing ? 1 : load.limits.firstWindow,
    sending: 0,
    waiting: 0,
    isProven: false,
  };
  load.endpoints.set(id, endpoint);
  return endpoint;
}

export function noteClaimed(load: Load, endpointId: string): void {
  endpointOf(load, endpointId).waiting += 1;
  load.held += 1;
}

/** A claimed row is returned unsent. */
export function noteDropped(load: Load, endpointId: string): void {
  endpointOf(load, endpointId).waiting -= 1;
  load.held -= 1;
}

export function mayStart(load: Load, endpointId: string): boolean {
  const { pace, merchantId, window, sending, waiting, isProven } = endpointOf(load, endpointId);
  const { limits } = load;
  const total = isProven ? limits.total : limits.total - limits.reserved;
  return (
    waiting > 0 &&
    sending < Math.min(window, limits.endpoint) &&
    load.slots.size < total &&
    load.atPace[pace] < limits[pace] &&
    (load.ofMerchant[pace].get(merchantId) ?? 0) < merchantLimit(limits, pace)
  );
}

export function startSlot(load: Load, endpointId: string, nowMs: number): Slot {
  const endpoint = endpointOf(load, endpointId);
  endpoint.waiting -= 1;
  endpoint.sending += 1;
  const slot: Slot = { endpoint, pace: endpoint.pace, startedMs: nowMs };
  load.slots.add(slot);
  count(load, slot.pace, endpoint.merchantId, 1);
  return slot;
}

/** The result of an attempt as evidence about the receiver; nothing when we aborted the attempt. */
export function finishSlot(
  load: Load,
  slot: Slot,
  nowMs: number,
  outcome: 'delivered' | 'failed' | 'unfinished',
): void {
  const { endpoint } = slot;
  const { limits } = load;
  load.slots.delete(slot);
  count(load, slot.pace, endpoint.merchantId, -1);
  load.held -= 1;
  endpoint.sending -= 1;
  if (outcome === 'unfinished') return;
  const delivered = outcome === 'delivered';
  const durationMs = Math.max(1, nowMs - slot.startedMs);
  endpoint.isProven = delivered && durationMs < SLOW_AFTER_MS;
  if (durationMs >= SLOW_AFTER_MS) {
    endpoint.pace = 'slow';
    endpoint.window = delivered ? limits.firstWindow : 1;
    return;
  }
  endpoint.pace = 'quick';
  const enough = Math.ceil(limits.endpoint * (1 + AHEAD_MS / durationMs));
  endpoint.window = delivered
    ? Math.min(limits.maxWindow, enough, endpoint.window * 2)
    : Math.max(limits.firstWindow, Math.floor(endpoint.window / 2));
}

/** Worth a claim: half of the endpoint's window is free. */
export function isHalfEmpty(load: Load, endpointId: string): boolean {
  const { window, sending, waiting } = endpointOf(load, endpointId);
  return sending + waiting <= window / 2;
}

/** Moves what has been in flight for too long to the slow limit, whether or not there is room. */
export function sweepSlow(load: Load, nowMs: number): void {
  for (const slot of load.slots) {
    if (slot.pace === 'slow' || nowMs - slot.startedMs < SLOW_AFTER_MS) continue;
    const { endpoint } = slot;
    count(load, 'quick', endpoint.merchantId, -1);
    count(load, 'slow', endpoint.merchantId, 1);
    slot.pace = 'slow';
    endpoint.pace = 'slow';
    endpoint.isProven = false;
    endpoint.window = Math.min(endpoint.window, load.limits.firstWindow);
  }
}

function endpointOf(load: Load, id: string): EndpointLoad {
  const endpoint = load.endpoints.get(id);
  if (!endpoint) throw new Error('an endpoint was used before it was seen');
  return endpoint;
}

function count(load: Load, pace: Pace, merchantId: string, by: 1 | -1): void {
  load.atPace[pace] += by;
  const counts = load.ofMerchant[pace];
  const next = (counts.get(merchantId) ?? 0) + by;
  if (next === 0) counts.delete(merchantId);
  else counts.set(merchantId, next);
}

/** Those that respond are evicted last. */
function forgetIdle(load: Load): void {
  const forget = (isForgotten: (endpoint: EndpointLoad) => boolean) => {
    for (const [id, endpoint] of load.endpoints)
      if (endpoint.sending === 0 && endpoint.waiting === 0 && isForgotten(endpoint))
        load.endpoints.delete(id);
  };
  forget((endpoint) => !endpoint.isProven);
  if (load.endpoints.size >= REMEMBERED_ENDPOINTS) forget(() => true);
}
