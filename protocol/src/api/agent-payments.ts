import { AGENT_PAYMENT_STATUSES, PAYMENT_INITIATORS } from '../enumerations.ts';
import type { ErrorCode } from '../errors.ts';
import { AgentPaymentEventSchema, AgentPaymentSchema } from '../records/agent-payment.ts';
import { id, oneOf, record, Type } from '../records/schema.ts';
import {
  AMOUNT,
  ASSET,
  CONNECTION_CHOICE,
  EXPIRES_AT,
  freeForm,
  input,
  NETWORK,
  reference,
  statusReport,
} from './members.ts';
import { operations } from './operation.ts';
import { PAGE_QUERY, pageOf } from './pages.ts';
import { CHANGE_QUERY, EventsQuery, eventsPage } from './payment-requests.ts';

const operation = operations({
  tag: 'Agent payments',
  credential: ['connection', 'api_key', 'admin', 'merchant', 'wallet'],
});

const ON_PAYMENT: readonly ErrorCode[] = ['resource_not_found', 'phase_0_mainnet_disabled'];

export const createAgentPayment = operation('createAgentPayment', 'POST /v1/agent-payments', {
  summary: 'Create a payment intent',
  description:
    "An agent's intent must be within the customer's automation policy, whose cap it reserves; otherwise it can be sent again as a human's, with a human's credential, and needs the wallet's approval.",
  credential: ['api_key', 'admin', 'merchant', 'wallet'],
  idempotent: true,
  lateLimits: ['create'],
  body: input(
    'AgentPaymentInput',
    "An intended payment: to a Recipient, or to an address with the network's own coin.",
    {
      connection_id: reference('The connection whose wallet is to pay.'),
      network: NETWORK,
      asset: ASSET,
      amount: AMOUNT,
      recipient_id: Type.Optional(reference('An active Recipient; it fixes every payment fact.')),
      to: Type.Optional(reference("An address, instead of a Recipient, for the network's own coin.")),
      initiated_by: Type.Optional(
        oneOf(
          PAYMENT_INITIATORS,
          '`agent` when absent. `human` needs an admin session, an operator or a wallet.',
        ),
      ),
      policy_id: Type.Optional(reference('The policy that is meant, where it should be no other.')),
      expires_at: EXPIRES_AT,
      metadata: Type.Optional(freeForm('Notes of the caller, no payment facts. Up to 8 KiB, 8 levels deep.')),
      idempotency_key: Type.Optional(
        Type.String({ description: 'The same as the header; one of them is needed.' }),
      ),
    },
  ),
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
  example: {
    connection_id: 'con_01JC8Z6S410000000000000000',
    network: 'stellar_testnet',
    asset: 'XLM',
    amount: '7.50',
    recipient_id: 'rcp_01JC8Z6S410000000000000000',
    idempotency_key: 'payout-1001',
  },
  limit: 'none',
});

export const listAgentPayments = operation('listAgentPayments', 'GET /v1/agent-payments', {
  sdk: ['AgentPayments.list', 'ConnectionAgentPayments.list'],
  summary: "List payments, newest first: the agent's, the organization's or the wallet's",
  description:
    "An API key sees its agent's, a connection token its connection's, an operator the organization's, a wallet those of its connections.",
  scope: 'payment.requests.read',
  query: record('AgentPaymentQuery', 'Which agent payments.', {
    ...PAGE_QUERY,
    connection_id: CONNECTION_CHOICE,
    status: Type.Optional(oneOf(AGENT_PAYMENT_STATUSES, 'Only those in this status.')),
  }),
  answer: pageOf('AgentPaymentsPage', 'items', AgentPaymentSchema),
  errors: ['phase_0_mainnet_disabled'],
});

export const getAgentPayment = operation('getAgentPayment', 'GET /v1/agent-payments/{id}', {
  summary: 'Read a payment with its authoritative status',
  description:
    'The status is the one that the wallet last reported. With `wait` and `state_version` it returns when the payment has changed.',
  scope: 'payment.requests.read',
  query: record('AgentPaymentReadQuery', 'Since when.', CHANGE_QUERY),
  answer: AgentPaymentSchema,
  errors: ON_PAYMENT,
});

export const listAgentPaymentEvents = operation('listAgentPaymentEvents', 'GET /v1/agent-payments/events', {
  summary: "Poll the status changes of this connection's agent payments",
  description:
    'As the events of payment requests, in a separate sequence: numbered without gaps, held back with `wait`, as a stream with `Accept: text/event-stream`.',
  credential: ['connection'],
  scope: 'payment.requests.read',
  query: EventsQuery,
  answer: eventsPage('AgentPaymentEventsPage', AgentPaymentEventSchema),
  streams: 'agent_payment',
  errors: ['invalid_cursor', 'limit_reached'],
});

export const listEventsOfAgentPayment = operation(
  'listEventsOfAgentPayment',
  'GET /v1/agent-payments/{id}/events',
  {
    sdk: ['AgentPayments.history', 'ConnectionAgentPayments.history'],
    summary: "Read one payment's own history",
    description:
      'Every change of its status, oldest first. Steps from before events were kept are not among them.',
    scope: 'payment.requests.read',
    answer: record('AgentPaymentHistory', 'What happened to one agent payment.', {
      id: id('ap', 'The payment.'),
      status: oneOf(AGENT_PAYMENT_STATUSES, 'Its status.'),
      events: Type.Array(AgentPaymentEventSchema, { description: 'Oldest first.' }),
    }),
    errors: ON_PAYMENT,
  },
);

export const cancelAgentPayment = operation('cancelAgentPayment', 'POST /v1/agent-payments/{id}/cancel', {
  sdk: 'AgentPayments.cancel',
  summary: 'Take an intent back before the wallet has decided',
  description:
    'What the payment had reserved of its policy is free again. A payment that was signed can no longer be cancelled.',
  credential: ['api_key', 'admin', 'merchant'],
  answer: AgentPaymentSchema,
  errors: [...ON_PAYMENT, 'invalid_status_transition', 'insufficient_scope'],
});

export const reportAgentPaymentStatus = operation(
  'reportAgentPaymentStatus',
  'POST /v1/agent-payments/{id}/status',
  {
    sdk: 'AgentPayments.reportStatus',
    summary: 'Report what the wallet did with a payment',
    description:
      'A wallet broadcasts only after a successful response to its report of signed. After signing, report failed only when the transaction can no longer be included: it gives the amount back to the policy.',
    credential: ['wallet'],
    body: statusReport('AgentPaymentReport', AGENT_PAYMENT_STATUSES, "Must be the payment's own."),
    answer: AgentPaymentSchema,
    errors: [
      'decision_signature_required',
      'decision_signature_invalid',
      ...ON_PAYMENT,
      'invalid_status_transition',
      'status_conflict',
      'payment_request_expired',
      'risk_rejected',
    ],
    example: { status: 'signed' },
    limit: 'none',
  },
);
