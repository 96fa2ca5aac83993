import type { Static } from 'typebox';
import {
  DOMAIN_METHODS,
  DOMAIN_STATUSES,
  EVIDENCE_TYPES,
  MEMO_POLICIES,
  MERCHANT_STATUSES,
  NETWORKS,
  PAYEE_BINDINGS,
  RAILS,
  RECIPIENT_STATUSES,
  RECIPIENT_VERSION_STATUSES,
  SIGN_IN_METHODS,
} from '../enumerations.ts';
import { AUDIT_ACTOR_KINDS, AUDIT_EVENT_TYPES, AUDIT_TARGET_TYPES } from '../event-types.ts';
import {
  constant,
  digest,
  flag,
  freeObject,
  id,
  integer,
  nullableId,
  nullableInteger,
  nullableOneOf,
  nullableText,
  nullableTime,
  oneOf,
  pattern,
  record,
  Type,
  text,
  time,
  version,
} from './schema.ts';

export const MerchantSchema = record('Merchant', 'The organization behind payees and agents.', {
  merchant_id: id('mer', 'The organization.'),
  name: text('What it calls itself; not verified.', 200),
  status: oneOf(MERCHANT_STATUSES, '`active` since its first domain was proved.'),
  require_payee_binding: flag(
    'Whether evidence counts only when the domain publishes the payee itself. Once true it stays so.',
  ),
  four_eyes: flag(
    'Whether changes of payees and operators, and the deletion of a domain, wait for a second owner.',
  ),
  version: version(),
  created_at: time('When it was created.'),
  updated_at: time('When the record last changed.'),
});
export type Merchant = Static<typeof MerchantSchema>;

export const MerchantChoiceSchema = record(
  'MerchantChoice',
  'An organization that the operator may enter, without its identifier.',
  {
    choice_id: text('Names the choice when the session is opened.'),
    name: text('The organization.', 200),
    status: oneOf(MERCHANT_STATUSES, 'Its status.'),
  },
);
export type MerchantChoice = Static<typeof MerchantChoiceSchema>;

export const MerchantSessionSchema = record('MerchantSession', 'The session of an operator.', {
  session_id: id('ses', 'The session.'),
  current: flag('Whether it is the calling session.'),
  signed_in_by: oneOf(SIGN_IN_METHODS, 'How the operator signed in.'),
  network_address: nullableText('Where the sign-in came from; null for sessions from before this was kept.'),
  user_agent: nullableText('The `User-Agent` of the browser; null without one.'),
  stepped_up_until: nullableTime('Until when calls that need a passkey pass; null when none was used.'),
  created_at: time('When the operator signed in.'),
  last_seen_at: time('When the session was last used.'),
  expires_at: time('When the session ends at the latest.'),
});
export type MerchantSession = Static<typeof MerchantSessionSchema>;

export const DomainSchema = record('Domain', 'A domain that an organization has proved or wants to prove.', {
  domain_id: id('dom', 'The record of the domain.'),
  domain: text('The exact host, such as `shop.example`.', 253),
  method: oneOf(DOMAIN_METHODS, 'How the challenge is published.'),
  status: oneOf(DOMAIN_STATUSES, '`lapsed` when the challenge is no longer published.'),
  created_at: time('When it was registered.'),
  verified_at: nullableTime('When the challenge was last found; null before.'),
});
export type Domain = Static<typeof DomainSchema>;

export const DomainChallengeSchema = record(
  'DomainChallenge',
  'What to publish. Both ways are always shown; only the chosen one is checked.',
  {
    method: oneOf(DOMAIN_METHODS, 'The way that is checked.'),
    dns: Type.Object(
      {
        type: constant('TXT', 'The type of the record.'),
        name: text('The name of the record.'),
        value: text('The text of the record.'),
      },
      { description: 'The DNS record.' },
    ),
    https: Type.Object(
      { url: text('Where the file is fetched.'), body: text('What the file contains.') },
      { description: 'The file.' },
    ),
    expires_at: time('When the challenge ends.'),
  },
);
export type DomainChallenge = Static<typeof DomainChallengeSchema>;

