import type { Static } from 'typebox';
import { AMOUNT_PATTERN, DECIMAL_PATTERN } from '../amounts.ts';
import {
  ADDRESS_ORIGINS,
  AGENT_PAYMENT_STATUSES,
  type AllowlistEntry,
  API_KEY_STATUSES,
  AUTOMATION_POLICY_STATUSES,
  NETWORKS,
  NO_ACTIVE_POLICY,
  PAYMENT_EVENT_ACTORS,
  PAYMENT_INITIATORS,
  PAYMENT_ORIGINS,
  POLICY_THRESHOLDS,
  POLICY_VERDICTS,
  RAILS,
  type TriggeredThreshold,
} from '../enumerations.ts';
import { AGENT_PAYMENT_EVENT_TYPES } from '../event-types.ts';
import { DecisionSchema } from './decision.ts';
import { RiskSchema } from './payment-request.ts';
import {
  constant,
  digest,
  id,
  integer,
  nullableFreeObject,
  nullableId,
  nullableInteger,
  nullableOneOf,
  nullablePattern,
  nullableText,
  nullableTime,
  oneOf,
  pattern,
  record,
  TYPE_NAME,
  Type,
  text,
  time,
  version,
} from './schema.ts';
import { settlementMember, settlementState } from './settlement.ts';

const { Optional } = Type;

export const ApiKeySchema = record('ApiKey', 'A key with which one agent creates agent payments.', {
  api_key_id: id('key', 'The record of the key, not the key itself.'),
  name: text('What operators see in the list.', 200),
  agent_id: id('agt', 'The agent that the key speaks for.'),
  status: oneOf(API_KEY_STATUSES, 'A `revoked` key is refused everywhere.'),
  created_by: nullableId('acc', 'The operator who made it; null when that is not known.'),
  created_at: time('When the key was made.'),
  revoked_at: nullableTime('When it was revoked; null while it works.'),
});
export type ApiKey = Static<typeof ApiKeySchema>;

export const AdminSessionSchema = record(
  'AdminSession',
  'A token with which an operator acts on agent payments and policies.',
  {
    session_token: pattern('^svc_st_', 'Sent as a bearer. Shown once.'),
    expires_at: time('When the token ends at the latest.'),
  },
);
export type AdminSession = Static<typeof AdminSessionSchema>;

export const AgentPaymentSchema = record(
  'AgentPayment',
  'An intended payment under an automation policy, or by a person.',
  {
    id: id('ap', 'The payment.'),
    status: oneOf(AGENT_PAYMENT_STATUSES, 'Status of the payment. `confirmed` is what the wallet reports.'),
    state_version: integer('Raised by every change of status.', 1),
    connection_id: id('con', 'The connection whose wallet pays.'),
    network: oneOf(NETWORKS, 'The network on which to pay.'),
    asset: text('The native symbol of the network, such as `XLM`, or a token.'),
    amount: pattern(AMOUNT_PATTERN, 'Exact decimal, for example "12.50".'),
    to: text('The address that is paid.'),
    recipient_id: nullableId('rcp', 'The Recipient; null when an address was stated instead.'),
    initiated_by: oneOf(
      PAYMENT_INITIATORS,
      'Who submitted it. What a `human` submits always needs the approval of the wallet.',
    ),
    policy_id: nullableId('pol', 'The policy that covers it; null for a human.'),
    tx_hash: nullableText('The transaction, as the wallet reported it.'),
    reason: nullableText('Why it was rejected or failed, as a code.'),
    reason_text: Optional(nullableText('Why it was rejected or failed, in words.')),
    decision: Optional(
      Type.Union([DecisionSchema, Type.Null()], { description: 'What the customer decided; null before.' }),
    ),
    settlement: settlementMember,
    risk: Optional(RiskSchema),
    expires_at: time('A payment that the wallet has not signed by this instant expires.'),
    created_at: time('When the payment was created.'),
    updated_at: time('When the record last changed.'),
    metadata: nullableFreeObject('Notes of the caller.'),
    rail: oneOf(RAILS, 'The family of payment methods.'),
    contract: Optional(nullableText('Token contract, on EVM networks.')),
    issuer: Optional(nullableText('Issuing account, on Stellar for every asset but XLM.')),
    decimals: Optional(nullableInteger('Decimal places of the asset.', 0, 255)),
    chain_id: Optional(nullableInteger('Chain id, on EVM networks.')),
    memo: Optional(nullableText('Memo, destination tag or comment that the payment must carry.')),
    memo_type: Optional(constant('hash', 'The memo is a hash, 64 hex digits. Absent where it is text.')),
    recipient_version_id: Optional(nullableId('rcv', 'The version of the Recipient that was active then.')),
    payee: Optional(nullableFreeObject('Who is paid and who vouches for it; null without a Recipient.')),
    to_entered_by: Optional(
      nullableOneOf(ADDRESS_ORIGINS, 'Who entered the address; null with a Recipient.'),
    ),
    created_with: Optional(
      nullableOneOf(
        PAYMENT_ORIGINS,
        'For merchants and wallets: the credential that created it. Null for payments from before this was recorded.',
      ),
    ),
    facts_digest: digest('Over the payment facts: a wallet checks that they are the pinned ones.'),
    payment_uri: Optional(nullableText('For wallets: the payment as a link; null without a standard.')),
  },
);
export type AgentPayment = Static<typeof AgentPaymentSchema>;

