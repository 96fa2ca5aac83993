import { type Static, Type } from 'typebox';
import {
  DOMAIN_METHODS,
  DOMAIN_STATUSES,
  EVIDENCE_TYPES,
  MERCHANT_STATUSES,
  NETWORKS,
  PAYEE_BINDINGS,
  type PayeeBinding,
  RAILS,
  RECIPIENT_STATUSES,
  RECIPIENT_VERSION_STATUSES,
  SIGN_IN_METHODS,
} from '../enumerations.ts';
import { AUDIT_ACTOR_KINDS, AUDIT_EVENT_TYPES, AUDIT_TARGET_TYPES } from '../event-types.ts';
import {
  digest,
  freeObject,
  id,
  integer,
  nullableId,
  nullableInteger,
  nullableText,
  nullableTime,
  oneOf,
  record,
  text,
  time,
  version,
} from './schema.ts';

export const MerchantSchema = record('Merchant', {
  merchant_id: id('mer'),
  name: text(1, 200),
  status: oneOf(MERCHANT_STATUSES),
  /** Evidence counts only when the domain publishes the payee itself; once true it stays so. */
  require_payee_binding: Type.Boolean(),
  version: version(),
  created_at: time(),
  updated_at: time(),
});
export type Merchant = Static<typeof MerchantSchema>;

/** What an email link offers: organizations the operator may enter, without their identifiers. */
export const MerchantChoiceSchema = record('MerchantChoice', {
  choice_id: text(),
  name: text(1, 200),
  status: oneOf(MERCHANT_STATUSES),
});
export type MerchantChoice = Static<typeof MerchantChoiceSchema>;

export const MerchantSessionSchema = record('MerchantSession', {
  session_id: id('ses'),
  /** Whether it is the one that asks. */
  current: Type.Boolean(),
  signed_in_by: oneOf(SIGN_IN_METHODS),
  /** Where the sign-in came from. Null for sessions from before this was kept. */
  network_address: nullableText(),
  /** What the browser said it is. */
  user_agent: nullableText(),
  /** Until when calls that need a passkey pass without another use of it. */
  stepped_up_until: nullableTime(),
  created_at: time(),
  last_seen_at: time(),
  expires_at: time(),
});
export type MerchantSession = Static<typeof MerchantSessionSchema>;

export const DomainSchema = record('Domain', {
  domain_id: id('dom'),
  domain: text(1, 253),
  method: oneOf(DOMAIN_METHODS),
  status: oneOf(DOMAIN_STATUSES),
  created_at: time(),
  verified_at: nullableTime(),
});
export type Domain = Static<typeof DomainSchema>;

/** Both ways are always shown; only the chosen one is checked. */
export const DomainChallengeSchema = record('DomainChallenge', {
  method: oneOf(DOMAIN_METHODS),
  dns: Type.Object({
    type: Type.Unsafe<'TXT'>({ type: 'string', const: 'TXT' }),
    name: text(),
    value: text(),
  }),
  https: Type.Object({ url: text(), body: text() }),
  expires_at: time(),
});
export type DomainChallenge = Static<typeof DomainChallengeSchema>;

export const RecipientSchema = record('Recipient', {
  recipient_id: id('rcp'),
  name: text(1, 200),
  status: oneOf(RECIPIENT_STATUSES),
  active_version_id: nullableId('rcv'),
  version: version(),
  created_at: time(),
  updated_at: time(),
});
export type Recipient = Static<typeof RecipientSchema>;

function payeeRecordText() {
  return Type.Unsafe<string>({ type: 'string', pattern: '^svc-payee=sha256:[0-9a-f]{64}$' });
}

function nullableBinding() {
  return Type.Unsafe<PayeeBinding | null>({ type: ['string', 'null'], enum: [...PAYEE_BINDINGS, null] });
}

export const RecipientVersionSchema = record('RecipientVersion', {
  recipient_version_id: id('rcv'),
  recipient_id: id('rcp'),
  number: integer(1),
  status: oneOf(RECIPIENT_VERSION_STATUSES),
  name: text(1, 200),
  rail: oneOf(RAILS),
  network: oneOf(NETWORKS),
  asset: text(),
  address: text(),
  memo: nullableText(),
  contract: nullableText(),
  issuer: nullableText(),
  decimals: nullableInteger(0, 255),
  chain_id: nullableInteger(0),
  /** What the domain publishes so that evidence is bound to this very payee. */
  payee_record: payeeRecordText(),
  /** Of the evidence it was activated with; before that, of its newest evidence. */
  binding: nullableBinding(),
  created_at: time(),
  verified_at: nullableTime(),
  activated_at: nullableTime(),
  /** Since when the domain of its evidence no longer vouches for it. */
  suspended_at: nullableTime(),
});
export type RecipientVersion = Static<typeof RecipientVersionSchema>;

export const EvidenceSchema = record('Evidence', {
  evidence_id: id('evd'),
  recipient_version_id: id('rcv'),
  type: oneOf(EVIDENCE_TYPES),
  source_id: id('dom'),
  binding: oneOf(PAYEE_BINDINGS),
  evidence_digest: digest(),
  created_at: time(),
  expires_at: time(),
});
export type Evidence = Static<typeof EvidenceSchema>;

export const AuditEventSchema = record('AuditEvent', {
  audit_event_id: id('aud'),
  type: oneOf(AUDIT_EVENT_TYPES),
  actor: Type.Object({ kind: oneOf(AUDIT_ACTOR_KINDS), id: nullableText() }),
  target: Type.Object({ type: oneOf(AUDIT_TARGET_TYPES), id: text() }),
  details: freeObject(),
  request_id: nullableText(),
  occurred_at: time(),
});
export type AuditEvent = Static<typeof AuditEventSchema>;
