import * as api from '@payassent/protocol/api';
import { createAct } from '../../act.ts';
import { AppError } from '../../errors.ts';
import { answer, implement, type Route } from '../../http/route.ts';
import { isInboxCursor } from './inbox-cursor.ts';
import { awaitInbox, listPage } from './list.ts';
import { pollEvents } from './poll.ts';
import { readForAgent, readHistory, readOne } from './read.ts';
import { paymentRequestAnswer } from './view.ts';
import { callerOf, engineOf, hashOf } from './wiring.ts';

export const readRoute: Route = implement(api.getPaymentRequest, {
  credentialCheck: 'statement',
  async run(call) {
    const engine = engineOf(call.context);
    const choice = { requestId: call.params['id'] ?? '', connectionId: call.query.connection_id ?? null };
    if (call.presented?.kind === 'connection') {
      const { requestId, connectionId } = choice;
      const authenticate = () => call.authenticate();
      const read = { caller: callerOf(call.presented), authenticate, requestId, connectionId };
      return answer(paymentRequestAnswer(await readForAgent(engine, call.act, read)));
    }
    const reader = await call.authenticate();
    if (reader.kind === 'connection') throw new AppError('unauthenticated');
    return { payment_request: await readOne({ ...engine, db: call.context.db }, call.act, reader, choice) };
  },
});

export const historyRoute: Route = implement(api.listEventsOfPaymentRequest, {
  async run({ context, act, principal, params, query }) {
    const engine = { ...engineOf(context), db: context.db };
    const choice = { requestId: params['id'] ?? '', connectionId: query.connection_id ?? null };
    return { events: await readHistory(engine, act, principal, choice) };
  },
});

export const listRoute: Route = implement(api.listPaymentRequests, {
  async run(call) {
    const engine = engineOf(call.context);
    const { query, principal } = call;
    const list = {
      status: query.status,
      connectionId: query.connection_id,
      recipientId: query.recipient_id,
      limit: query.limit,
      cursor: query.cursor,
    };
    const isWaiting = query.wait !== undefined || isInboxCursor(query.cursor);
    if (principal.kind !== 'wallet' || !isWaiting)
      return { ...(await listPage({ ...engine, db: call.context.db }, call.act, principal, list)) };
    const waited = await awaitInbox(
      engine,
      {
        tokenHash: hashOf(call.presented),
        reader: principal,
        authenticate: call.authenticate,
        waitMs: (query.wait ?? 0) * 1000,
        hungUp: call.hungUp,
        newAct: () => createAct(call.context, call.act.requestId),
      },
      list,
    );
    return { ...waited };
  },
});

const SINCE = /^(0|[1-9][0-9]{0,14})$/;

export const eventsRoute: Route = implement(api.listPaymentRequestEvents, {
  credentialCheck: 'statement',
  async run(call) {
    const { query } = call;
    const since = query.since ?? '0';
    if (!SINCE.test(since)) {
      await call.authenticate();
      throw new AppError('invalid_cursor', { field: 'since' });
    }
    const page = await pollEvents(engineOf(call.context), {
      caller: callerOf(call.presented),
      authenticate: call.authenticate,
      since: Number(since),
      limit: query.limit,
      waitMs: query.wait * 1000,
      hungUp: query.wait > 0 ? call.hungUp : NEVER,
      newAct: () => createAct(call.context, call.act.requestId),
    });
    return answer(`{"events":${page.events},"next_cursor":${page.next_cursor},"has_more":${page.has_more}}`);
  },
});

/** For polls that do not wait and so need not know whether the caller is still there. */
const NEVER = new AbortController().signal;