export const AgentPaymentEventSchema = record('AgentPaymentEvent', 'One change of an agent payment.', {
  event_id: id('evt', 'The event; a webhook about the same change has the same id.'),
  sequence: integer('Its number among the agent payments of the connection, without a gap.', 1),
  type: oneOf(AGENT_PAYMENT_EVENT_TYPES, 'What happened.'),
  agent_payment_id: id('ap', 'The payment.'),
  connection_id: text('The connection.', 160),
  status: oneOf(AGENT_PAYMENT_STATUSES, 'The status from then on.'),
  previous_status: oneOf(AGENT_PAYMENT_STATUSES, 'The status before.'),
  state_version: integer('The `state_version` of the payment from then on.', 2),
  actor: oneOf(PAYMENT_EVENT_ACTORS, 'Who caused the change.'),
  tx_hash: Optional(nullableText('The transaction, as the wallet reported it.')),
  reason: Optional(nullableText('Why it was rejected or failed, as a code.')),
  takeover: Optional(
    constant(true, 'Reported by another device of the wallet than the one that had signed.'),
  ),
  settlement_state: settlementState,
  occurred_at: time('When it happened.'),
});
export type AgentPaymentEvent = Static<typeof AgentPaymentEventSchema>;

const allowlist = Type.Unsafe<AllowlistEntry[] | null>({
  type: ['array', 'null'],
  items: {
    [TYPE_NAME]: 'AllowlistEntry',
    oneOf: [
      {
        type: 'object',
        properties: {
          recipient_id: { type: 'string', minLength: 1, description: 'A Recipient.' },
          recipient_version_id: {
            type: ['string', 'null'],
            description: 'The version that the customer sees or has accepted.',
          },
        },
        required: ['recipient_id'],
      },
      {
        type: 'object',
        properties: {
          address: { type: 'string', minLength: 1, description: 'An address.' },
          memo: {
            type: 'string',
            minLength: 1,
            description: 'Covers payments with exactly this memo; without it, those that have none.',
          },
        },
        required: ['address'],
      },
    ],
  },
  description: 'Who may be paid: Recipients or addresses. Null until it is filled.',
});

const validityWindow = Type.Unsafe<{ from: string; until: string } | null>({
  type: ['object', 'null'],
  properties: {
    from: { type: 'string', format: 'date-time', description: 'The first instant.' },
    until: { type: 'string', format: 'date-time', description: 'The first instant after it.' },
  },
  required: ['from', 'until'],
  description: 'When the policy holds. Null until it is filled.',
});

export const AllowedPayeeSchema = record(
  'AllowedPayee',
  'An allowlisted Recipient as a person can read it, in the version that the customer accepts or has accepted.',
  {
    recipient_id: id('rcp', 'The Recipient.'),
    recipient_version_id: id('rcv', 'The version.'),
    name: text('The payee.'),
    address: text('The address that is paid.'),
    memo: nullableText('The memo that payments carry.'),
    memo_policy: Optional(constant('request', 'Each payment carries a separate memo.')),
    domain: nullableText('The domain that vouches for it; null when none does.'),
  },
);
export type AllowedPayee = Static<typeof AllowedPayeeSchema>;

