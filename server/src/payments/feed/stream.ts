import { AppError } from '../../errors.ts';
import { type Sink, type Stream, streamed } from '../../lib/event-stream.ts';
import type { TokenPlace } from '../../principals.ts';
import type { Engine } from '../engine.ts';
import { type EventKind, NO_EVENTS } from './event-sql.ts';
import type { Waited } from './pending-waiters.ts';
import { type EventsCall, readPage, watchEvents } from './poll.ts';
import type { Watch } from './waiters.ts';

/** Also shows proxies and readers that the connection is alive. */
const COMMENT = ':\n\n';
const COMMENT_EVERY_MS = 15_000;
const BEGINS_WITHIN_MS = 5_000;

/** The events of the caller's connection as they happen. Errors come before it begins; the stream itself just ends. */
export async function streamEvents(engine: Engine, call: EventsCall): Promise<Stream> {
  const admitted = await readPage(engine, { ...call, limit: 1 });
  if (!admitted) throw new AppError('unauthenticated');
  const { of: place } = admitted;
  const leave = engine.streams.take(place.connectionId);
  // A call that was given up meanwhile never begins its stream.
  const unused = setTimeout(leave, BEGINS_WITHIN_MS);
  return async (sink) => {
    clearTimeout(unused);
    try {
      await follow(engine, call, place, sink);
    } finally {
      leave();
    }
  };
}

/** Every read proves the token again, and what ends a token wakes the waiters, so the stream ends with it. */
async function follow(engine: Engine, call: EventsCall, place: TokenPlace, sink: Sink): Promise<void> {
  // Opened before the first read, so that nothing is missed between it and the wait.
  const watch = watchEvents(engine, call, place, sink.gone);
  try {
    const rest = createRest(watch, sink);
    let since = call.since;
    let isOpen = await sink.write(COMMENT);
    while (isOpen) {
      const found = await readPage(engine, { ...call, since });
      if (!found) return;
      const { page } = found;
      if (page.events === NO_EVENTS) {
        isOpen = await rest();
        continue;
      }
      since = page.next_cursor;
      watch.subject = { kind: 'poll', of: call.feed.kind, caller: call.caller, since };
      isOpen = await sink.write(messagesOf(call.feed.kind, page.events));
    }
  } finally {
    watch.close();
  }
}

/** Waits for news and sends the comments; false when the reader is gone or the service stops. */
function createRest(watch: Watch<Waited>, sink: Sink): () => Promise<boolean> {
  let commentAtMs = performance.now() + COMMENT_EVERY_MS;
  return async () => {
    for (;;) {
      const wakeup = await watch.next(Math.max(1, commentAtMs - performance.now()));
      if (wakeup !== 'timeout') return wakeup === 'changed';
      commentAtMs = performance.now() + COMMENT_EVERY_MS;
      if (!(await sink.write(COMMENT))) return false;
    }
  };
}

function messagesOf(kind: EventKind, events: string): string {
  const list = JSON.parse(events) as { sequence: number }[];
  return list.map((event) => streamed(kind, event.sequence, JSON.stringify(event))).join('');
}
