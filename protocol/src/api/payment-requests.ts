import type { TSchema } from 'typebox';
import { PAYMENT_REQUEST_PROTOCOL, PAYMENT_REQUEST_STATUSES } from '../enumerations.ts';
import {
  PaymentRequestEventSchema,
  PaymentRequestPreviewSchema,
  PaymentRequestSchema,
} from '../records/payment-request.ts';
import { constant, oneOf, record, Type } from '../records/schema.ts';
import {
  AMOUNT,
  CLOSED,
  CONNECTION_CHOICE,
  EXPIRES_AT,
  freeForm,
  input,
  reference,
  statusReport,
} from './members.ts';
import { operations } from './operation.ts';
import { PAGE_QUERY, pageOf } from './pages.ts';

const operation = operations({ tag: 'Payment requests', credential: ['connection'] });

/** Of either surface. */
export const EventsQuery = record('PaymentRequestEventsQuery', 'Which events.', {
  since: Type.Optional(
    Type.String({ description: 'The last sequence that is known; 0, the start, when absent.' }),
  ),
  limit: Type.Integer({ minimum: 1, maximum: 500, default: 100, description: 'Events per page.' }),
  wait: Type.Integer({
    minimum: 0,
    maximum: 30,
    default: 0,
    description: 'Seconds to wait when there is no event yet.',
  }),
});

export const eventsPage = <Event extends TSchema>(title: string, event: Event) =>
  record(title, 'One page of events.', {
    events: Type.Array(event, { description: 'In the order of their numbers.' }),
    next_cursor: Type.Integer({
      minimum: 0,
      description: 'The last number of this page, or `since` when it is empty.',
    }),
    has_more: Type.Boolean({ description: 'Whether more are already there.' }),
  });

/** Seconds that the service may hold an empty page back. */
const wait = { minimum: 0, maximum: 30 } as const;

/** For a read that waits, of either surface. */
export const CHANGE_QUERY = {
  wait: Type.Optional(
    Type.Integer({ ...wait, description: 'Seconds to wait until the record has changed.' }),
  ),
  state_version: Type.Optional(
    Type.Integer({ minimum: 0, description: 'The known version: a higher one is returned immediately.' }),
  ),
};

const PaymentRequestAnswer = record('PaymentRequestAnswer', 'One payment request.', {
  payment_request: PaymentRequestSchema,
});

const eventOrNothing = (description: string) =>
  Type.Union([PaymentRequestEventSchema, Type.Null()], { description });

const PaymentRequestInput = input(
  'CreatePaymentRequestInput',
  'The request of an agent. Network, asset, address and every other detail come from the payee.',
  {
    recipient_id: reference('A Recipient with an active version.'),
    recipient_version_id: Type.Optional(
      reference('When sent, it must be the active version; otherwise nothing is created.'),
    ),
    payment: Type.Object({ amount: AMOUNT }, { ...CLOSED, description: 'How much.' }),
    policy: Type.Object(
      { requires_user_approval: constant(true, 'Always true: the customer decides.') },
      { ...CLOSED, description: 'Under which conditions the wallet may pay.' },
    ),
    expires_at: EXPIRES_AT,
    expires_in: Type.Optional(
      Type.Integer({
        minimum: 60,
        maximum: 366 * 24 * 60 * 60,
        description: 'Seconds from now, instead of expires_at: the same in every retry.',
      }),
    ),
    expect: Type.Optional(
      Type.Object(
        {
          network: Type.Optional(Type.String({ description: 'The network of the payee.' })),
          asset: Type.Optional(Type.String({ description: 'The asset of the payee.' })),
          decimals: Type.Optional(Type.Integer({ description: 'Decimal places of the asset.' })),
          recipient_version_id: Type.Optional(Type.String({ description: 'The active version.' })),
        },
        {
          ...CLOSED,
          description: 'What the caller believes. When something else is true, nothing is created.',
        },
      ),
    ),
    supersedes: Type.Optional(
      reference('A pending request of this connection, which is withdrawn in the same step.'),
    ),
    if_duplicate: Type.Optional(
      oneOf(
        ['flag', 'refuse'],
        'When the same was requested within 24 hours: `flag` marks the record, `refuse` creates nothing.',
      ),
    ),
    duplicate_of: Type.Optional(
      reference('An earlier request of which this is a second payment on purpose; the customer sees it.'),
    ),
    idempotency_key: Type.Optional(
      Type.String({ description: 'The same as the header. One of the two, or request_id, is needed.' }),
    ),
    request_id: Type.Optional(reference('Becomes the id of the request; unique in this connection.')),
    transaction_id: Type.Optional(
      reference('A transaction context, whose newest revision is pinned, or an id that has none yet.'),
    ),
    connection_id: Type.Optional(reference("Must be the token's own.")),
    source: Type.Optional(freeForm('Where the request comes from. Up to 8 KiB, 8 levels deep.')),
    display: Type.Optional(
      freeForm('What the customer may be shown, no payment facts. Up to 8 KiB, 8 levels deep.'),
    ),
    metadata: Type.Optional(freeForm('Notes of the agent, no payment facts. Up to 8 KiB, 8 levels deep.')),
    protocol: Type.Optional(constant(PAYMENT_REQUEST_PROTOCOL, 'The format of the record.')),
  },
);

