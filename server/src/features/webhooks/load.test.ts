import { describe, expect, it } from 'vitest';
import {
  createLoad,
  dealShares,
  finishSlot,
  LIMITS,
  type Load,
  mayStart,
  noteClaimed,
  type SeenEndpoint,
  type Slot,
  startSlot,
  sweepSlow,
} from './load.ts';

const endpoint = (id: string, merchant = `m-${id}`, failing = false): SeenEndpoint => ({
  webhook_endpoint_id: id,
  merchant_id: merchant,
  failing_since: failing ? new Date(0) : null,
});
const endpoints = (count: number, prefix = 'e', failing = false) =>
  Array.from({ length: count }, (_, index) => endpoint(`${prefix}${index}`, undefined, failing));

/** Deals, claims and starts whatever may start; returns what was started. */
function serve(load: Load, due: readonly SeenEndpoint[], nowMs: number): Slot[] {
  const started: Slot[] = [];
  const { shares } = dealShares(load, due, 256);
  for (const [id, count] of shares) for (let n = 0; n < count; n += 1) noteClaimed(load, id);
  for (const id of shares.keys()) while (mayStart(load, id)) started.push(startSlot(load, id, nowMs));
  return started;
}

describe('dealing', () => {
  it('gives one place to each endpoint before anyone gets a second one', () => {
    const { shares, last } = dealShares(createLoad(), endpoints(10), 13);
    expect([...shares.values()].sort()).toEqual([1, 1, 1, 1, 1, 1, 1, 2, 2, 2]);
    expect(last).toBe('e2');
  });

  it('few places for many endpoints go to the first ones, and the walk continues behind the last', () => {
    const { shares, last } = dealShares(createLoad(), endpoints(10), 4);
    expect([...shares.keys()]).toEqual(['e0', 'e1', 'e2', 'e3']);
    expect(last).toBe('e3');
  });

  it('an endpoint that is known to fail gets one place', () => {
    const { shares } = dealShares(createLoad(), [endpoint('bad', 'm', true), endpoint('good')], 100);
    expect(Object.fromEntries(shares)).toEqual({ bad: 1, good: LIMITS.firstWindow });
  });

  it('claims nothing for slow endpoints that could not leave', () => {
    const load = createLoad();
    const slow = endpoints(300, 's', true);
    serve(load, slow, 0);
    expect(load.atPace.slow).toBe(LIMITS.slow);
    expect(dealShares(load, endpoints(50, 't', true), 100).shares.size).toBe(0);
    expect(dealShares(load, endpoints(5, 'q'), 100).shares.size).toBe(5);
  });
});

describe('limits', () => {
  it('one endpoint never has more requests under way than its limit', () => {
    const load = createLoad();
    const due = [endpoint('a')];
    for (let round = 0; round < 20; round += 1) {
      const slots = serve(load, due, round);
      expect(load.slots.size).toBeLessThanOrEqual(LIMITS.endpoint);
      for (const slot of slots) finishSlot(load, slot, round + 1, 'delivered');
    }
    expect(serve(load, due, 100)).toHaveLength(LIMITS.endpoint);
  });

  it('one merchant never has more than its share, others are not touched', () => {
    const load = createLoad();
    const own = Array.from({ length: 30 }, (_, index) => endpoint(`o${index}`, 'greedy'));
    serve(load, own, 0);
    expect(load.ofMerchant.quick.get('greedy')).toBe(LIMITS.merchantQuick);
    expect(serve(load, [endpoint('x')], 0)).toHaveLength(LIMITS.firstWindow);
  });

  it('what hangs leaves the fast pace after a second and makes room there', () => {
    const load = createLoad();
    serve(load, endpoints(100), 0);
    expect(load.atPace).toEqual({ quick: LIMITS.quick, slow: 0 });
    expect(serve(load, [endpoint('healthy')], 500)).toHaveLength(0);
    sweepSlow(load, 999);
    expect(load.atPace.quick).toBe(LIMITS.quick);
    sweepSlow(load, 1_000);
    expect(load.atPace).toEqual({ quick: 0, slow: LIMITS.quick });
    expect(serve(load, [endpoint('healthy')], 1_000)).toHaveLength(LIMITS.firstWindow);
    // The slow limit is exceeded now: nothing more is claimed for it.
    expect(dealShares(load, endpoints(100), 256).shares.size).toBe(0);
  });

  it('however many endpoints hang: a total is never passed, and receivers that respond keep reserved places', () => {
    const load = createLoad();
    for (const slot of serve(load, [endpoint('healthy')], 0)) finishSlot(load, slot, 5, 'delivered');
    for (let round = 1; round < 40; round += 1) {
      serve(load, endpoints(200, `r${round}-`), round * 1_000);
      sweepSlow(load, (round + 1) * 1_000);
    }
    expect(load.slots.size).toBe(LIMITS.total - LIMITS.reserved);
    expect(serve(load, [endpoint('healthy')], 50_000).length).toBeGreaterThan(3);
  });

  it('counts come back to nothing when everything has ended', () => {
    const load = createLoad();
    const slots = [...serve(load, endpoints(50), 0), ...serve(load, endpoints(20, 'f', true), 0)];
    sweepSlow(load, 2_000);
    for (const [index, slot] of slots.entries())
      finishSlot(load, slot, 2_500, (['delivered', 'failed', 'unfinished'] as const)[index % 3] ?? 'failed');
    expect(load.slots.size).toBe(0);
    expect(load.atPace).toEqual({ quick: 0, slow: 0 });
    expect([load.ofMerchant.quick.size, load.ofMerchant.slow.size]).toEqual([0, 0]);
  });
});

describe('windows', () => {
  const after = (...results: [durationMs: number, outcome: 'delivered' | 'failed'][]) => {
    const load = createLoad();
    const due = [endpoint('a')];
    for (const [durationMs, outcome] of results) {
      dealShares(load, due, 1);
      noteClaimed(load, 'a');
      finishSlot(load, startSlot(load, 'a', 0), durationMs, outcome);
    }
    return dealShares(load, due, 1_000).shares.get('a');
  };

  it('grow with quick responses, up to what is sent within a moment', () => {
    const quick = (count: number) => Array<[number, 'delivered']>(count).fill([5, 'delivered']);
    expect(after(...quick(1))).toBe(8);
    expect(after(...quick(3))).toBe(32);
    expect(after(...quick(20))).toBe(LIMITS.maxWindow);
    expect(after(...Array<[number, 'delivered']>(20).fill([900, 'delivered']))).toBeLessThan(24);
  });

  it('shrink with failures, and to one when a failure took long', () => {
    expect(after([5, 'failed'])).toBe(LIMITS.firstWindow);
    expect(after([15_000, 'failed'])).toBe(1);
    expect(after([3_000, 'delivered'])).toBe(LIMITS.firstWindow);
    expect(after([15_000, 'failed'], [5, 'failed'])).toBe(LIMITS.firstWindow);
  });
});
