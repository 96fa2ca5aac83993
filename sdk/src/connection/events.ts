import { listPaymentRequestEvents } from '@payassent/protocol/api';
import type { EventsQuery } from '../aliases.ts';
import type { EventsPage, PaymentRequestEvent } from '../contract.ts';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { createPacer } from '../core/pacer.ts';
import { EventGapError } from '../errors/waiting.ts';

/** How to follow events. */
export interface EventsOptions extends CallOptions {
  /** The last sequence that was handled; 0 for the beginning. */
  since?: number;
  /** Events per page, 1 to 500; 100 unless stated. */
  limit?: number;
  /** Seconds that one poll may wait, 0 to 30; 25 unless stated. */
  waitSeconds?: number;
}

const LARGEST_PAGE = 500;

/** By client, so that its next wait begins near the end. */
const newestSeen = new WeakMap<Api, number>();

/** One page, checked: numbers follow each other without a gap, and the cursor is the last of them. */
export async function readEvents(api: Api, query: EventsQuery, options: CallOptions): Promise<EventsPage> {
  const page = await api.call(
    listPaymentRequestEvents,
    { query: { ...query, since: String(query.since ?? 0) }, waitMs: (query.wait ?? 0) * 1000 },
    options,
  );
  const since = query.since ?? 0;
  page.events.forEach((event, index) => {
    if (event.sequence !== since + 1 + index) throw new EventGapError(since + 1 + index, event.sequence);
  });
  if (page.next_cursor !== since + page.events.length)
    throw new EventGapError(since + page.events.length, page.next_cursor);
  if (page.events.length > 0) newestSeen.set(api, Math.max(newestSeen.get(api) ?? 0, page.next_cursor));
  return page;
}

/** Long-polls forever; each event is handed out once, in order. */
export async function* followEvents(
  api: Api,
  options: EventsOptions,
): AsyncGenerator<PaymentRequestEvent, void, undefined> {
  const { since = 0, limit, waitSeconds = 25, ...callOptions } = options;
  const pace = createPacer(api.settings, callOptions.signal);
  let cursor = since;
  for (;;) {
    const query = { since: cursor, wait: waitSeconds, ...(limit === undefined ? {} : { limit }) };
    const page = await pace(
      () => readEvents(api, query, callOptions),
      ({ events }) => events.length > 0,
    );
    for (const event of page.events) {
      cursor = event.sequence;
      yield event;
    }
  }
}

/**
 * The number of the newest event. A history of one page is read; in a longer one the end is searched for, because a
 * number that lies ahead has an empty page.
 */
export async function newestSequence(api: Api, since: number, options: CallOptions): Promise<number> {
  const read = (from: number, limit: number) => readEvents(api, { since: from, limit }, options);
  const isThere = async (sequence: number) => (await read(sequence - 1, 1)).events.length > 0;
  const first = await read(Math.max(since, newestSeen.get(api) ?? 0), LARGEST_PAGE);
  if (!first.has_more) return first.next_cursor;

  let there = first.next_cursor;
  let step = LARGEST_PAGE;
  for (; await isThere(there + step); step *= 8) there += step;
  let ahead = there + step;
  while (ahead - there > LARGEST_PAGE) {
    const middle = Math.floor((there + ahead) / 2);
    if (await isThere(middle)) there = middle;
    else ahead = middle;
  }
  for (;;) {
    const page = await read(there, LARGEST_PAGE);
    if (!page.has_more) return page.next_cursor;
    there = page.next_cursor;
  }
}
