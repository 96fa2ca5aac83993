import type { Static } from 'typebox';
import { AMOUNT_PATTERN } from '../amounts.ts';
import {
  NETWORKS,
  PAYEE_BINDINGS,
  PAYMENT_EVENT_ACTORS,
  PAYMENT_REQUEST_PROTOCOL,
  PAYMENT_REQUEST_STATUSES,
  RAILS,
  REQUEST_ORIGINS,
} from '../enumerations.ts';
import { PAYMENT_REQUEST_EVENT_TYPES } from '../event-types.ts';
import { DecisionSchema } from './decision.ts';
import {
  anyText,
  constant,
  digest,
  flag,
  freeObject,
  id,
  integer,
  nullableOneOf,
  nullableText,
  oneOf,
  pattern,
  record,
  Type,
  text,
  time,
} from './schema.ts';
import { settlementMember, settlementState } from './settlement.ts';

const OPEN = { additionalProperties: true } as const;
const { Optional } = Type;

/** Where the money goes; derived from the pinned Recipient version and immutable. */
const paymentMembers = {
  rail: oneOf(RAILS, 'The family of payment methods.'),
  network: oneOf(NETWORKS, 'The network on which to pay.'),
  asset: text('The native symbol of the network, such as `XLM`, or a token.'),
  amount: pattern(AMOUNT_PATTERN, 'Exact decimal, for example "12.50".'),
  to: text('The address that is paid.'),
  contract: Optional(anyText('Token contract, on EVM networks.')),
  issuer: Optional(anyText('Issuing account, on Stellar for every asset but XLM.')),
  decimals: Optional(integer('Decimal places of the asset.', 0, 255)),
  chain_id: Optional(integer('Chain id, on EVM networks.')),
  memo: Optional(anyText('Memo, destination tag or comment that the payment must carry.')),
  memo_type: Optional(
    constant('hash', 'On Stellar: the memo is a hash, 64 hex digits. Absent where it is text.'),
  ),
};

const specifiedMembers = {
  protocol: constant(PAYMENT_REQUEST_PROTOCOL, 'The format of this record.'),
  request_id: text('The request; unique in its connection.', 160),
  connection_id: text('The connection of the request.', 160),
  transaction_id: Optional(text('The transaction context that describes the purpose of the payment.', 160)),
  created_at: time('When the request was created.'),
  expires_at: time('A request that is still `pending` at this instant expires.'),
  idempotency_key: Optional(
    Type.String({ maxLength: 256, description: 'The key that the agent sent with the create.' }),
  ),
  status: oneOf(PAYMENT_REQUEST_STATUSES, 'Status of the request. `confirmed` is what the wallet reports.'),
  source: freeObject('Where the request comes from, in the words of the agent.'),
  payment: Type.Object(paymentMembers, {
    title: 'RequestedPayment',
    ...OPEN,
    description: 'What to pay and where. Comes from the pinned version of the Recipient and never changes.',
  }),
  policy: Type.Object(
    { requires_user_approval: constant(true, 'Always true: the customer decides.') },
    { ...OPEN, description: 'Under which conditions the wallet may pay.' },
  ),
  display: Optional(
    freeObject('What the customer may be shown, in the words of the agent. Never payment facts.'),
  ),
  metadata: Optional(freeObject('Notes of the agent.')),
};

/** The Payment Request as section 2.1 of the specification has it, and nothing more. */
export const PaymentRequestV1Schema = Type.Object(
  {
    ...specifiedMembers,
    payee: Type.Object(
      { name: text('The payee.'), verified: Optional(flag('Whether the payee was verified.')) },
      { ...OPEN, description: 'Who is paid.' },
    ),
  },
  { title: 'PaymentRequestV1', ...OPEN },
);
export type PaymentRequestV1 = Static<typeof PaymentRequestV1Schema>;

export const RiskSchema = record('PaymentRisk', 'What the customer should know before deciding.', {
  possible_duplicate_of: Optional(
    Type.Array(text('A request.', 160), {
      description:
        'Requests of the same connection for the same amount to the same payee within 24 hours before, newest first, at most 5.',
    }),
  ),
  acknowledged_duplicate_of: Optional(
    text('The request after which the agent declares this one a deliberate second payment.', 160),
  ),
  exceeds_network_maximum: Optional(
    constant(true, 'The network cannot carry this amount: wallets offer no approval.'),
  ),
});
export type PaymentRisk = Static<typeof RiskSchema>;

