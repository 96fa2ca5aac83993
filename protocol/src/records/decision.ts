import type { Static } from 'typebox';
import {
  digest,
  nullableId,
  nullableOneOf,
  nullablePattern,
  nullableText,
  oneOf,
  record,
  Type,
  text,
  time,
} from './schema.ts';

const ALGORITHMS = ['Ed25519', 'webauthn'] as const;

export const WebauthnAssertionSchema = record(
  'WebauthnAssertion',
  'The response of an authenticator, each member base64url without padding.',
  {
    authenticator_data: text('`authenticatorData` of the response.'),
    client_data_json: text('`clientDataJSON` of the response.'),
    signature: text('`signature` of the response.'),
  },
);

/** Both surfaces show it in their records. */
export const DecisionSchema = record('Decision', 'What a device decided, and what it signed.', {
  decision: oneOf(['approve', 'reject'], 'What the customer chose.'),
  decided_at: time('When the customer decided.'),
  device_id: nullableId(
    'dev',
    'The device that reported it. Of an unsigned decision only the wallet reads it; null for others.',
  ),
  alg: nullableOneOf(ALGORITHMS, 'The kind of the decision key; null where nothing was signed.'),
  key_thumbprint: nullablePattern(
    '^sha256:[0-9a-f]{64}$',
    'Of the decision key; with `alg` and what follows null where nothing was signed.',
  ),
  statement: nullableText('The text that was signed.'),
  signature: Type.Optional(nullableText('By an Ed25519 key, base64url without padding.')),
  webauthn: Type.Optional(WebauthnAssertionSchema),
});
export type Decision = Static<typeof DecisionSchema>;

export const DecisionKeySummarySchema = record(
  'DecisionKeySummary',
  'The decision key of a device, as its owner reads it.',
  {
    alg: oneOf(ALGORITHMS, 'The kind of the key.'),
    thumbprint: digest('Names the key.'),
    created_at: time('When the key was set.'),
    endorsed_by: nullableText(
      'The device whose key authorized it, `recovery` after a recovery, or `delay` after 24 hours; null for the first key of a wallet.',
    ),
  },
);
export type DecisionKeySummary = Static<typeof DecisionKeySummarySchema>;
