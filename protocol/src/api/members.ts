import { Type } from 'typebox';
import { SECOND_SURFACE_NETWORK } from '../enumerations.ts';
import { ConnectionSchema } from '../records/connect.ts';
import { oneOf } from '../records/schema.ts';

/** Members that several inputs have, each stated once. */

/** An input takes the members it names and no others, so that a misspelt one is noticed. */
export const CLOSED = { additionalProperties: false } as const;

/** An id as a caller may send it: whether it names anything is found out later. */
export function reference(description: string) {
  return Type.String({ minLength: 1, maxLength: 160, description });
}

export const NAME = Type.String({ minLength: 1, maxLength: 200 });

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
export const binary = (maxLength: number) => Type.String({ minLength: 1, maxLength });

const Assertion = Type.Object(
  {
    authenticator_data: binary(4096),
    client_data_json: binary(8192),
    signature: binary(1024),
  },
  CLOSED,
);

/** Either `signature` or `webauthn`; which one follows from the key. */
export const SIGNED_BY = {
  signature: Type.Optional(
    Type.String({ maxLength: 1024, description: 'Ed25519, base64url without padding.' }),
  ),
  webauthn: Type.Optional(Assertion),
};

/** What a wallet reports about a payment, the same on both surfaces but for the statuses. */
export function statusReport<const Statuses extends readonly string[]>(
  statuses: Statuses,
  connectionId: string,
) {
  return Type.Object(
    {
      status: oneOf(statuses),
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
      decision: Type.Optional(
        Type.Object(
          { decided_at: Type.String({ format: 'date-time' }), ...SIGNED_BY },
          {
            ...CLOSED,
            description:
              'Only with signed and rejected: the decision statement, signed by the decision key of this device. Required once the wallet has such a key.',
          },
        ),
      ),
      connection_id: Type.Optional(reference(connectionId)),
      takeover: Type.Optional(
        Type.Boolean({
          description:
            'After `signed`: this device reports on instead of the one that signed. The event says so. Ignored before.',
        }),
      ),
    },
    CLOSED,
  );
}

/** Unknown names are judged by the server, which can say more than a schema. */
export const SCOPE_LIST = Type.Array(Type.String(), { minItems: 1, maxItems: 16, uniqueItems: true });

export const TokenAnswer = Type.Object({
  connection: ConnectionSchema,
  connection_token: Type.String({ description: 'svc_ct_…' }),
});
