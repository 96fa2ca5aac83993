import type { Issue } from '@payassent/protocol';
import * as api from '@payassent/protocol/api';
import type { AgentPayment } from '@payassent/protocol/records';
import { type Act, createAct } from '../../act.ts';
import { transaction } from '../../db/open.ts';
import { AppError, invalid } from '../../errors.ts';
import { implement, type Route, replay } from '../../http/route.ts';
import { decodeCursor, toPage } from '../../page.ts';
import { awaitChange, type Engine, reasonIssues } from '../../payments/index.ts';
import { connectionTopic } from '../callers/topics.ts';
import { decisionIssues } from '../decisions/decide.ts';
import { answerEvents } from '../payment-requests/event-routes.ts';
import { merchantOfConnection } from '../project-access/connection.ts';
import { type ProjectPrincipal, reachOf } from '../project-access/reach.ts';
import {
  type ScreenedInput,
  screenNames,
  screenNamesAndReferences,
  screenOwned,
} from '../project-access/screen.ts';
import { checkPaymentInput } from './checks.ts';
import { closeOverdueOf, paymentFeed } from './close.ts';
import { createAgentPayment } from './create.ts';
import { cancelPayment, type DecidedPayment, reportStatus } from './decide.ts';
import { selectEvents } from './event-sql.ts';
import { laterIssues } from './later-issues.ts';
import { listPayments, readPayment, replayPayment } from './read.ts';
import { type PaymentRow, paymentView } from './view.ts';

/** An agent's payment needs the agent's key, and a key alone never acts for a human. */
async function screenPayment(input: ScreenedInput): Promise<void> {
  const { principal, companion, body } = input;
  const { initiated_by: initiatedBy } = body;
  if (initiatedBy === 'agent' && principal.kind !== 'api_key' && !companion) {
    throw new AppError('unauthenticated', {
      message: "An agent's payment needs the agent's API key. Leave initiated_by out for a human's payment.",
    });
  }
  await screenNamesAndReferences(input);
  if (initiatedBy === 'human' && principal.kind === 'api_key')
    throw new AppError('human_credential_required');
}

const KEY_MISSING: Issue = {
  field: 'idempotency_key',
  code: 'required',
  message: 'Send the header X-Idempotency-Key or idempotency_key.',
};

const createRoute = (engine: Engine) =>
  implement(api.createAgentPayment, {
    collectsIssues: true,
    freeForm: ['metadata'],
    screen: screenPayment,
    check: checkPaymentInput,
    async run(call) {
      const { context, act, principal, companion, body, issues, idempotencyKey: key } = call;
      const { db } = context;
      const caller = { principal, companion };
      if (issues.length > 0) {
        const later = await laterIssues(db, act, caller, body, key, issues);
        throw invalid([...issues, ...(key === undefined ? [KEY_MISSING] : []), ...later]);
      }
      if (key === undefined) throw new AppError('idempotency_key_required', { issues: [KEY_MISSING] });
      await call.limit('create', `${ownId(principal)} ${body.connection_id}`);
      const { connection_id: connectionId } = body;
      const merchantId = await merchantOfConnection(db, reachOf(caller), connectionId);
      if (merchantId !== undefined) {
        const known = await replayPayment(db, act, caller, merchantId, body, key);
        if (known) return replay(readView(engine, known, call));
        await closeOverdueOf(db, act, { merchantId, connectionId });
      }
      const result = await transaction(db, (tx) => createAgentPayment(tx, act, caller, body, key));
      const view = readView(engine, result.payment, call);
      return result.isReplay ? replay(view) : view;
    },
  });

/** Part of what is counted, so that no caller uses up the limit of another party's connection. */
function ownId(principal: ProjectPrincipal): string {
  if (principal.kind === 'api_key') return principal.agentId;
  return principal.kind === 'wallet' ? principal.deviceId : principal.sessionId;
}

