import { listPaymentRequestEvents } from '@payassent/protocol/api';
import type { EventsQuery } from '../aliases.ts';
import type { EventsPage, PaymentRequestEvent } from '../contract.ts';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { readMessages } from '../core/event-stream.ts';
import { restAfterNothing } from '../core/pacer.ts';
import { ApiError } from '../errors/api-error.ts';
import { EventGapError } from '../errors/waiting.ts';
import type { StoredCursor } from './stored-cursor.ts';

/** How to follow events. */
export interface EventsOptions extends CallOptions {
  /** The last sequence that was handled; 0 for the beginning. */
  since?: number;
  /**
   * Instead of `since`: a name under which the store keeps the last sequence. An event counts as handled when the next
   * one is asked for; after a crash, or a `break`, the last one comes again.
   */
  cursor?: string;
  /** Events per page, 1 to 500; 100 unless stated. */
  limit?: number;
  /** Seconds that one poll may wait, 0 to 30; 25 unless stated. */
  waitSeconds?: number;
  /**
   * One open stream instead of polls: events come a little sooner and cost fewer calls. It is opened again when it
   * ends, after the last event that was handed out.
   */
  stream?: boolean;
}

const LARGEST_PAGE = 500;
/** The service says something every 15 seconds; a stream that is silent for longer, and the time of a call, is dead. */
const SILENCE_MS = 25_000;

/** By client, so that its next wait begins near the end. */
const newestSeen = new WeakMap<Api, number>();

/** One page, checked. */
export async function readEvents(api: Api, query: EventsQuery, options: CallOptions): Promise<EventsPage> {
  const page = await api.call(
    listPaymentRequestEvents,
    { query: { ...query, since: String(query.since ?? 0) }, waitMs: (query.wait ?? 0) * 1000 },
    options,
  );
  return checked(api, page, query.since ?? 0);
}

/** Numbers follow each other without a gap, and the cursor is the last of them. */
function checked(api: Api, page: EventsPage, since: number): EventsPage {
  page.events.forEach((event, index) => {
    if (event.sequence !== since + 1 + index) throw new EventGapError(since + 1 + index, event.sequence);
  });
  if (page.next_cursor !== since + page.events.length)
    throw new EventGapError(since + page.events.length, page.next_cursor);
  if (page.events.length > 0) newestSeen.set(api, Math.max(newestSeen.get(api) ?? 0, page.next_cursor));
  return page;
}

/** Without end; each event is handed out once, in order. */
export async function* followEvents(
  api: Api,
  options: EventsOptions,
  stored?: StoredCursor,
): AsyncGenerator<PaymentRequestEvent, void, undefined> {
  const { since = 0, cursor: _, limit, waitSeconds = 25, stream = false, ...callOptions } = options;
  const { settings } = api;
  let cursor = stored ? await stored.read() : since;
  for (;;) {
    const query = { since: cursor, wait: waitSeconds, ...(limit === undefined ? {} : { limit }) };
    const startedAt = settings.clock.now();
    for await (const event of stream
      ? streamOnce(api, query, callOptions)
      : pollOnce(api, query, callOptions)) {
      cursor = event.sequence;
      yield event;
      await stored?.keep(cursor);
    }
    if (cursor === query.since) await restAfterNothing(settings, startedAt, callOptions.signal);
  }
}

type Turn = AsyncGenerator<PaymentRequestEvent, void, undefined>;

async function* pollOnce(api: Api, query: EventsQuery, options: CallOptions): Turn {
  yield* (await readEvents(api, query, options)).events;
}

/** Until the stream ends. A service without streams, and one that has enough of them, is polled. */
async function* streamOnce(api: Api, query: EventsQuery & { since: number }, options: CallOptions): Turn {
  const { settings } = api;
  const opened = await openStream(api, query, options).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'limit_reached') return undefined;
    throw error;
  });
  if (!opened) return yield* pollOnce(api, query, options);
  if (!opened.stream) return yield* checked(api, opened.members, query.since).events;
  const silenceMs = (options.timeoutMs ?? settings.timeoutMs) + SILENCE_MS;
  let cursor = query.since;
  for await (const data of readMessages(settings, opened.stream, silenceMs, options.signal)) {
    const event = JSON.parse(data) as PaymentRequestEvent;
    checked(api, { events: [event], next_cursor: event.sequence, has_more: false }, cursor);
    cursor = event.sequence;
    yield event;
  }
}

/** A service that has no streams takes it for a poll. */
function openStream(api: Api, { since = 0, wait = 0, ...query }: EventsQuery, options: CallOptions) {
  const input = { query: { ...query, wait, since: String(since) }, waitMs: wait * 1000, acceptsStream: true };
  return api.exchange(listPaymentRequestEvents, input, options);
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
