import type { PaymentRequestEvent } from '@countersign/protocol';
import type { Act } from '../../act.ts';
import { agentTopic } from '../agents/usable.ts';
import { connectionTopic } from '../callers/topics.ts';
import type { Engine, TokenPlace, Waited } from './engine.ts';
import type { EventPage } from './event-sql.ts';
import { expireOverdue } from './settle.ts';
import type { Watch } from './waiting.ts';

export interface PollCall {
  tokenHash: string;
  authenticate(): Promise<unknown>;
  since: number;
  limit: number;
  waitMs: number;
  hungUp: AbortSignal;
  /** A poll may last; what it settles at its end happens then, not when it began. */
  newAct(): Act;
}

export interface PollResult {
  events: PaymentRequestEvent[];
  next_cursor: number;
  has_more: boolean;
}

/** Overdue requests that one poll settles before it answers; the sweeper does the rest. */
const SETTLED_AT_ONCE = 500;

/** A page of events; with `waitMs`, an empty page only when nothing happened for so long. */
export async function pollEvents(engine: Engine, call: PollCall): Promise<PollResult> {
  const deadlineMs = performance.now() + call.waitMs;
  let watch: Watch<Waited> | undefined;
  try {
    for (;;) {
      watch ??= openWatch(engine, call, engine.places.get(call.tokenHash));
      const page = await readPage(engine, call);
      if (!page) return emptyPage(call);
      const result = toResult(call, page);
      if (result.events.length > 0 || call.waitMs === 0) return result;
      // The connection was not known before this look: look again with open ears.
      if (!watch) continue;
      const wakeup = await watch.next(deadlineMs - performance.now());
      if (wakeup !== 'changed') return result;
    }
  } finally {
    watch?.close();
  }
}

function openWatch(engine: Engine, call: PollCall, place: TokenPlace | undefined): Watch<Waited> | undefined {
  if (call.waitMs === 0 || !place) return undefined;
  return engine.waiters.watch(
    { kind: 'poll', tokenHash: call.tokenHash, since: call.since },
    [connectionTopic(place.connectionId), agentTopic(place.agentId)],
    call.hungUp,
  );
}

/** Undefined when the credential fails the statement although the ordinary check has nothing against it. */
async function readPage(engine: Engine, call: PollCall): Promise<EventPage | undefined> {
  const read = { tokenHash: call.tokenHash, since: call.since, limit: call.limit + 1 };
  let page = await engine.polls.run(read);
  if (!page) {
    await call.authenticate();
    page = await engine.polls.run(read);
  }
  if (!page) return undefined;
  engine.places.set(call.tokenHash, { connectionId: page.connection_id, agentId: page.agent_id });
  if (!page.has_overdue) return page;
  const { merchant_id: merchantId, connection_id: connectionId } = page;
  await expireOverdue(engine.db, call.newAct(), {
    kind: 'overdue_of_connection',
    merchantId,
    connectionId,
    limit: SETTLED_AT_ONCE,
  });
  return (await engine.polls.run(read)) ?? page;
}

function toResult(call: PollCall, page: EventPage): PollResult {
  const read = JSON.parse(page.events) as PaymentRequestEvent[];
  const events = read.slice(0, call.limit);
  return {
    events,
    next_cursor: events.at(-1)?.sequence ?? call.since,
    has_more: read.length > call.limit,
  };
}

function emptyPage(call: PollCall): PollResult {
  return { events: [], next_cursor: call.since, has_more: false };
}
