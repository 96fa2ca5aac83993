import {
  exceedsNetworkMaximum,
  factsDigest,
  type Network,
  networkRow,
  type PaymentFacts,
} from '@payassent/protocol';
import { isLogDomain } from '@payassent/protocol/evidence';
import type { AddressOrigin, AgentPayment, PaymentRequest, Settlement } from '@payassent/sdk';

/** The status of a payment, for both kinds. */
export type PaymentStatus =
  | 'pending'
  | 'signed'
  | 'broadcasted'
  | 'confirmed'
  | 'failed'
  | 'expired'
  | 'rejected'
  | 'cancelled';

export interface Payee {
  name: string;
  /** The verified one. */
  domain: string | undefined;
  /** Under a domain that is not written as the log has it, so that its owner would not find this payee. */
  isMisspelled: boolean;
  recipientId: string;
  /** What was proved at the domain: this very payee, or the domain alone. */
  binding: 'payee' | 'domain';
  /** Since when payments go to this address. */
  activatedAt: string | undefined;
  /** False when the merchant has replaced or archived it since, or lost its domain. */
  isCurrent: boolean;
}

/** What the agent states, by the part of the record. None of it is verified. */
export interface SaidPart {
  part: 'display' | 'metadata' | 'source' | 'context';
  content: Record<string, unknown>;
}

/** A payment request or an agent payment, as the review needs it: pinned details, apart from the agent's statements. */
export interface Payment {
  kind: 'request' | 'agent';
  /** Names it in the journal and in caches. */
  key: string;
  id: string;
  connectionId: string;
  status: PaymentStatus;
  isFinal: boolean;
  facts: PaymentFacts;
  pinnedDigest: string;
  /** The service's link for other wallet apps: see `paymentLink`. */
  link?: string | undefined;
  /** Undefined where the agent names a bare address. */
  payee: Payee | undefined;
  /** As the service returns it; undefined where only the connection identifies the agent. */
  agentId?: string | undefined;
  agentName: string | undefined;
  merchantName: string | undefined;
  createdAt: string;
  updatedAt: string;
  expiresAt: string;
  txHash: string | undefined;
  /** What the chain shows; nothing where no observer has checked. */
  settlement?: Settlement | null | undefined;
  reason: string | undefined;
  reasonText: string | undefined;
  /** Without a revision the request was made before there was any description. */
  context: { transactionId: string; revision: number | null } | undefined;
  policyId: string | undefined;
  initiatedBy: 'agent' | 'human' | undefined;
  /** Who typed the address, where no payee of the merchant has it. */
  typedBy: AddressOrigin | 'unknown' | undefined;
  /** Which credential created it; null where it was not recorded. */
  createdWith?: AgentPayment['created_with'];
  said: SaidPart[];
  /** What the service found: the same was requested before, and whether the agent means it. */
  duplicates: { possible: readonly string[]; acknowledged: string | undefined };
}

const FINAL: ReadonlySet<PaymentStatus> = new Set([
  'confirmed',
  'failed',
  'expired',
  'rejected',
  'cancelled',
]);

/** Members of `source` that the service writes itself. */
const OWN_SOURCE_MEMBERS: ReadonlySet<string> = new Set(['agent_id', 'agent_name', 'merchant_name']);

function domainOf(isVerified: boolean, stated: string | undefined): Pick<Payee, 'domain' | 'isMisspelled'> {
  const domain = isVerified ? stated : undefined;
  const isMisspelled = domain !== undefined && !isLogDomain(domain);
  return { domain: isMisspelled ? undefined : domain, isMisspelled };
}

export function paymentOfRequest(request: PaymentRequest): Payment {
  const { rail, network, asset, amount, to, contract, issuer, decimals, chain_id, memo } = request.payment;
  const { payee, source } = request;
  const revision = request.transaction_context?.revision;
  return {
    kind: 'request',
    key: paymentKey('request', request.connection_id, request.request_id),
    id: request.request_id,
    connectionId: request.connection_id,
    status: request.status,
    isFinal: FINAL.has(request.status),
    facts: {
      ...{ rail, network, asset, amount, to, contract, issuer, decimals, chain_id, memo },
      recipient_version_id: payee.recipient_version_id,
    },
    pinnedDigest: request.facts_digest,
    link: request.payment_uri ?? undefined,
    payee: {
      name: payee.name,
      ...domainOf(payee.verified, payee.domain),
      recipientId: payee.recipient_id,
      binding: payee.binding,
      activatedAt: payee.activated_at,
      isCurrent: payee.is_current,
    },
    agentId: textOf(source['agent_id']),
    agentName: textOf(source['agent_name']),
    merchantName: textOf(source['merchant_name']),
    createdAt: request.created_at,
    updatedAt: request.updated_at,
    expiresAt: request.expires_at,
    txHash: request.tx_hash ?? undefined,
    settlement: request.settlement,
    reason: request.reason ?? undefined,
    reasonText: request.reason_text ?? undefined,
    context:
      request.transaction_id === undefined || revision === undefined
        ? undefined
        : { transactionId: request.transaction_id, revision },
    policyId: undefined,
    initiatedBy: undefined,
    typedBy: undefined,
    createdWith: request.created_with ?? null,
    said: saidParts(request),
    duplicates: {
      possible: request.risk?.possible_duplicate_of ?? [],
      acknowledged: request.risk?.acknowledged_duplicate_of,
    },
  };
}

