import { AGENT_PAYMENT_STATUSES, PAYMENT_INITIATORS } from '@countersign/protocol';
import { AMOUNT, ASSET, CLOSED, NETWORK, reference } from '@countersign/protocol/api';
import { schema } from '@countersign/protocol/records';
import { type Static, Type } from 'typebox';
import { TAKEOVER } from '../payment-requests/schema.ts';

export const PaymentInput = Type.Object(
  {
    connection_id: reference('The connection whose wallet is to pay.'),
    network: NETWORK,
    asset: ASSET,
    amount: AMOUNT,
    recipient_id: Type.Optional(reference('An active Recipient; it fixes every payment fact.')),
    to: Type.Optional(reference("An address, instead of a Recipient, for the network's own coin.")),
    initiated_by: Type.Optional(schema.oneOf(PAYMENT_INITIATORS)),
    policy_id: Type.Optional(reference('The policy that is meant, where it should be no other.')),
    expires_at: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'One hour from now when absent; at most 366 days ahead.',
      }),
    ),
    metadata: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: true,
        description: 'Notes of the caller. Up to 8 KiB, 8 levels deep.',
      }),
    ),
    idempotency_key: Type.Optional(
      Type.String({ description: 'The same as the header; one of them is needed.' }),
    ),
  },
  CLOSED,
);
export type PaymentInput = Static<typeof PaymentInput>;

export const StatusInput = Type.Object(
  {
    status: schema.oneOf(AGENT_PAYMENT_STATUSES),
    tx_hash: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 256,
        pattern: '^[\\x20-\\x7e]*$',
        description: 'Printable ASCII.',
      }),
    ),
    reason_code: Type.Optional(
      Type.String({ pattern: '^[a-z0-9_]{1,64}$', description: 'Only with rejected and failed.' }),
    ),
    reason: Type.Optional(
      Type.String({ maxLength: 280, description: 'For people. Only with rejected and failed.' }),
    ),
    connection_id: Type.Optional(reference("Must be the payment's own.")),
    takeover: TAKEOVER,
  },
  CLOSED,
);
export type StatusInput = Static<typeof StatusInput>;
