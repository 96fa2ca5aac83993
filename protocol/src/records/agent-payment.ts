import { type Static, Type } from 'typebox';
import { AMOUNT_PATTERN } from '../amounts.ts';
import {
  ADDRESS_ORIGINS,
  AGENT_PAYMENT_STATUSES,
  API_KEY_STATUSES,
  AUTOMATION_POLICY_STATUSES,
  NETWORKS,
  NO_ACTIVE_POLICY,
  PAYMENT_INITIATORS,
  POLICY_THRESHOLDS,
  POLICY_VERDICTS,
  RAILS,
} from '../enumerations.ts';
import { DecisionSchema } from './decision.ts';
import {
  digest,
  id,
  integer,
  nullableId,
  nullableInteger,
  nullableOneOf,
  nullableText,
  nullableTime,
  oneOf,
  record,
  text,
  time,
  version,
} from './schema.ts';

const { Optional } = Type;

/** A decimal that may be zero, as the service computes it. */
const DECIMAL_PATTERN = '^(0|[1-9][0-9]*)(\\.[0-9]+)?$';

function amount() {
  return Type.Unsafe<string>({ type: 'string', pattern: AMOUNT_PATTERN });
}

function nullableAmount() {
  return Type.Unsafe<string | null>({ type: ['string', 'null'], pattern: AMOUNT_PATTERN });
}

function decimal() {
  return Type.Unsafe<string>({ type: 'string', pattern: DECIMAL_PATTERN });
}

function nullableDecimal() {
  return Type.Unsafe<string | null>({ type: ['string', 'null'], pattern: DECIMAL_PATTERN });
}

export const ApiKeySchema = record('ApiKey', {
  api_key_id: id('key'),
  name: text(1, 200),
  agent_id: id('agt'),
  status: oneOf(API_KEY_STATUSES),
  /** The operator who made it. */
  created_by: nullableId('acc'),
  created_at: time(),
  revoked_at: nullableTime(),
});
export type ApiKey = Static<typeof ApiKeySchema>;

export const AdminSessionSchema = record('AdminSession', {
  session_token: Type.Unsafe<string>({ type: 'string', pattern: '^svc_st_' }),
  expires_at: time(),
});
export type AdminSession = Static<typeof AdminSessionSchema>;

export const AgentPaymentSchema = record('AgentPayment', {
  id: id('ap'),
  status: oneOf(AGENT_PAYMENT_STATUSES),
  state_version: integer(1),
  connection_id: id('con'),
  network: oneOf(NETWORKS),
  asset: text(),
  amount: amount(),
  to: text(),
  recipient_id: nullableId('rcp'),
  initiated_by: oneOf(PAYMENT_INITIATORS),
  policy_id: nullableId('pol'),
  tx_hash: nullableText(),
  reason: nullableText(),
  reason_text: Optional(nullableText()),
  decision: Optional(Type.Union([DecisionSchema, Type.Null()])),
  expires_at: time(),
  created_at: time(),
  updated_at: time(),
  metadata: Type.Unsafe<Record<string, unknown> | null>({
    type: ['object', 'null'],
    additionalProperties: true,
  }),
  rail: oneOf(RAILS),
  contract: Optional(nullableText()),
  issuer: Optional(nullableText()),
  decimals: Optional(nullableInteger(0, 255)),
  chain_id: Optional(nullableInteger(0)),
  memo: Optional(nullableText()),
  recipient_version_id: Optional(nullableId('rcv')),
  payee: Optional(
    Type.Unsafe<Record<string, unknown> | null>({ type: ['object', 'null'], additionalProperties: true }),
  ),
  to_entered_by: Optional(nullableOneOf(ADDRESS_ORIGINS)),
  facts_digest: digest(),
});
export type AgentPayment = Static<typeof AgentPaymentSchema>;

export interface AllowlistEntry {
  recipient_id?: string;
  /** The version that the user sees or has accepted. */
  recipient_version_id?: string | null;
  address?: string;
  /** Beside an address: none means that the payment has none. */
  memo?: string;
}

function allowlist() {
  return Type.Unsafe<AllowlistEntry[] | null>({
    type: ['array', 'null'],
    items: {
      oneOf: [
        {
          type: 'object',
          properties: {
            recipient_id: { type: 'string', minLength: 1 },
            recipient_version_id: { type: ['string', 'null'] },
          },
          required: ['recipient_id'],
        },
        {
          type: 'object',
          properties: { address: { type: 'string', minLength: 1 }, memo: { type: 'string', minLength: 1 } },
          required: ['address'],
        },
      ],
    },
  });
}

function validityWindow() {
  return Type.Unsafe<{ from: string; until: string } | null>({
    type: ['object', 'null'],
    properties: {
      from: { type: 'string', format: 'date-time' },
      until: { type: 'string', format: 'date-time' },
    },
    required: ['from', 'until'],
  });
}

/** An allowlisted Recipient as a person can read it, in the version that the user accepts or has accepted. */
export const AllowedPayeeSchema = record('AllowedPayee', {
  recipient_id: id('rcp'),
  recipient_version_id: id('rcv'),
  name: text(),
  address: text(),
  memo: nullableText(),
  domain: nullableText(),
});
export type AllowedPayee = Static<typeof AllowedPayeeSchema>;

/** The four thresholds are null until they are filled; only a filled policy can become active. */
export const AutomationPolicySchema = record('AutomationPolicy', {
  id: id('pol'),
  status: oneOf(AUTOMATION_POLICY_STATUSES),
  version: version(),
  connection_id: id('con'),
  network: oneOf(NETWORKS),
  asset: text(),
  issuer: nullableText(),
  single_tx_limit: nullableAmount(),
  cumulative_limit: nullableAmount(),
  validity_window: validityWindow(),
  allowlist: allowlist(),
  allowed_payees: Optional(Type.Array(AllowedPayeeSchema)),
  proposed_payees: Optional(
    Type.Array(AllowedPayeeSchema, {
      description:
        'The versions that the next consent would accept, when they are not those in force; otherwise empty.',
    }),
  ),
  usage: Type.Object({ spent: decimal(), reserved: decimal(), remaining: nullableDecimal() }),
  opted_in_at: nullableTime(),
  created_at: time(),
});
export type AutomationPolicy = Static<typeof AutomationPolicySchema>;

function triggeredThresholds() {
  return Type.Array(oneOf([...POLICY_THRESHOLDS, NO_ACTIVE_POLICY] as const));
}

export const PolicyEvaluationSchema = record('PolicyEvaluation', {
  id: id('pol'),
  status: oneOf(AUTOMATION_POLICY_STATUSES),
  verdict: oneOf(POLICY_VERDICTS),
  triggered_thresholds: triggeredThresholds(),
  remaining: nullableDecimal(),
  max_amount_allowed: decimal(),
});
export type PolicyEvaluation = Static<typeof PolicyEvaluationSchema>;

/** `error.details` of HC_NC_5_HITL_REQUIRED. */
export const HitlDetailsSchema = record('HumanRequiredDetails', {
  triggered_thresholds: triggeredThresholds(),
  policy_id: nullableId('pol'),
  limits: Type.Unsafe<Record<string, unknown> | null>({
    type: ['object', 'null'],
    additionalProperties: true,
  }),
  remaining: nullableDecimal(),
  max_amount_allowed: decimal(),
  resubmit: Type.Object({ initiated_by: Type.Unsafe<'human'>({ type: 'string', const: 'human' }) }),
});
export type HitlDetails = Static<typeof HitlDetailsSchema>;