export const RecipientSchema = record(
  'Recipient',
  'A payee of an organization. Its facts are in versions, which never change.',
  {
    recipient_id: id('rcp', 'The Recipient.'),
    name: text('The label in the portal; each version has its own name.', 200),
    status: oneOf(RECIPIENT_STATUSES, 'Only an `active` one can be paid. `archived` is final.'),
    active_version_id: nullableId('rcv', 'The version that new requests use; null before the first.'),
    version: version(),
    created_at: time('When it was created.'),
    updated_at: time('When the record last changed.'),
  },
);
export type Recipient = Static<typeof RecipientSchema>;

export const RecipientVersionSchema = record(
  'RecipientVersion',
  'The facts of a payee: where it is paid. They never change; other facts are another version.',
  {
    recipient_version_id: id('rcv', 'The version.'),
    recipient_id: id('rcp', 'The Recipient that it belongs to.'),
    number: integer('Counts the versions of the Recipient from 1.', 1),
    status: oneOf(RECIPIENT_VERSION_STATUSES, 'Created, then verified by evidence, then active.'),
    name: text('What wallets show as the payee.', 200),
    rail: oneOf(RAILS, 'The family of payment methods.'),
    network: oneOf(NETWORKS, 'The network on which it is paid.'),
    asset: text('The native symbol of the network, such as `XLM`, or a token.'),
    address: text('The address that is paid.'),
    memo: nullableText('Memo, destination tag or comment that payments must carry.'),
    memo_policy: Type.Optional(
      oneOf(MEMO_POLICIES, '`request`: each payment carries a separate memo, which its request pins.'),
    ),
    contract: nullableText('Token contract, on EVM networks.'),
    issuer: nullableText('Issuing account, on Stellar for every asset but XLM.'),
    decimals: nullableInteger('Decimal places of the asset.', 0, 255),
    chain_id: nullableInteger('Chain id, on EVM networks.'),
    payee_record: pattern(
      '^svc-payee=sha256:[0-9a-f]{64}$',
      'What the domain publishes so that evidence is bound to this very payee.',
    ),
    binding: nullableOneOf(
      PAYEE_BINDINGS,
      'Of the evidence it was activated with; before that, of its newest evidence.',
    ),
    created_at: time('When the version was added.'),
    verified_at: nullableTime('When it was verified; null before.'),
    activated_at: nullableTime('When it was activated; null before.'),
    suspended_at: nullableTime(
      'Since when the domain of its evidence no longer vouches for it; null otherwise.',
    ),
  },
);
export type RecipientVersion = Static<typeof RecipientVersionSchema>;

export const EvidenceSchema = record('Evidence', 'A proof that a domain vouches for a version.', {
  evidence_id: id('evd', 'The evidence.'),
  recipient_version_id: id('rcv', 'The version that it is for.'),
  type: oneOf(EVIDENCE_TYPES, 'What kind of proof it is.'),
  source_id: id('dom', 'The domain that vouches.'),
  binding: oneOf(
    PAYEE_BINDINGS,
    '`payee`: the domain publishes this very payee. `domain`: only that it belongs to the organization.',
  ),
  evidence_digest: digest('Over everything that was proved; send it with the activation.'),
  created_at: time('When the proof was queried.'),
  expires_at: time('From this instant on it can no longer activate a version.'),
});
export type Evidence = Static<typeof EvidenceSchema>;

export const AuditEventSchema = record('AuditEvent', 'One act that changed a right or a secret.', {
  audit_event_id: id('aud', 'The entry.'),
  type: oneOf(AUDIT_EVENT_TYPES, 'What was done.'),
  actor: Type.Object(
    {
      kind: oneOf(AUDIT_ACTOR_KINDS, 'What kind of party acted.'),
      id: nullableText('Which one, or its name; null for the service itself.'),
    },
    { description: 'Who did it.' },
  ),
  target: Type.Object(
    { type: oneOf(AUDIT_TARGET_TYPES, 'What kind of record.'), id: text('Which one.') },
    { description: 'What it was done to.' },
  ),
  details: freeObject('More about the act. Never a secret.'),
  request_id: nullableText('The HTTP request that caused it; null for the service itself.'),
  occurred_at: time('When it was done.'),
});
export type AuditEvent = Static<typeof AuditEventSchema>;