/** The service's response: the specified record with the members that the contract adds. */
export const PaymentRequestSchema = Type.Object(
  {
    ...specifiedMembers,
    payee: Type.Object(
      {
        name: text('The payee, as the pinned version names it.'),
        verified: flag('Whether a domain has vouched for the pinned version.'),
        domain: text('The domain that vouched for it.'),
        recipient_id: id('rcp', 'The Recipient.'),
        recipient_version_id: id('rcv', 'The version that was active when the request was created.'),
        evidence_digest: digest('The evidence with which that version was activated.'),
        binding: oneOf(
          PAYEE_BINDINGS,
          '`payee`: the domain publishes this very payee. `domain`: only that it belongs to the organization.',
        ),
        activated_at: time('When that version was activated.'),
        is_current: flag('Whether that version is still the active one.'),
      },
      { title: 'PinnedPayee', ...OPEN, description: 'Who is paid, and who vouches for it.' },
    ),
    created_with: Optional(
      nullableOneOf(
        REQUEST_ORIGINS,
        "For merchants and wallets: what the request was created with. `proof`: the agent's key signed the call. `own_token`: only the agent has had the token. `shared_token`: a wallet has seen the token, so the customer may have created the request. Null for requests from before this was recorded.",
      ),
    ),
    state_version: integer('Raised by every change of status.', 1),
    is_final: flag('Whether the status can no longer change.'),
    risk: Optional(RiskSchema),
    facts_digest: digest('Over the payment facts: a wallet checks that they are the pinned ones.'),
    transaction_context: Optional(
      Type.Unsafe<{ revision: number | null } | null>({
        type: ['object', 'null'],
        properties: {
          revision: {
            type: ['integer', 'null'],
            minimum: 1,
            description: 'Pinned at the creation; null when there was no context yet.',
          },
        },
        required: ['revision'],
        additionalProperties: true,
        description: 'Which revision of the transaction context belongs to this request.',
      }),
    ),
    tx_hash: Optional(nullableText('The transaction, as the wallet reported it.')),
    reason: Optional(nullableText('Why it was rejected or failed, as a code.')),
    reason_text: Optional(nullableText('Why it was rejected or failed, in words.')),
    decision: Optional(
      Type.Union([DecisionSchema, Type.Null()], { description: 'What the customer decided; null before.' }),
    ),
    settlement: settlementMember,
    updated_at: time('When the record last changed.'),
    review_url: Optional(anyText('For agents and merchants: the page on which the person decides.')),
    wallet_uri: Optional(anyText('For agents and merchants: the same for wallet apps.')),
    payment_uri: Optional(nullableText('For wallets: the payment as a link; null without a standard.')),
  },
  {
    title: 'PaymentRequest',
    ...OPEN,
    description:
      'A payment that an agent requests from a customer. It exists before anything is paid; the wallet decides.',
  },
);
export type PaymentRequest = Static<typeof PaymentRequestSchema>;

const { payee, expires_at, risk } = PaymentRequestSchema.properties;
const previewedPayment = Type.Object(
  {
    ...paymentMembers,
    memo: Optional(
      nullableText(
        'Memo, destination tag or comment that the payment must carry; null where each request gets a separate one.',
      ),
    ),
  },
  { title: 'PreviewedPayment', description: 'Where the money would go.' },
);
const previewedDigest = digest(
  'Over the payment details that a create would pin. Where each request gets a separate memo, it is computed without a memo, and no request has it.',
);
export const PaymentRequestPreviewSchema = record(
  'PaymentRequestPreview',
  'What a create would pin, and what the customer should know.',
  { payment: previewedPayment, payee, expires_at, facts_digest: previewedDigest, risk },
);
export type PaymentRequestPreview = Static<typeof PaymentRequestPreviewSchema>;

export const PaymentRequestEventSchema = record('PaymentRequestEvent', 'One change of a payment request.', {
  event_id: id('evt', 'The event; a webhook about the same change has the same id.'),
  sequence: integer('Its number in the connection: 1, 2, 3 and so on without a gap.', 1),
  type: oneOf(PAYMENT_REQUEST_EVENT_TYPES, 'What happened.'),
  request_id: text('The request.', 160),
  connection_id: text('The connection.', 160),
  status: oneOf(PAYMENT_REQUEST_STATUSES, 'The status from then on.'),
  previous_status: oneOf(PAYMENT_REQUEST_STATUSES, 'The status before.'),
  state_version: integer('The `state_version` of the request from then on.', 2),
  actor: oneOf(PAYMENT_EVENT_ACTORS, 'Who caused the change.'),
  tx_hash: Optional(nullableText('The transaction, as the wallet reported it.')),
  reason: Optional(nullableText('Why it was rejected or failed, as a code.')),
  takeover: Optional(
    constant(true, 'Reported by another device of the wallet than the one that had signed.'),
  ),
  settlement_state: settlementState,
  occurred_at: time('When it happened.'),
});
export type PaymentRequestEvent = Static<typeof PaymentRequestEventSchema>;

/** Free-form besides these members: what the customer should read before approving. */
export const TransactionContextSchema = Type.Object(
  {
    transaction_id: text('The context.', 160),
    revision: integer('Which revision this is: 1 for the first.', 1),
    title: Optional(anyText('A line that names the purchase.')),
    summary: Optional(anyText('A few sentences for the customer.')),
    line_items: Optional(Type.Array(Type.Unknown(), { description: 'What is bought.' })),
    created_at: time('When this revision was written.'),
  },
  {
    title: 'TransactionContext',
    ...OPEN,
    description:
      'What a payment is for, in the words of the agent. It may carry further members, but no payment facts.',
  },
);
export type TransactionContext = Static<typeof TransactionContextSchema>;
