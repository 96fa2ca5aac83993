import { type Static, Type } from 'typebox';
import { AMOUNT_PATTERN } from '../amounts.ts';
import {
  NETWORKS,
  PAYEE_BINDINGS,
  PAYMENT_EVENT_ACTORS,
  PAYMENT_REQUEST_PROTOCOL,
  PAYMENT_REQUEST_STATUSES,
  RAILS,
} from '../enumerations.ts';
import { PAYMENT_REQUEST_EVENT_TYPES } from '../event-types.ts';
import { DecisionSchema } from './decision.ts';
import { digest, freeObject, id, integer, nullableText, oneOf, record, text, time } from './schema.ts';

const OPEN = { additionalProperties: true } as const;
const { Optional } = Type;

function reference() {
  return text(1, 160);
}

/** Where the money goes; derived from the pinned Recipient version and immutable. */
const paymentMembers = {
  rail: oneOf(RAILS),
  network: oneOf(NETWORKS),
  asset: text(),
  amount: Type.Unsafe<string>({ type: 'string', pattern: AMOUNT_PATTERN }),
  to: text(),
  contract: Optional(Type.String()),
  issuer: Optional(Type.String()),
  decimals: Optional(integer(0, 255)),
  chain_id: Optional(integer(0)),
  memo: Optional(Type.String()),
};

const specifiedMembers = {
  protocol: Type.Unsafe<typeof PAYMENT_REQUEST_PROTOCOL>({ type: 'string', const: PAYMENT_REQUEST_PROTOCOL }),
  request_id: reference(),
  connection_id: reference(),
  transaction_id: Optional(reference()),
  created_at: time(),
  expires_at: time(),
  idempotency_key: Optional(Type.String({ maxLength: 256 })),
  status: oneOf(PAYMENT_REQUEST_STATUSES),
  source: freeObject(),
  payment: Type.Object(paymentMembers, OPEN),
  policy: Type.Object({ requires_user_approval: Type.Unsafe<true>({ type: 'boolean', const: true }) }, OPEN),
  display: Optional(freeObject()),
  metadata: Optional(freeObject()),
};

/** The Payment Request as section 2.1 of the specification has it, and nothing more. */
export const PaymentRequestV1Schema = Type.Object(
  {
    ...specifiedMembers,
    payee: Type.Object({ name: text(), verified: Optional(Type.Boolean()) }, OPEN),
  },
  { title: 'PaymentRequestV1', ...OPEN },
);
export type PaymentRequestV1 = Static<typeof PaymentRequestV1Schema>;

/** What this service answers: the specified record with the members that the contract adds. */
export const PaymentRequestSchema = Type.Object(
  {
    ...specifiedMembers,
    payee: Type.Object(
      {
        name: text(),
        verified: Type.Boolean(),
        domain: text(),
        recipient_id: id('rcp'),
        recipient_version_id: id('rcv'),
        evidence_digest: digest(),
        binding: oneOf(PAYEE_BINDINGS),
        activated_at: time(),
        is_current: Type.Boolean(),
      },
      OPEN,
    ),
    state_version: integer(1),
    is_final: Type.Boolean(),
    facts_digest: digest(),
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
      }),
    ),
    tx_hash: Optional(nullableText()),
    reason: Optional(nullableText()),
    reason_text: Optional(nullableText()),
    decision: Optional(Type.Union([DecisionSchema, Type.Null()])),
    updated_at: time(),
  },
  { title: 'PaymentRequest', ...OPEN },
);
export type PaymentRequest = Static<typeof PaymentRequestSchema>;

export const PaymentRequestEventSchema = record('PaymentRequestEvent', {
  event_id: id('evt'),
  sequence: integer(1),
  type: oneOf(PAYMENT_REQUEST_EVENT_TYPES),
  request_id: reference(),
  connection_id: reference(),
  status: oneOf(PAYMENT_REQUEST_STATUSES),
  previous_status: oneOf(PAYMENT_REQUEST_STATUSES),
  state_version: integer(2),
  actor: oneOf(PAYMENT_EVENT_ACTORS),
  tx_hash: Optional(nullableText()),
  reason: Optional(nullableText()),
  takeover: Optional(
    Type.Unsafe<true>({
      type: 'boolean',
      const: true,
      description: 'Reported by another device of the wallet than the one that had signed.',
    }),
  ),
  occurred_at: time(),
});
export type PaymentRequestEvent = Static<typeof PaymentRequestEventSchema>;

/** Free-form besides these members: what the user should read before approving. */
export const TransactionContextSchema = Type.Object(
  {
    transaction_id: reference(),
    revision: integer(1),
    title: Optional(Type.String()),
    summary: Optional(Type.String()),
    line_items: Optional(Type.Array(Type.Unknown())),
    created_at: time(),
  },
  { title: 'TransactionContext', ...OPEN },
);
export type TransactionContext = Static<typeof TransactionContextSchema>;
