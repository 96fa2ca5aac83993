import type { PaymentRequest } from '@payassent/sdk';
import { describe, expect, it } from 'vitest';
import { bandCounts, bucketRequests, decisionTimesMs } from '../src/portal/home/request-buckets.ts';
import { median } from '../src/portal/parts/figures.ts';
import { idInPath, pathPart } from '../src/portal/parts/path-part.ts';
import { percentOf } from '../src/ui/numbers.ts';

const NOON = new Date('2027-03-10T12:00:00').getTime();
const HOUR_MS = 3_600_000;

function request(createdMs: number, more: Partial<PaymentRequest> = {}): PaymentRequest {
  const created_at = new Date(createdMs).toISOString();
  return { status: 'pending', created_at, updated_at: created_at, ...more } as PaymentRequest;
}

describe('what the overview draws', () => {
  it.each([
    ['byHour', 10 * HOUR_MS],
    ['byDay', 20 * 24 * HOUR_MS],
    ['byWeek', 150 * 24 * HOUR_MS],
  ])('puts every request into exactly one bar: %s', (span, agoMs) => {
    const requests = Array.from({ length: 101 }, (_, index) => request(NOON - (agoMs * index) / 100));
    const drawn = bucketRequests(requests);
    expect(drawn.span).toBe(span);
    expect(drawn.buckets.reduce((sum, bucket) => sum + bucket.total, 0)).toBe(101);
    expect(drawn.drawn).toHaveLength(101);
  });

  it('knows which requests are too old for its bars', () => {
    const requests = [request(NOON), request(NOON - 400 * 24 * HOUR_MS)];
    const { buckets, drawn } = bucketRequests(requests);
    expect(drawn).toEqual([requests[0]]);
    expect(buckets).toHaveLength(32);
  });

  it('stacks by the status at the time of the request', () => {
    const requests = [request(NOON, { status: 'confirmed' }), request(NOON + 60_000, { status: 'signed' })];
    const last = bucketRequests(requests).buckets.at(-1);
    expect(last?.from.getTime()).toBe(NOON);
    expect(last?.counts).toMatchObject({ confirmed: 1, underWay: 1, waiting: 0 });
  });

  it('counts as decided only what a customer decided', () => {
    const updated_at = new Date(NOON + 20_000).toISOString();
    const requests = [
      request(NOON, { status: 'signed', updated_at }),
      request(NOON, { status: 'rejected', updated_at }),
      request(NOON, { status: 'rejected', updated_at, reason: 'connection_revoked' }),
      request(NOON, { status: 'expired', updated_at }),
      request(NOON),
    ];
    expect(decisionTimesMs(requests)).toEqual([20_000, 20_000]);
  });

  it('sorts times into bands, the end of each belonging to the next', () => {
    expect(bandCounts([0, 9_999, 10_000, 59_999, 60_000, 3_600_000])).toEqual([2, 1, 1, 1, 0, 0, 1]);
    expect([median([]), median([3, 1, 2]), median([4, 2])]).toEqual([undefined, 2, 3]);
  });

  it('draws shares of amounts that no number could hold', () => {
    const whole = '1000000000000000000000000.0000001';
    expect(percentOf('250000000000000000000000', whole)).toBe(24.9);
    expect(percentOf('0', '25')).toBe(0);
    expect(percentOf('30', '25')).toBe(100);
  });

  it('brings any request id through the address and back, decoded once by the router', () => {
    for (const id of ['pr_1', 'order 7/ä%2F?<b>', '100%', '%2525', '..'])
      expect(idInPath(decodeURI(pathPart(id)))).toBe(id);
  });
});
