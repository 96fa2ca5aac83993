import { type Static, Type } from 'typebox';
import { digest, id, nullableOneOf, nullableText, oneOf, record, text, time } from './schema.ts';

export const WebauthnAssertionSchema = record('WebauthnAssertion', {
  authenticator_data: text(),
  client_data_json: text(),
  signature: text(),
});

/** What a device decided, and what it signed; both surfaces show it in their records. */
export const DecisionSchema = record('Decision', {
  decision: oneOf(['approve', 'reject']),
  decided_at: time(),
  device_id: id('dev'),
  alg: nullableOneOf(['Ed25519', 'webauthn']),
  key_thumbprint: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    pattern: '^sha256:[0-9a-f]{64}$',
    description: 'Of the decision key; with `alg` and what follows null where the wallet has none.',
  }),
  statement: nullableText(),
  signature: Type.Optional(nullableText()),
  webauthn: Type.Optional(WebauthnAssertionSchema),
});
export type Decision = Static<typeof DecisionSchema>;

/** The key of a device, as its owner reads it. */
export const DecisionKeySummarySchema = record('DecisionKeySummary', {
  alg: oneOf(['Ed25519', 'webauthn']),
  thumbprint: digest(),
  created_at: time(),
  endorsed_by: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'The device whose key vouched for it, or `recovery`; null for the first key of a wallet.',
  }),
});
export type DecisionKeySummary = Static<typeof DecisionKeySummarySchema>;
