import type { TProperties } from 'typebox';
import { type Scope, SECOND_SURFACE_NETWORK } from '../enumerations.ts';
import { ConnectionSchema } from '../records/connect.ts';
import { oneOf, record, Type, time, typed } from '../records/schema.ts';

/** Members that several inputs have, each stated once. */

/** An input takes the members it names and no others, so that a misspelt one is noticed. */
export const CLOSED = { additionalProperties: false } as const;

export function input<Members extends TProperties>(title: string, description: string, members: Members) {
  return Type.Object(members, { title, description, ...CLOSED });
}

/** An id as a caller may send it: whether it names anything is found out later. */
export function reference(description: string) {
  return Type.String({ minLength: 1, maxLength: 160, description });
}

export function name(description: string) {
  return Type.String({ minLength: 1, maxLength: 200, description });
}

/** Of a merchant, agent or payee: others read it next to a payment. What it may be is `nameFault`. */
export function partyName(description: string) {
  return name(
    `${description} One line, without \`://\`, \`www.\` and \`@\`, and without *verified* or *official* next to a domain.`,
  );
}

/** Any integer: a version that is not the current one is a conflict, not a validation error. */
export const VERSION = Type.Integer({
  description: 'The version that it is based on.',
});

export const NETWORK = Type.Unsafe<typeof SECOND_SURFACE_NETWORK>({
  type: 'string',
  enum: [SECOND_SURFACE_NETWORK],
  description: 'Every other network is refused with phase_0_mainnet_disabled.',
});

export const ASSET = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'As the Recipient names it; upper and lower case count.',
});

export const AMOUNT = Type.String({ description: 'Exact decimal, for example "12.50".' });

export const EXPIRES_AT = Type.Optional(
  Type.String({ format: 'date-time', description: 'One hour from now when absent; at most 366 days ahead.' }),
);

export function freeForm(description: string) {
  return Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description });
}

export const CONNECTION_CHOICE = Type.Optional(Type.String({ description: 'Only of this connection.' }));

/** Base64url without padding. Longer ones are no signature of anything. */
export const binary = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, description: `${description} Base64url without padding.` });

/** Either `signature` or `webauthn`; which one follows from the key. */
export const SIGNED_BY = {
  signature: Type.Optional(
    Type.String({ maxLength: 1024, description: 'By an Ed25519 key. Base64url without padding.' }),
  ),
  webauthn: Type.Optional(
    input('WebauthnAssertionInput', 'By a passkey: the response of its authenticator.', {
      authenticator_data: binary(4096, '`authenticatorData` of the response.'),
      client_data_json: binary(8192, '`clientDataJSON` of the response.'),
      signature: binary(1024, '`signature` of the response.'),
    }),
  ),
};

/** Of a call that changes the wallet's keys. */
export const AUTHORIZATION = Type.Optional(
  input(
    'WalletAuthorization',
    'Needed in a wallet with a decision key; without it the change takes effect after 24 hours. A current key of the wallet signs `svc-decision-act:v1:<base URL>:<act>:<device acted on or ->:<thumbprint or ->:<at>`; `act` is `set_key`, `remove_key`, `delete_device` or `recovery_code`, the thumbprint that of the new key or of the key that ends. Counts once.',
    {
      device_id: reference('The device whose key signs.'),
      at: time('When it was signed, as in the signed text; at most 5 minutes off.'),
      ...SIGNED_BY,
    },
  ),
);

/** What a wallet reports about a payment, the same on both surfaces but for the statuses. */
export function statusReport<const Statuses extends readonly string[]>(
  title: string,
  statuses: Statuses,
  connectionId: string,
) {
  return input(title, 'What the wallet did.', {
    status: oneOf(statuses, 'Present status of the payment.'),
    tx_hash: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 256,
        pattern: '^[\\x20-\\x7e]*$',
        description:
          'The transaction on its network, in printable ASCII. Every spelling of a hash is taken; records have the canonical one. Once set it never changes.',
      }),
    ),
    reason_code: Type.Optional(
      Type.String({
        pattern: '^[a-z0-9_]{1,64}$',
        description:
          'Why, for programs. Only with rejected and failed. Not a reason of the service itself: payee_recalled, connection_revoked, withdrawn_by_agent, superseded.',
      }),
    ),
    reason: Type.Optional(
      Type.String({ maxLength: 280, description: 'Why, for people. Only with rejected and failed.' }),
    ),
    decision: Type.Optional(
      input(
        'SignedDecision',
        'Only with signed and rejected: the decision statement, signed by the decision key of this device. Required with signed once the wallet has such a key; rejecting never needs one.',
        { decided_at: time('When the customer decided.'), ...SIGNED_BY },
      ),
    ),
    connection_id: Type.Optional(reference(connectionId)),
    takeover: Type.Optional(
      Type.Boolean({
        description:
          'After `signed` only that device may report. With true this one takes its place, and the event records it. Let the customer confirm first: the other may still send.',
      }),
    ),
  });
}

/** The server checks unknown names, because it can return a more specific error than a schema. */
export function scopeList(description: string) {
  return Type.Array(typed<Scope>('Scope', { type: 'string' }), {
    minItems: 1,
    maxItems: 16,
    uniqueItems: true,
    description,
  });
}

export const TokenAnswer = record('ConnectionWithToken', 'A connection with the token to act in it.', {
  connection: ConnectionSchema,
  connection_token: Type.String({ description: '`svc_ct_…`; store it as a secret.' }),
});
