import type { EventsQuery } from '../aliases.ts';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { orAborted } from '../core/clock.ts';
import { restAfterNothing } from '../core/deadline.ts';
import type { OperationData } from '../core/operation-data.ts';
import type { Settings } from '../core/settings.ts';
import { type Store, storeNames } from '../core/store.ts';
import { ApiError } from '../errors/api-error.ts';
import { EventGapError } from '../errors/waiting.ts';
import type { listPaymentRequestEvents } from '../operations.ts';

/** Options for following events. */
export interface EventsOptions extends CallOptions {
  /** The last sequence that was handled; 0 for the beginning. */
  since?: number;
  /**
   * Instead of `since`: a name under which the store keeps the last sequence. An event counts as handled when the next
   * one is requested; after a crash, or a `break`, the last one is returned again.
   */
  cursor?: string;
  /** Events per page, 1 to 500; default 100. */
  limit?: number;
  /** Seconds that one poll may wait, 0 to 30; default 25. */
  waitSeconds?: number;
  /**
   * One open stream instead of polls: events arrive a little sooner and cost fewer calls. When it ends, it is opened
   * again after the last event that was returned.
   */
  stream?: boolean;
}

const LARGEST_PAGE = 500;
/**
 * The service sends something every 15 seconds; a stream that is silent for longer than that plus the time of a call is
 * broken.
 */
const SILENCE_MS = 25_000;

interface Numbered {
  sequence: number;
}

interface Page<Event> {
  events: Event[];
  next_cursor: number;
  has_more: boolean;
}

type Turn<Event> = AsyncGenerator<Event, void, undefined>;

/** Events of one kind, which the service numbers in each connection. */
export class EventReader<Event extends Numbered> {
  readonly #operation: typeof listPaymentRequestEvents;
  /** By client, so that its next wait begins near the end. */
  readonly #newestSeen = new WeakMap<Api, number>();

  constructor(operation: OperationData) {
    // All of them take the same query and respond with a page.
    this.#operation = operation as typeof listPaymentRequestEvents;
  }

  /** One page, checked. */
  async read(api: Api, query: EventsQuery, options: CallOptions): Promise<Page<Event>> {
    const page = await api.call(this.#operation, inputOf(query), options);
    return this.#checked(api, page as unknown as Page<Event>, query.since ?? 0);
  }

  /** Without end; each event is returned once, in order. */
  async *follow(api: Api, options: EventsOptions, stored?: StoredCursor): Turn<Event> {
    const { since = 0, cursor: _, limit, waitSeconds = 25, stream = false, ...callOptions } = options;
    const { settings } = api;
    let cursor = stored ? await stored.read() : since;
    for (;;) {
      const query = { since: cursor, wait: waitSeconds, ...(limit === undefined ? {} : { limit }) };
      const startedAt = settings.clock.now();
      const turn = stream ? this.#stream(api, query, callOptions) : this.#poll(api, query, callOptions);
      for await (const event of turn) {
        cursor = event.sequence;
        yield event;
        await stored?.keep(cursor);
      }
      if (cursor === query.since) await restAfterNothing(settings, startedAt, callOptions.signal);
    }
  }

  /**
   * The number of the newest event. A history of one page is read directly; in a longer one the end is found by binary
   * search, because a number beyond the end returns an empty page.
   */
  async newest(api: Api, since: number, options: CallOptions): Promise<number> {
    const read = (from: number, limit: number) => this.read(api, { since: from, limit }, options);
    const isThere = async (sequence: number) => (await read(sequence - 1, 1)).events.length > 0;
    const first = await read(Math.max(since, this.#newestSeen.get(api) ?? 0), LARGEST_PAGE);
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

  async *#poll(api: Api, query: EventsQuery, options: CallOptions): Turn<Event> {
    yield* (await this.read(api, query, options)).events;
  }

  /** Until the stream ends. A service without streams, or at its limit of streams, is polled. */
  async *#stream(api: Api, query: EventsQuery & { since: number }, options: CallOptions): Turn<Event> {
    const { settings } = api;
    const input = { ...inputOf(query), acceptsStream: true };
    const opened = await api.exchange(this.#operation, input, options).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'limit_reached') return undefined;
      throw error;
    });
    if (!opened) return yield* this.#poll(api, query, options);
    if (!opened.stream)
      return yield* this.#checked(api, opened.members as unknown as Page<Event>, query.since).events;
    const silenceMs = (options.timeoutMs ?? settings.timeoutMs) + SILENCE_MS;
    let cursor = query.since;
    for await (const data of readMessages(settings, opened.stream, silenceMs, options.signal)) {
      const event = JSON.parse(data) as Event;
      this.#checked(api, { events: [event], next_cursor: event.sequence, has_more: false }, cursor);
      cursor = event.sequence;
      yield event;
    }
  }

  /** Numbers follow each other without a gap, and the cursor is the last of them. */
  #checked(api: Api, page: Page<Event>, since: number): Page<Event> {
    page.events.forEach((event, index) => {
      if (event.sequence !== since + 1 + index) throw new EventGapError(since + 1 + index, event.sequence);
    });
    if (page.next_cursor !== since + page.events.length)
      throw new EventGapError(since + page.events.length, page.next_cursor);
    if (page.events.length > 0)
      this.#newestSeen.set(api, Math.max(this.#newestSeen.get(api) ?? 0, page.next_cursor));
    return page;
  }
}

