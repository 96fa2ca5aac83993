import type { PaymentRequest } from '@payassent/sdk';

export const GROUPS = ['confirmed', 'underWay', 'waiting', 'rejected', 'expired', 'failed'] as const;
type Group = (typeof GROUPS)[number];

const GROUP_OF: Record<PaymentRequest['status'], Group> = {
  pending: 'waiting',
  signed: 'underWay',
  broadcasted: 'underWay',
  confirmed: 'confirmed',
  rejected: 'rejected',
  expired: 'expired',
  failed: 'failed',
};

export interface Bucket {
  from: Date;
  counts: Record<Group, number>;
  total: number;
}

interface Drawn {
  span: Span;
  buckets: Bucket[];
  /** Requests in a bar; those older than the first bar are left out. */
  drawn: PaymentRequest[];
}

export type Span = 'byHour' | 'byDay' | 'byWeek';
const MS: Record<Span, number> = { byHour: 3_600_000, byDay: 86_400_000, byWeek: 7 * 86_400_000 };
const BARS_AT_MOST = 32;
const BARS_AT_LEAST = 8;

/** Bars of equal time up to the newest request, with the finest span that keeps the number of bars readable. */
export function bucketRequests(requests: readonly PaymentRequest[]): Drawn {
  const times = requests.map((request) => new Date(request.created_at).getTime());
  const newest = times.reduce((left, right) => Math.max(left, right), 0);
  const oldest = times.reduce((left, right) => Math.min(left, right), newest);
  const spans: readonly Span[] = ['byHour', 'byDay', 'byWeek'];
  const span = spans.find((name) => (newest - oldest) / MS[name] < BARS_AT_MOST - 1) ?? 'byWeek';
  const last = startOf(newest, span);
  const first = startOf(oldest, span);
  const count = Math.min(BARS_AT_MOST, Math.max(BARS_AT_LEAST, Math.ceil((last - first) / MS[span]) + 1));
  const begin = last - (count - 1) * MS[span];
  const buckets = Array.from({ length: count }, (_, index) => emptyBucket(begin + index * MS[span]));
  const drawn = requests.filter((request, index) => {
    const bucket = buckets[Math.floor(((times[index] ?? 0) - begin) / MS[span])];
    if (bucket === undefined) return false;
    bucket.counts[GROUP_OF[request.status]] += 1;
    bucket.total += 1;
    return true;
  });
  return { span, buckets, drawn };
}

/** The beginning of the hour or day in the reader's time zone; a week is seven such days up to the newest. */
function startOf(time: number, span: Span): number {
  const date = new Date(time);
  if (span === 'byHour') return date.setMinutes(0, 0, 0);
  return date.setHours(0, 0, 0, 0);
}

function emptyBucket(from: number): Bucket {
  const counts = { confirmed: 0, underWay: 0, waiting: 0, rejected: 0, expired: 0, failed: 0 };
  return { from: new Date(from), counts, total: 0 };
}

export function countGroups(requests: readonly PaymentRequest[]): Record<Group, number> {
  const counts = emptyBucket(0).counts;
  for (const request of requests) counts[GROUP_OF[request.status]] += 1;
  return counts;
}

/** From the request to the customer's decision; a request that expired or was withdrawn has no such time. */
export function decisionTimesMs(requests: readonly PaymentRequest[]): number[] {
  const decided = new Set(['signed', 'broadcasted', 'confirmed', 'rejected']);
  return requests
    .filter((request) => decided.has(request.status) && request.reason !== 'connection_revoked')
    .map(({ decision, updated_at, created_at }) =>
      Math.max(0, Date.parse(decision?.decided_at ?? updated_at) - Date.parse(created_at)),
    );
}

const BAND_ENDS_S = [10, 30, 60, 300, 1_800, 3_600];

export function bandCounts(timesMs: readonly number[]): number[] {
  const counts = Array.from({ length: BAND_ENDS_S.length + 1 }, () => 0);
  for (const time of timesMs) {
    const place = BAND_ENDS_S.findIndex((end) => time < end * 1000);
    const band = place === -1 ? BAND_ENDS_S.length : place;
    counts[band] = (counts[band] ?? 0) + 1;
  }
  return counts;
}