/** The four thresholds are null until they are filled; only a filled policy can become active. */
export const AutomationPolicySchema = record(
  'AutomationPolicy',
  'What an agent may pay without a decision on each. Only the customer can put it into force.',
  {
    id: id('pol', 'The policy.'),
    status: oneOf(AUTOMATION_POLICY_STATUSES, 'Payments are covered only while it is `active`.'),
    version: version(),
    connection_id: id('con', 'The connection whose agent may act.'),
    network: oneOf(NETWORKS, 'The network on which it may pay.'),
    asset: text('The asset in which it may pay.'),
    issuer: nullableText('Issuer of the asset; null for the native one.'),
    single_tx_limit: nullablePattern(AMOUNT_PATTERN, 'The most that one payment may be.'),
    cumulative_limit: nullablePattern(AMOUNT_PATTERN, 'The most that all payments may be together.'),
    validity_window: validityWindow,
    allowlist,
    allowed_payees: Optional(
      Type.Array(AllowedPayeeSchema, {
        description:
          'The Recipients of the allowlist, in the versions that the customer accepts or has accepted.',
      }),
    ),
    proposed_payees: Optional(
      Type.Array(AllowedPayeeSchema, {
        description:
          'The versions that the next consent would accept, when they are not those in force; otherwise empty.',
      }),
    ),
    usage: Type.Object(
      {
        spent: pattern(DECIMAL_PATTERN, 'What was paid under the policy.'),
        reserved: pattern(DECIMAL_PATTERN, 'What payments under way have reserved.'),
        remaining: nullablePattern(
          DECIMAL_PATTERN,
          'What is left of the cumulative limit; null without one.',
        ),
      },
      { description: 'How much of the cumulative limit is used.' },
    ),
    opted_in_at: nullableTime('When the customer last consented; null before.'),
    created_at: time('When the draft was made.'),
  },
);
export type AutomationPolicy = Static<typeof AutomationPolicySchema>;

const triggeredThresholds = Type.Array(
  Type.Unsafe<TriggeredThreshold>({ type: 'string', enum: [...POLICY_THRESHOLDS, NO_ACTIVE_POLICY] }),
  { description: 'Every threshold that the payment would cross.' },
);
const maxAmountAllowed = pattern(
  DECIMAL_PATTERN,
  'The most that a payment to this payee could be at this moment.',
);

export const PolicyEvaluationSchema = record(
  'PolicyEvaluation',
  'What would happen to an intended payment under a policy. Nothing is reserved.',
  {
    id: id('pol', 'The policy.'),
    status: oneOf(AUTOMATION_POLICY_STATUSES, 'Its status.'),
    verdict: oneOf(POLICY_VERDICTS, 'Whether the agent may pay, or a person has to.'),
    triggered_thresholds: triggeredThresholds,
    remaining: nullablePattern(DECIMAL_PATTERN, 'What is left of the cumulative limit; null without one.'),
    max_amount_allowed: maxAmountAllowed,
  },
);
export type PolicyEvaluation = Static<typeof PolicyEvaluationSchema>;

export const HitlDetailsSchema = record(
  'HumanRequiredDetails',
  'The `error.details` of HC_NC_5_HITL_REQUIRED.',
  {
    triggered_thresholds: triggeredThresholds,
    policy_id: nullableId('pol', 'The policy that was judged; null when there is none.'),
    limits: nullableFreeObject('The thresholds of that policy.'),
    remaining: nullablePattern(DECIMAL_PATTERN, 'What is left of the cumulative limit; null without one.'),
    max_amount_allowed: maxAmountAllowed,
    resubmit: Type.Object(
      { initiated_by: constant('human', 'Who has to submit it.') },
      { description: 'What to change so that a person can submit it.' },
    ),
  },
);
export type HitlDetails = Static<typeof HitlDetailsSchema>;
