import { AGENT_PAYMENT_STATUSES, type ErrorCode, type Issue } from '@countersign/protocol';
import { AgentPaymentSchema, schema } from '@countersign/protocol/records';
import { Type } from 'typebox';
import { transaction } from '../../db/open.ts';
import { AppError, invalid } from '../../errors.ts';
import { decodeCursor, PAGE_QUERY, toPage } from '../../http/page.ts';
import { defineRoute, type Route, replay } from '../../http/route.ts';
import { reasonIssues } from '../payment-requests/reason.ts';
import type { ProjectPrincipal } from '../project-access/reach.ts';
import {
  type ScreenedInput,
  screenNames,
  screenNamesAndReferences,
  screenOwned,
} from '../project-access/screen.ts';
import { checkPaymentInput } from './checks.ts';
import { createAgentPayment } from './create.ts';
import { cancelPayment, type Decision, reportStatus } from './decide.ts';
import { laterIssues } from './later-issues.ts';
import { listPayments, readPayment, replayPayment } from './read.ts';
import { PaymentInput, StatusInput } from './schema.ts';
import { settleOverdueOf } from './settle.ts';
import { paymentView } from './view.ts';

const TAG = 'Agent payments';
const ON_PAYMENT: readonly ErrorCode[] = ['resource_not_found', 'phase_0_mainnet_disabled'];

/** An agent's intent needs the agent's key, and a key alone never speaks for a human. */
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

const createRoute = defineRoute({
  method: 'POST',
  path: '/v1/agent-payments',
  summary: 'Create a payment intent',
  description:
    "An agent's intent must lie within the user's automation policy, whose cap it reserves; otherwise it is refused and can be sent again as a human's, which needs a human's credential and always the wallet's approval.",
  tag: TAG,
  credential: ['api_key', 'admin', 'merchant', 'wallet'],
  collectsIssues: true,
  idempotent: true,
  lateLimits: ['create'],
  body: PaymentInput,
  freeForm: ['metadata'],
  screen: screenPayment,
  check: checkPaymentInput,
  status: 201,
  answer: AgentPaymentSchema,
  errors: [
    ...ON_PAYMENT,
    'idempotency_key_required',
    'idempotency_key_reused',
    'risk_rejected',
    'human_credential_required',
    'insufficient_scope',
    'HC_NC_5_HITL_REQUIRED',
    'connection_paused',
    'connection_revoked',
    'recipient_not_active',
  ],
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
    const known = await replayPayment(db, act, caller, body, key);
    if (known) return replay(paymentView(known));
    await settleOverdueOf(db, act, body.connection_id);
    const result = await transaction(db, (tx) => createAgentPayment(tx, act, caller, body, key));
    const view = paymentView(result.payment);
    return result.isReplay ? replay(view) : view;
  },
});

/** Part of what is counted, so that nobody uses up a limit of somebody else's connection. */
function ownId(principal: ProjectPrincipal): string {
  if (principal.kind === 'api_key') return principal.agentId;
  return principal.kind === 'wallet' ? principal.deviceId : principal.sessionId;
}

const listRoute = defineRoute({
  method: 'GET',
  path: '/v1/agent-payments',
  summary: "List payments, newest first: the agent's, the organization's or the wallet's",
  tag: TAG,
  credential: ['api_key', 'admin', 'merchant', 'wallet'],
  limit: 'reads',
  query: Type.Object({
    ...PAGE_QUERY,
    connection_id: Type.Optional(Type.String({ description: 'Only of this connection.' })),
    status: Type.Optional(schema.oneOf(AGENT_PAYMENT_STATUSES)),
  }),
  screen: screenNames,
  answer: Type.Object({
    items: Type.Array(AgentPaymentSchema),
    next_cursor: Type.Union([Type.String(), Type.Null()]),
  }),
  errors: ['phase_0_mainnet_disabled'],
  async run({ context, act, principal, companion, query }) {
    const filter = { connectionId: query.connection_id, status: query.status };
    const place = { after: decodeCursor(query.cursor), limit: query.limit };
    const rows = await listPayments(context.db, act, { principal, companion }, filter, place);
    const page = toPage(rows, query.limit, (row) => ({
      createdAt: row.created_at,
      id: row.agent_payment_id,
    }));
    return { items: page.items.map(paymentView), next_cursor: page.nextCursor };
  },
});

const readRoute = defineRoute({
  method: 'GET',
  path: '/v1/agent-payments/{id}',
  summary: 'Read a payment with its authoritative status',
  tag: TAG,
  credential: ['api_key', 'admin', 'merchant', 'wallet'],
  limit: 'reads',
  screen: screenNames,
  answer: AgentPaymentSchema,
  errors: ON_PAYMENT,
  async run({ context, act, principal, companion, params }) {
    return paymentView(await readPayment(context.db, act, { principal, companion }, params['id'] ?? ''));
  },
});

const cancelRoute = defineRoute({
  method: 'POST',
  path: '/v1/agent-payments/{id}/cancel',
  summary: 'Take an intent back before the wallet has decided',
  tag: TAG,
  credential: ['api_key', 'admin', 'merchant'],
  limit: 'merchant_mutations',
  screen: screenOwned('agent_payments'),
  answer: AgentPaymentSchema,
  errors: [...ON_PAYMENT, 'invalid_status_transition', 'insufficient_scope'],
  async run({ context, act, principal, companion, params }) {
    const caller = { principal, companion };
    return answered(
      await transaction(context.db, (tx) => cancelPayment(tx, act, caller, params['id'] ?? '')),
    );
  },
});

const statusRoute = defineRoute({
  method: 'POST',
  path: '/v1/agent-payments/{id}/status',
  summary: 'Report what the wallet did with a payment',
  description:
    'A wallet broadcasts only after a successful answer to its report of signed. After signing, report failed only when the transaction can no longer be included: it gives the amount back to the policy.',
  tag: TAG,
  credential: ['wallet'],
  body: StatusInput,
  screen: screenNames,
  check: reasonIssues,
  answer: AgentPaymentSchema,
  errors: [
    ...ON_PAYMENT,
    'invalid_status_transition',
    'status_conflict',
    'payment_request_expired',
    'risk_rejected',
  ],
  async run({ context, act, principal, companion, params, body }) {
    const caller = { principal, companion };
    const decision = await transaction(context.db, (tx) =>
      reportStatus(tx, act, caller, params['id'] ?? '', body),
    );
    return answered(decision);
  },
});

function answered(decision: Decision) {
  if (decision.refusal) throw decision.refusal;
  return paymentView(decision.payment);
}

export const paymentRoutes: readonly Route[] = [createRoute, listRoute, readRoute, cancelRoute, statusRoute];
