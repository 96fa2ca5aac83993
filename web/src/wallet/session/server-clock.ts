import { useEffect, useState } from 'react';

/**
 * The difference to the service's clock: each response bounds it. Within the bounds the device's clock is used; a wrong
 * clock is corrected by no more than the bounds require.
 */
let bounds = { least: Number.NEGATIVE_INFINITY, most: Number.POSITIVE_INFINITY };
const SECOND_MS = 1_000;

/** Reads the `Date` of a response, which is truncated to the second, and was written between sending and receiving. */
function noteDate(date: string | null, sentAt: number, receivedAt: number): void {
  const told = Date.parse(date ?? '');
  if (Number.isNaN(told)) return;
  const now = { least: told - receivedAt, most: told + SECOND_MS - sentAt };
  const both = { least: Math.max(bounds.least, now.least), most: Math.min(bounds.most, now.most) };
  // Contradicting bounds: one of the clocks was set in the meantime.
  bounds = both.least <= both.most ? both : now;
}

export function serverNow(): number {
  return Date.now() + Math.min(Math.max(0, bounds.least), bounds.most);
}

/** For the SDK: `fetch`, which also reads the clock of each response. */
export async function timedFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  const sentAt = Date.now();
  const response = await fetch(url, init);
  noteDate(response.headers.get('date'), sentAt, Date.now());
  return response;
}

/**
 * The service's time, read again when `next` returns how many milliseconds remain until a change; undefined for never.
 */
export function useServerTime(next: (now: number) => number | undefined): number {
  const [now, setNow] = useState(serverNow);
  const wait = next(now);
  // Each new time needs a new timer, also for the same wait.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (wait === undefined) return;
    const timer = setTimeout(() => setNow(serverNow()), wait);
    return () => clearTimeout(timer);
  }, [now, wait]);
  return now;
}
