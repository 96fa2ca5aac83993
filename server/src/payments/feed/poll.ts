import type { Act } from '../../act.ts';
import { agentTopic } from '../../features/agents/usable.ts';
import { connectionTopic } from '../../features/callers/topics.ts';
import type { CallerPermission, TokenPlace } from '../../principals.ts';
import { closeEnded } from '../close/close.ts';
import type { Engine } from '../engine.ts';
import type { PermittedCall } from '../permissions/permissions.ts';
import { type EventKind, type EventPage, NO_EVENTS } from './event-sql.ts';
import type { Waited } from './pending-waiters.ts';
import type { Watch } from './waiters.ts';

/** Events of one kind, and how records that ended without a decision get theirs before a page is read. */
export interface EventFeed {
  kind: EventKind;
  settle(engine: Engine, act: Act, page: PageOf): Promise<void>;
}

/** A page, and its connection. */
export interface PageOf {
  of: CallerPermission;
  page: EventPage;
}

/** Which events, and their caller. */
export interface EventsCall extends PermittedCall {
  feed: EventFeed;
  since: number;
  limit: number;
  /** A poll may take long; what it closes at its end happens then, not when it began. */
  newAct(): Act;
}

export interface PollCall extends EventsCall {
  waitMs: number;
  hungUp: AbortSignal;
}

export interface PollResult {
  /** A JSON list. */
  events: string;
  next_cursor: number;
  has_more: boolean;
}

/** Ended records of a kind that one poll closes before it responds; a job does the rest. */
const SETTLED_BY_A_POLL = 500;

export const requestFeed: EventFeed = {
  kind: 'payment_request',
  async settle({ db }, act, { of: { merchantId, connectionId }, page }) {
    const place = { merchantId, connectionId, limit: SETTLED_BY_A_POLL };
    if (page.has_overdue) await closeEnded(db, act, { kind: 'overdue_of_connection', ...place });
    if (page.has_recalled) await closeEnded(db, act, { kind: 'recalled_of_connection', ...place });
  },
};

/** A page of events; with `waitMs`, an empty page only when nothing happened for so long. */
export async function pollEvents(engine: Engine, call: PollCall): Promise<PollResult> {
  const deadlineMs = performance.now() + call.waitMs;
  let watch: Watch<Waited> | undefined;
  try {
    for (;;) {
      watch ??= openWatch(engine, call, engine.owners.get(call.caller.tokenHash)?.place);
      const found = await readPage(engine, call);
      if (!found) return emptyPage(call);
      const { page } = found;
      if (page.events !== NO_EVENTS || call.waitMs === 0) return page;
      // The connection was unknown until now: subscribe, then read again.
      if (!watch) continue;
      const wakeup = await watch.next(deadlineMs - performance.now());
      if (wakeup !== 'changed') return page;
    }
  } finally {
    watch?.close();
  }
}

function openWatch(engine: Engine, call: PollCall, place: TokenPlace | undefined): Watch<Waited> | undefined {
  if (call.waitMs === 0 || !place) return undefined;
  return watchEvents(engine, call, place, call.hungUp);
}

export function watchEvents(
  engine: Engine,
  { feed, caller, since }: EventsCall,
  place: TokenPlace,
  hungUp: AbortSignal,
): Watch<Waited> {
  const topics = [connectionTopic(place.connectionId), agentTopic(place.agentId)];
  return engine.waiters.watch({ kind: 'poll', of: feed.kind, caller, since }, topics, hungUp);
}

/** Undefined when the credential fails the lookup although the ordinary check accepts it. */
export async function readPage(engine: Engine, call: EventsCall): Promise<PageOf | undefined> {
  const { feed, since, limit } = call;
  const read = () =>
    engine.permissions.under(call, async (of) => {
      const page = await engine.polls[feed.kind].run({ permission: of, since, limit });
      return page && { of, page };
    });
  const found = await read();
  if (!found || (!found.page.has_overdue && !found.page.has_recalled)) return found;
  await feed.settle(engine, call.newAct(), found);
  return (await read()) ?? found;
}

function emptyPage(call: PollCall): PollResult {
  return { events: NO_EVENTS, next_cursor: call.since, has_more: false };
}