/** With the payment link where a wallet reads it, and for agents without the creating credential. */
function readView({ links }: Engine, row: PaymentRow, { principal }: ReadCall): AgentPayment {
  if (principal.kind === 'wallet') {
    const view = paymentView(row, 'wallet');
    return { ...view, payment_uri: links.payment(view) };
  }
  const view = paymentView(row);
  if (principal.kind === 'merchant' || principal.kind === 'admin') return view;
  const { created_with: _, ...shown } = view;
  return shown;
}

interface ReadCall {
  principal: { kind: string };
}

const listRoute = (engine: Engine) =>
  implement(api.listAgentPayments, {
    screen: screenNames,
    async run(call) {
      const { context, act, principal, companion, query } = call;
      const filter = { connectionId: query.connection_id, status: query.status };
      const place = { after: decodeCursor(query.cursor), limit: query.limit };
      const rows = await listPayments(context.db, act, { principal, companion }, filter, place);
      const page = toPage(rows, query.limit, (row) => ({
        createdAt: row.created_at,
        id: row.agent_payment_id,
      }));
      const items = page.items.map((row) => readView(engine, row, call));
      return { items, next_cursor: page.nextCursor };
    },
  });

const readRoute = (engine: Engine) =>
  implement(api.getAgentPayment, {
    screen: screenNames,
    async run(call) {
      const { companion, params, query } = call;
      const look = async (act: Act, principal: typeof call.principal) =>
        readView(
          engine,
          await readPayment(call.context.db, act, { principal, companion }, params['id'] ?? ''),
          call,
        );
      const { wait = 0, state_version: after = 0 } = query;
      if (wait === 0) return look(call.act, call.principal);
      return awaitChange({
        after,
        waitMs: wait * 1000,
        read: async () => look(createAct(call.context, call.act.requestId), await call.authenticate()),
        watch: ({ connection_id }) =>
          engine.waiters.watch({ kind: 'look' }, [connectionTopic(connection_id)], call.hungUp),
      });
    },
  });

const eventsRoute = (engine: Engine) =>
  implement(api.listAgentPaymentEvents, {
    credentialCheck: 'statement',
    run: (call) => answerEvents(engine, paymentFeed, call),
  });

const historyRoute = implement(api.listEventsOfAgentPayment, {
  screen: screenNames,
  async run({ context, act, principal, companion, params }) {
    const payment = await readPayment(context.db, act, { principal, companion }, params['id'] ?? '');
    const { agent_payment_id: id, status } = payment;
    return { id, status, events: await selectEvents(context.db, payment) };
  },
});

const cancelRoute = (engine: Engine) =>
  implement(api.cancelAgentPayment, {
    screen: screenOwned('agent_payments'),
    async run(call) {
      const { context, act, principal, companion, params } = call;
      const caller = { principal, companion };
      return answered(
        engine,
        await transaction(context.db, (tx) => cancelPayment(tx, act, caller, params['id'] ?? '')),
        call,
      );
    },
  });

const statusRoute = (engine: Engine) =>
  implement(api.reportAgentPaymentStatus, {
    screen: screenNames,
    check: (body) => [...reasonIssues(body), ...decisionIssues(body)],
    async run(call) {
      const { context, act, principal, companion, params, body } = call;
      const caller = { principal, companion };
      const decision = await transaction(context.db, (tx) =>
        reportStatus(tx, act, caller, params['id'] ?? '', body, {
          observed: [...context.config.observe.keys()],
          spend: context.config.policySpend,
        }),
      );
      return answered(engine, decision, call);
    },
  });

function answered(engine: Engine, decision: DecidedPayment, call: ReadCall) {
  if (decision.refusal) throw decision.refusal;
  return readView(engine, decision.payment, call);
}

export function paymentRoutes({ engine }: { engine: Engine }): Route[] {
  return [
    createRoute(engine),
    listRoute(engine),
    eventsRoute(engine),
    readRoute(engine),
    historyRoute,
    cancelRoute(engine),
    statusRoute(engine),
  ];
}