export function paymentOfAgent(record: AgentPayment): Payment {
  const { rail, network, asset, amount, to, contract, issuer, decimals, chain_id, memo } = record;
  const status = record.status === 'intent_created' ? 'pending' : record.status;
  const name = textOf(record.payee?.['name']);
  const isVerified = record.payee?.['verified'] === true;
  return {
    kind: 'agent',
    key: paymentKey('agent', record.connection_id, record.id),
    id: record.id,
    connectionId: record.connection_id,
    status,
    isFinal: FINAL.has(status),
    facts: {
      ...{ rail, network, asset, amount, to, contract, issuer, decimals, chain_id, memo },
      recipient_version_id: record.recipient_version_id,
    },
    pinnedDigest: record.facts_digest,
    link: record.payment_uri ?? undefined,
    payee:
      record.recipient_id === null || name === undefined
        ? undefined
        : {
            name,
            ...domainOf(isVerified, textOf(record.payee?.['domain'])),
            recipientId: record.recipient_id,
            binding: record.payee?.['binding'] === 'payee' ? 'payee' : 'domain',
            activatedAt: textOf(record.payee?.['activated_at']),
            isCurrent: record.payee?.['is_current'] === true,
          },
    agentName: undefined,
    merchantName: undefined,
    createdAt: record.created_at,
    updatedAt: record.updated_at,
    expiresAt: record.expires_at,
    txHash: record.tx_hash ?? undefined,
    settlement: record.settlement,
    reason: record.reason ?? undefined,
    reasonText: record.reason_text ?? undefined,
    context: undefined,
    policyId: record.policy_id ?? undefined,
    initiatedBy: record.initiated_by,
    typedBy: record.recipient_id === null ? (record.to_entered_by ?? 'unknown') : undefined,
    createdWith: record.created_with ?? null,
    said: saidParts({ metadata: record.metadata ?? undefined }),
    duplicates: { possible: [], acknowledged: undefined },
  };
}

export function paymentKey(kind: Payment['kind'], connectionId: string, id: string): string {
  return `${kind}/${connectionId}/${id}`;
}

/** Whether the details about to be shown match the pinned digest, recomputed on this device. */
export function hasPinnedFacts(payment: Payment): boolean {
  return factsDigest(payment.facts) === payment.pinnedDigest;
}

/** No payment can carry the amount, whatever anyone decides. Computed from the pinned details alone. */
export function isTooMuch({ facts }: Payment): boolean {
  return exceedsNetworkMaximum(facts.network, facts.decimals ?? 0, facts.amount);
}

export function networkTitle(network: Network): string {
  return networkRow(network).title;
}

/** Money may have moved, or is about to. */
export const PAID_STATUSES = ['signed', 'broadcasted', 'confirmed'] as const;

export function isPaid(payment: Payment): boolean {
  return PAID_STATUSES.some((status) => status === payment.status);
}

function saidParts(record: {
  display?: Record<string, unknown> | undefined;
  metadata?: Record<string, unknown> | undefined;
  source?: Record<string, unknown> | undefined;
}): SaidPart[] {
  const source = Object.fromEntries(
    Object.entries(record.source ?? {}).filter(([name]) => !OWN_SOURCE_MEMBERS.has(name)),
  );
  const parts: SaidPart[] = [
    { part: 'display', content: record.display ?? {} },
    { part: 'metadata', content: record.metadata ?? {} },
    { part: 'source', content: source },
  ];
  return parts.filter(({ content }) => Object.keys(content).length > 0);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Letters outside of English can be drawn like others: the name of such a domain begins a part with `xn--`. */
export function isInternational(domain: string): boolean {
  return /(^|\.)xn--/.test(domain);
}