function inputOf(query: EventsQuery) {
  return { query: { ...query, since: String(query.since ?? 0) } };
}

/** The position of a reader. */
interface StoredCursor {
  read(): Promise<number>;
  keep(sequence: number): unknown;
}

/** For a reader with a name in the store; undefined for one without. */
export function storedCursor(
  { cursor, since }: { cursor?: string; since?: number },
  store: Store | undefined,
  connectionId: string | undefined,
): StoredCursor | undefined {
  if (cursor === undefined) return undefined;
  if (since !== undefined) throw new TypeError('Give either cursor or since, not both');
  if (!store || connectionId === undefined)
    throw new TypeError('cursor needs a client with a store and a connectionId; without them use since');
  const name = storeNames.cursor(connectionId, cursor);
  return {
    async read() {
      const kept = Number((await store.get(name)) ?? 0);
      if (!Number.isSafeInteger(kept) || kept < 0)
        throw new TypeError(`The store has no number under ${name}`);
      return kept;
    },
    keep: (sequence) => store.set(name, String(sequence)),
  };
}

/** A message is one event. A server that never ends one must not exhaust the memory. */
const MAX_MESSAGE_LENGTH = 1024 * 1024;

/**
 * The data of each message of a `text/event-stream`, as it arrives. It ends when the service ends it, when the
 * connection breaks, and when nothing arrived for `silenceMs`; only an abort throws.
 */
async function* readMessages(
  { clock }: Settings,
  stream: ReadableStream<Uint8Array>,
  silenceMs: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<string, void, undefined> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const stopTimer = clock.after(silenceMs, () => void reader.cancel().catch(() => undefined));
      const chunk = reader.read().catch(() => ({ done: true, value: undefined }));
      const { done, value } = await orAborted(chunk, signal).finally(stopTimer);
      if (done || !value) return;
      const parts = (text + decoder.decode(value, { stream: true })).replaceAll('\r\n', '\n').split('\n\n');
      text = parts.pop() ?? '';
      if (text.length > MAX_MESSAGE_LENGTH) return;
      for (const part of parts) {
        const data = dataOf(part);
        if (data !== undefined) yield data;
      }
    }
  } finally {
    // Also when the caller stops reading: without it the connection stays open.
    reader.cancel().catch(() => undefined);
  }
}

/** Undefined for a comment. */
function dataOf(message: string): string | undefined {
  const lines = message.split('\n').filter((line) => line.startsWith('data:'));
  return lines.length === 0 ? undefined : lines.map((line) => line.slice(5).replace(/^ /, '')).join('\n');
}
