import { type Issue, PAYMENT_REQUEST_STATUSES, type PaymentRequestStatus } from '@payassent/protocol';
import type { QueryOf } from '@payassent/protocol/api';
import * as api from '@payassent/protocol/api';
import type { PaymentRequest } from '@payassent/protocol/records';
import { type Act, createAct } from '../../act.ts';
import { AppError, refuseWhenInvalid } from '../../errors.ts';
import { answer, implement, Members, type Route } from '../../http/route.ts';
import {
  awaitChange,
  awaitInbox,
  type Engine,
  isInboxCursor,
  type ListQuery,
  listPage,
  paymentRequestMembers,
  paymentRequestView,
  readForAgent,
  readHistory,
  readOne,
  requestFeed,
  watchRequest,
} from '../../payments/index.ts';
import { answerEvents, NEVER } from './event-routes.ts';
import { callerOf, hashOf } from './wiring.ts';

const readRoute = (engine: Engine) =>
  implement(api.getPaymentRequest, {
    credentialCheck: 'statement',
    async run(call) {
      const credential = callerOf(call.presented);
      const { connection_id: connectionId = null, wait = 0, state_version: after = 0 } = call.query;
      const choice = { requestId: call.params['id'] ?? '', connectionId };
      const authenticate = () => call.authenticate();
      const newAct = () => createAct(call.context, call.act.requestId);
      const asAgent = (act: Act) =>
        readForAgent(engine, act, { caller: credential, authenticate, ...choice });
      const asOther = async (act: Act) => {
        const reader = await authenticate();
        if (reader.kind === 'connection') throw new AppError('unauthenticated');
        return readOne({ ...engine, db: call.context.db }, act, reader, choice);
      };
      const isAgent = credential.kind === 'connection';
      if (isAgent && wait === 0) return answer(new Members(paymentRequestMembers(await asAgent(call.act))));
      const read = async () =>
        isAgent ? paymentRequestView(await asAgent(newAct()), 'connection') : asOther(newAct());
      const waitMs = wait * 1000;
      const { hungUp } = wait === 0 ? { hungUp: NEVER } : call;
      const watch = (record: PaymentRequest) => watchRequest(engine, { credential, after, hungUp }, record);
      return { payment_request: await awaitChange({ after, waitMs, read, watch }) };
    },
  });

const historyRoute = (engine: Engine) =>
  implement(api.listEventsOfPaymentRequest, {
    async run({ context, act, principal, params, query }) {
      const choice = { requestId: params['id'] ?? '', connectionId: query.connection_id ?? null };
      return { events: await readHistory({ ...engine, db: context.db }, act, principal, choice) };
    },
  });

type ListInput = QueryOf<typeof api.listPaymentRequests> & { limit: number };

/** The rules for the filters that the schema cannot express. */
function listQueryOf(query: ListInput, reader: 'connection' | 'wallet' | 'merchant'): ListQuery {
  const issues: Issue[] = [];
  const statuses = query.status?.split(',').filter((status) => isStatus(status));
  if (query.status?.split(',').some((status) => !isStatus(status))) {
    const known = PAYMENT_REQUEST_STATUSES.join(', ');
    issues.push({
      field: 'status',
      code: 'invalid_enum',
      message: `status must be one or several of ${known}.`,
    });
  }
  if (query.idempotency_key !== undefined && reader !== 'connection') {
    const message = 'Only the agent whose key it is can filter by idempotency_key.';
    issues.push({ field: 'idempotency_key', code: 'unknown_field', message });
  }
  if (query.q !== undefined && query.wait !== undefined)
    issues.push({ field: 'q', code: 'invalid_format', message: 'q cannot be combined with wait.' });
  refuseWhenInvalid(issues);
  return {
    statuses,
    connectionId: query.connection_id,
    recipientId: query.recipient_id,
    idempotencyKey: query.idempotency_key,
    createdAfter: query.created_after === undefined ? undefined : new Date(query.created_after),
    createdBefore: query.created_before === undefined ? undefined : new Date(query.created_before),
    words: query.q,
    limit: query.limit,
    cursor: query.cursor,
  };
}

function isStatus(text: string): text is PaymentRequestStatus {
  return PAYMENT_REQUEST_STATUSES.some((status) => status === text);
}

const listRoute = (engine: Engine) =>
  implement(api.listPaymentRequests, {
    async run(call) {
      const { query, principal } = call;
      const list = listQueryOf(query, principal.kind);
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

const eventsRoute = (engine: Engine) =>
  implement(api.listPaymentRequestEvents, {
    credentialCheck: 'statement',
    run: (call) => answerEvents(engine, requestFeed, call),
  });

export function readRoutes({ engine }: { engine: Engine }): Route[] {
  return [listRoute(engine), eventsRoute(engine), readRoute(engine), historyRoute(engine)];
}