const CREATE_ERRORS = [
  'idempotency_key_reused',
  'request_id_conflict',
  'risk_rejected',
  'connection_paused',
  'recipient_not_active',
  'recipient_version_not_active',
  'network_not_enabled',
  'expectation_mismatch',
  'possible_duplicate',
  'invalid_status_transition',
  'payment_request_expired',
  'limit_reached',
  'resource_not_found',
] as const;

export const createPaymentRequest = operation('createPaymentRequest', 'POST /v1/payment-requests', {
  summary: 'Request a payment from the customer',
  description:
    'Success means that the request awaits the wallet, not that anything is paid. All payment facts come from the active version of the Recipient.',
  scope: 'payment.requests.create',
  idempotent: true,
  limit: 'create',
  body: PaymentRequestInput,
  status: 201,
  answer: PaymentRequestAnswer,
  errors: ['idempotency_key_required', ...CREATE_ERRORS],
  example: {
    recipient_id: 'rcp_01JC8Z6S410000000000000000',
    payment: { amount: '12.50' },
    policy: { requires_user_approval: true },
    idempotency_key: 'order-1001',
    display: { title: 'Order 1001' },
  },
});

export const previewPaymentRequest = operation('previewPaymentRequest', 'POST /v1/payment-requests/preview', {
  summary: 'See what a create would do, without doing it',
  description: 'Makes every check of a create, with the same errors, and stores nothing. No key is needed.',
  scope: 'payment.requests.create',
  limit: 'reads',
  changesNothing: true,
  body: PaymentRequestInput,
  answer: record('PreviewAnswer', 'A preview.', { preview: PaymentRequestPreviewSchema }),
  errors: [...CREATE_ERRORS],
  example: {
    recipient_id: 'rcp_01JC8Z6S410000000000000000',
    payment: { amount: '12.50' },
    policy: { requires_user_approval: true },
  },
});

export const listPaymentRequests = operation('listPaymentRequests', 'GET /v1/payment-requests', {
  sdk: ['MerchantPaymentRequests.list', 'WalletPaymentRequests.list', 'ConnectionPaymentRequests.list'],
  summary: 'List payment requests; for a wallet, its inbox',
  description:
    "Newest first. An agent sees its connection's, a merchant the organization's, a wallet those of all its connections. With `wait` a wallet gets what is newer than `cursor` as soon as there is anything.",
  credential: ['connection', 'wallet', 'merchant'],
  scope: 'payment.requests.read',
  query: record('PaymentRequestQuery', 'Which payment requests.', {
    ...PAGE_QUERY,
    status: Type.Optional(Type.String({ description: 'Only those in these statuses, comma separated.' })),
    connection_id: CONNECTION_CHOICE,
    recipient_id: Type.Optional(Type.String({ description: 'Only to this Recipient.' })),
    idempotency_key: Type.Optional(Type.String({ description: 'Only the one with this key. For agents.' })),
    created_after: Type.Optional(
      Type.String({ format: 'date-time', description: 'Only what was created then or later.' }),
    ),
    created_before: Type.Optional(
      Type.String({ format: 'date-time', description: 'Only what was created before.' }),
    ),
    q: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          'Part of amount with asset, purpose (a text of `display`), payee name, domain or request id, without case. A page may be short and still have a next one.',
      }),
    ),
    wait: Type.Optional(
      Type.Integer({
        ...wait,
        description: 'Seconds to wait for requests newer than `cursor`; 0 does not wait. For wallets.',
      }),
    ),
  }),
  answer: pageOf('PaymentRequestsPage', 'payment_requests', PaymentRequestSchema),
});

