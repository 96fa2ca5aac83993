import { PAYMENT_REQUEST_PROTOCOL, PAYMENT_REQUEST_STATUSES } from '@payassent/protocol';
import { TAKEOVER } from '@payassent/protocol/api';
import { type Static, Type } from 'typebox';

const CLOSED = { additionalProperties: false } as const;

function reference(description: string) {
  return Type.String({ minLength: 1, maxLength: 160, description });
}

function freeForm(description: string) {
  return Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description });
}

export const CREATE_INPUT = Type.Object(
  {
    recipient_id: reference('A Recipient with an active version.'),
    recipient_version_id: Type.Optional(
      reference('When sent, it must be the active version; otherwise nothing is created.'),
    ),
    payment: Type.Object(
      { amount: Type.String({ description: 'Exact decimal, for example "12.50".' }) },
      CLOSED,
    ),
    policy: Type.Object(
      { requires_user_approval: Type.Unsafe<true>({ type: 'boolean', const: true }) },
      CLOSED,
    ),
    expires_at: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'One hour from now when absent; at most 366 days ahead.',
      }),
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
    display: Type.Optional(freeForm('What the user may be shown. Up to 8 KiB, 8 levels deep.')),
    metadata: Type.Optional(freeForm('Notes of the agent. Up to 8 KiB, 8 levels deep.')),
    protocol: Type.Optional(
      Type.Unsafe<typeof PAYMENT_REQUEST_PROTOCOL>({ type: 'string', const: PAYMENT_REQUEST_PROTOCOL }),
    ),
  },
  CLOSED,
);
export type CreateInput = Static<typeof CREATE_INPUT>;

/** On both surfaces. */

export const STATUS_INPUT = Type.Object(
  {
    status: Type.Unsafe<(typeof PAYMENT_REQUEST_STATUSES)[number]>({
      type: 'string',
      enum: [...PAYMENT_REQUEST_STATUSES],
    }),
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
    connection_id: Type.Optional(reference('Selects between equal ids of two connections.')),
    takeover: TAKEOVER,
  },
  CLOSED,
);
export type StatusInput = Static<typeof STATUS_INPUT>;

export const STATUS_FILTER = Type.Optional(
  Type.Unsafe<(typeof PAYMENT_REQUEST_STATUSES)[number]>({
    type: 'string',
    enum: [...PAYMENT_REQUEST_STATUSES],
  }),
);

/** On the list it turns the page into the waiting form, even at 0. */
export const INBOX_WAIT = Type.Optional(
  Type.Integer({ minimum: 0, maximum: 30, description: 'Seconds to wait for what is newer than `cursor`.' }),
);

export const WAIT = Type.Integer({
  minimum: 0,
  maximum: 30,
  default: 0,
  description: 'Seconds to wait for news.',
});

export const CONNECTION_CHOICE = Type.Optional(Type.String({ description: 'Only of this connection.' }));

/** Free-form besides these members. */
export const CONTEXT_INPUT = Type.Object(
  {
    transaction_id: Type.Optional(
      reference('A known id gets a new revision; a new one is made when absent.'),
    ),
    connection_id: Type.Optional(reference("Must be the token's own.")),
    title: Type.Optional(Type.String()),
    summary: Type.Optional(Type.String()),
    line_items: Type.Optional(Type.Array(Type.Unknown())),
  },
  { additionalProperties: true },
);
export type ContextInput = Static<typeof CONTEXT_INPUT>;
