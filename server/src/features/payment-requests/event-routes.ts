import type { listPaymentRequestEvents, QueryOf } from '@payassent/protocol/api';
import { createAct } from '../../act.ts';
import { AppError } from '../../errors.ts';
import { wantsStream } from '../../http/event-stream.ts';
import { type Answer, answer, type Call, Members, streamAnswer } from '../../http/route.ts';
import { type Engine, type EventFeed, pollEvents, streamEvents } from '../../payments/index.ts';
import { callerOf } from './wiring.ts';

type EventsQuery = QueryOf<typeof listPaymentRequestEvents> & { limit: number; wait: number };

/** A page of events, or a stream of them for a caller that accepts one. */
export async function answerEvents(
  engine: Engine,
  feed: EventFeed,
  call: Call<'connection', unknown, EventsQuery>,
): Promise<Answer> {
  const { query, request } = call;
  const isStream = wantsStream(request);
  const lastEventId = isStream ? request.headers['last-event-id'] : undefined;
  const since = readSince(lastEventId ?? query.since ?? '0');
  if (since === undefined) {
    await call.authenticate();
    throw new AppError('invalid_cursor', { field: lastEventId === undefined ? 'since' : 'Last-Event-ID' });
  }
  // One object for both ways: a poll that added its own members to a copy spent 5 µs on that.
  const events = {
    feed,
    caller: callerOf(call.presented),
    authenticate: call.authenticate,
    since,
    limit: query.limit,
    newAct: () => createAct(call.context, call.act.requestId),
    waitMs: query.wait * 1000,
    hungUp: query.wait > 0 && !isStream ? call.hungUp : NEVER,
  };
  if (isStream) return streamAnswer(await streamEvents(engine, events));
  const page = await pollEvents(engine, events);
  const { events: list, next_cursor, has_more } = page;
  return answer(new Members(`"events":${list},"next_cursor":${next_cursor},"has_more":${has_more}`));
}

const SINCE = /^(0|[1-9][0-9]{0,14})$/;

/** The caller's position: after the last event that it has from a stream, else after the one that it names. */
function readSince(sent: string | string[]): number | undefined {
  return typeof sent === 'string' && SINCE.test(sent) ? Number(sent) : undefined;
}

/** For polls that do not wait, which need not notice a disconnect. */
export const NEVER: AbortSignal = new AbortController().signal;