export const ConnectionQuery = record('ConnectionQuery', 'Selects between equal ids of two connections.', {
  connection_id: CONNECTION_CHOICE,
});

export const getPaymentRequest = operation('getPaymentRequest', 'GET /v1/payment-requests/{id}', {
  sdk: ['MerchantPaymentRequests.get', 'WalletPaymentRequests.get'],
  summary: 'Read one payment request',
  description:
    'The record that webhooks and events only point to. `confirmed` is what the wallet reports. With `wait` and `state_version` it returns when the request has changed.',
  credential: ['connection', 'wallet', 'merchant'],
  scope: 'payment.requests.read',
  query: record('PaymentRequestReadQuery', 'Which one, and since when.', {
    connection_id: CONNECTION_CHOICE,
    ...CHANGE_QUERY,
  }),
  answer: PaymentRequestAnswer,
  errors: ['ambiguous_request_id'],
});

export const listPaymentRequestEvents = operation(
  'listPaymentRequestEvents',
  'GET /v1/payment-requests/events',
  {
    summary: 'Poll the status changes of this connection',
    description:
      'Numbered 1, 2, 3 … without gaps: a client that follows `next_cursor` misses nothing. With `wait` an empty page is held back until there is an event. With `Accept: text/event-stream` they come as a stream that ends with the token.',
    scope: 'payment.requests.read',
    query: EventsQuery,
    answer: eventsPage('EventsPage', PaymentRequestEventSchema),
    streams: 'payment_request',
    errors: ['invalid_cursor', 'limit_reached'],
  },
);

export const reportPaymentRequestStatus = operation(
  'reportPaymentRequestStatus',
  'POST /v1/payment-requests/{id}/status',
  {
    summary: 'Report what the wallet did with a request',
    description:
      'A wallet broadcasts only after a response whose event is not null, or after its own repeat: that keeps two devices from paying twice.',
    credential: ['wallet'],
    body: statusReport(
      'StatusReport',
      PAYMENT_REQUEST_STATUSES,
      'Selects between equal ids of two connections.',
    ),
    answer: record('StatusAnswer', 'What a report changed.', {
      payment_request: PaymentRequestSchema,
      event: eventOrNothing('Null when nothing changed: the wallet repeats itself.'),
    }),
    errors: [
      'ambiguous_request_id',
      'invalid_status_transition',
      'status_conflict',
      'payment_request_expired',
      'decision_signature_required',
      'decision_signature_invalid',
      'risk_rejected',
    ],
    example: { status: 'rejected', reason_code: 'user_rejected', reason: 'Too expensive.' },
    limit: 'none',
  },
);

export const listEventsOfPaymentRequest = operation(
  'listEventsOfPaymentRequest',
  'GET /v1/payment-requests/{id}/events',
  {
    sdk: ['MerchantPaymentRequests.history', 'WalletPaymentRequests.history'],
    summary: "Read one request's own history",
    description: 'Every change of its status, oldest first. A request without a decision has none.',
    credential: ['connection', 'wallet', 'merchant'],
    scope: 'payment.requests.read',
    query: ConnectionQuery,
    answer: record('PaymentRequestHistory', 'What happened to one payment request.', {
      events: Type.Array(PaymentRequestEventSchema, { description: 'Oldest first.' }),
    }),
    errors: ['ambiguous_request_id'],
  },
);

export const withdrawPaymentRequest = operation(
  'withdrawPaymentRequest',
  'POST /v1/payment-requests/{id}/withdraw',
  {
    sdk: 'ConnectionPaymentRequests.withdraw',
    summary: 'Take a request back before the customer decides',
    description:
      'It expires with the reason `withdrawn_by_agent`. When a wallet signs at the same moment, one of the two wins and the other is refused.',
    scope: 'payment.requests.create',
    limit: 'reads',
    answer: record('WithdrawAnswer', 'What the withdrawal changed.', {
      payment_request: PaymentRequestSchema,
      event: eventOrNothing('Null when it was withdrawn before.'),
    }),
    errors: ['invalid_status_transition', 'payment_request_expired'],
  },
);
