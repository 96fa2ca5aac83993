import { PaymentRequestEventSchema, PaymentRequestSchema } from '@payassent/protocol/records';
import { Type } from 'typebox';
import { createAct } from '../../act.ts';
import { AppError } from '../../errors.ts';
import { PAGE_QUERY } from '../../http/page.ts';
import { answer, defineRoute, type Route } from '../../http/route.ts';
import { isInboxCursor } from './inbox-cursor.ts';
import { awaitInbox, listPage } from './list.ts';
import { pollEvents } from './poll.ts';
import { readForAgent, readOne } from './read.ts';
import { CONNECTION_CHOICE, INBOX_WAIT, STATUS_FILTER, WAIT } from './schema.ts';
import { paymentRequestAnswer } from './view.ts';
import { callerOf, engineOf, hashOf } from './wiring.ts';

export const readRoute: Route = defineRoute({
  method: 'GET',
  path: '/v1/payment-requests/{id}',
  summary: 'Read one payment request',
  description: 'The truth about a request; webhooks and events only tell that it is worth reading.',
  tag: 'Payment requests',
  credential: ['connection', 'wallet', 'merchant'],
  scope: 'payment.requests.read',
  credentialCheck: 'statement',
  limit: 'reads',
  query: Type.Object({ connection_id: CONNECTION_CHOICE }),
  answer: Type.Object({ payment_request: PaymentRequestSchema }),
  errors: ['resource_not_found', 'ambiguous_request_id'],
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

export const listRoute: Route = defineRoute({
  method: 'GET',
  path: '/v1/payment-requests',
  summary: 'List payment requests; for a wallet, its inbox',
  description:
    "Newest first. An agent sees its connection's, a merchant the organization's, a wallet those of all its connections. With `wait` a wallet gets what is newer than `cursor` as soon as there is anything, and `next_cursor` is where its next wait begins.",
  tag: 'Payment requests',
  credential: ['connection', 'wallet', 'merchant'],
  scope: 'payment.requests.read',
  limit: 'reads',
  query: Type.Object({
    ...PAGE_QUERY,
    status: STATUS_FILTER,
    connection_id: CONNECTION_CHOICE,
    recipient_id: Type.Optional(Type.String({ description: 'Only to this Recipient.' })),
    wait: INBOX_WAIT,
  }),
  answer: Type.Object({
    payment_requests: Type.Array(PaymentRequestSchema),
    next_cursor: Type.Union([Type.String(), Type.Null()]),
  }),
  errors: ['invalid_cursor'],
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

export const eventsRoute: Route = defineRoute({
  method: 'GET',
  path: '/v1/payment-requests/events',
  summary: 'Poll the status changes of this connection',
  description:
    'Numbered 1, 2, 3 … without gaps in the order of their commits: whoever follows `next_cursor` misses nothing. With `wait` an empty page is held back until there is an event.',
  tag: 'Payment requests',
  credential: ['connection'],
  scope: 'payment.requests.read',
  credentialCheck: 'statement',
  limit: 'reads',
  query: Type.Object({
    since: Type.Optional(
      Type.String({ description: 'The last sequence that is known; 0, the start, when absent.' }),
    ),
    limit: Type.Integer({ minimum: 1, maximum: 500, default: 100 }),
    wait: WAIT,
  }),
  answer: Type.Object({
    events: Type.Array(PaymentRequestEventSchema),
    next_cursor: Type.Integer({ minimum: 0 }),
    has_more: Type.Boolean(),
  }),
  errors: ['invalid_cursor'],
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
