import type { listPaymentRequestEvents, QueryOf } from '@payassent/protocol/api';
import { createAct } from '../../act.ts';
import { AppError } from '../../errors.ts';
import { wantsStream } from '../../http/event-stream.ts';
import { type Answer, answer, type Call, streamAnswer } from '../../http/route.ts';
import { type EventFeed, pollEvents } from './poll.ts';
import { streamEvents } from './stream.ts';
import { callerOf, engineOf } from './wiring.ts';

type EventsQuery = QueryOf<typeof listPaymentRequestEvents> & { limit: number; wait: number };

/** A page of events, or a stream of them for a caller that accepts one. */
export async function answerEvents(
  feed: EventFeed,
  call: Call<'connection', unknown, EventsQuery>,
): Promise<Answer> {
  const { query, request } = call;
  const engine = engineOf(call.context);
  const isStream = wantsStream(request);
  const events = {
    feed,
    caller: callerOf(call.presented),
    authenticate: call.authenticate,
    since: await readSince(call, isStream ? request.headers['last-event-id'] : undefined),
    limit: query.limit,
    newAct: () => createAct(call.context, call.act.requestId),
  };
  if (isStream) return streamAnswer(await streamEvents(engine, events));
  const page = await pollEvents(engine, {
    ...events,
    waitMs: query.wait * 1000,
    hungUp: query.wait > 0 ? call.hungUp : NEVER,
  });
  return answer(`{"events":${page.events},"next_cursor":${page.next_cursor},"has_more":${page.has_more}}`);
}

const SINCE = /^(0|[1-9][0-9]{0,14})$/;

/** Where the caller is: after the last event that it has from a stream, else after the one that it names. */
async function readSince(
  { query, authenticate }: Pick<Call<'connection', unknown, EventsQuery>, 'query' | 'authenticate'>,
  lastEventId: string | string[] | undefined,
): Promise<number> {
  const sent = lastEventId ?? query.since ?? '0';
  if (typeof sent === 'string' && SINCE.test(sent)) return Number(sent);
  await authenticate();
  throw new AppError('invalid_cursor', { field: lastEventId === undefined ? 'since' : 'Last-Event-ID' });
}

/** For polls that do not wait and so need not know whether the caller is still there. */
export const NEVER: AbortSignal = new AbortController().signal;
