import type { ChainRow } from '../run/chain.ts';
import type { Attempt, FaultEntry, Reading } from '../run/history.ts';
import type { Receipt } from '../run/receivers.ts';

/** Everything that a judgement rests on, as plain data: a history made by hand is as good as one of a run. */
export interface Evidence {
  attempts: readonly Attempt[];
  faults: readonly FaultEntry[];
  receipts: readonly Receipt[];
  readings: readonly Reading[];
  /** Invariants that nothing was done about, each with the reason. */
  leftOut: Readonly<Record<string, string>>;
  /** What the chain has, as it was after the tables were read. */
  chain: readonly ChainRow[];
  tables: Tables;
}

export interface Tables {
  /** When they were read, by the runner's clock. */
  readAt: number;
  payment_requests: RequestRow[];
  payment_request_events: EventRow[];
  pending_requests: { merchant_id: string; connection_id: string; request_id: string }[];
  requests_by_status: { merchant_id: string; connection_id: string; request_id: string; status: string }[];
  connection_heads: HeadRow[];
  connections: {
    connection_id: string;
    merchant_id: string;
    wallet_id: string;
    agent_id: string;
    status: string;
  }[];
  transaction_contexts: { connection_id: string; transaction_id: string; revision: number }[];
  recipients: { recipient_id: string; merchant_id: string; version: number }[];
  recipient_versions: VersionRow[];
  recipient_evidence: { evidence_id: string; source_id: string }[];
  domains: DomainRow[];
  devices: { device_id: string; wallet_id: string; status: string }[];
  connect_keys: { connect_key_id: string; status: string }[];
  connect_invitations: {
    connect_invitation_id: string;
    connect_key_id: string;
    status: string;
    connection_id: string | null;
  }[];
  pairing_sessions: { pairing_session_id: string; status: string; connection_id: string | null }[];
  merchants: { merchant_id: string; version: number }[];
  webhook_endpoints: EndpointRow[];
  webhook_messages: { event_id: string; merchant_id: string; type: string; body: string }[];
  webhook_deliveries: DeliveryRow[];
  automation_policies: PolicyRow[];
  agent_payments: PaymentRow[];
  agent_payment_events: PaymentEventRow[];
  agent_payment_heads: HeadRow[];
  settlements: SettlementRow[];
  /** Those that everyone can read. */
  log_entries: { position: number; entry: string }[];
}

export interface HeadRow {
  connection_id: string;
  last_sequence: number;
}

export interface Facts {
  rail: string;
  network: string;
  asset: string;
  memo: string | null;
  contract: string | null;
  issuer: string | null;
  decimals: number;
  chain_id: number | null;
}

export interface RequestRow extends Facts {
  merchant_id: string;
  request_id: string;
  connection_id: string;
  wallet_id: string;
  idempotency_key: string | null;
  recipient_id: string;
  recipient_version_id: string;
  amount: string;
  to_address: string;
  facts_digest: string;
  tx_hash: string | null;
  decision: { statement: string | null; signature?: string | null } | null;
  created_with: string | null;
  created_at: string;
  status: string;
  state_version: number;
}

export interface EventRow {
  connection_id: string;
  sequence: number;
  event_id: string;
  merchant_id: string;
  request_id: string;
  type: string;
  status: string;
  previous_status: string;
  state_version: number;
  actor: string;
  /** Of an event that says what the chain says; null and 0 of all others. */
  settlement_state: string | null;
  settlement_number: number;
}

export interface PaymentEventRow extends Omit<EventRow, 'request_id'> {
  agent_payment_id: string;
}

export interface SettlementRow {
  merchant_id: string;
  connection_id: string;
  kind: 'payment_request' | 'agent_payment';
  record_id: string;
  status: string;
  changes: number;
  block_hash: string | null;
}

export interface VersionRow extends Facts {
  recipient_version_id: string;
  recipient_id: string;
  merchant_id: string;
  address: string;
  activated_at: string | null;
  evidence_id: string | null;
  suspended_at: string | null;
}

export interface DomainRow {
  domain_id: string;
  merchant_id: string;
  domain: string;
  status: string;
  deleted_at: string | null;
}

export interface EndpointRow {
  webhook_endpoint_id: string;
  merchant_id: string;
  url: string;
  version: number;
  status: string;
}

export interface DeliveryRow {
  delivery_id: string;
  webhook_endpoint_id: string;
  merchant_id: string;
  event_id: string;
  attempt: number;
  status: string;
}

export interface PolicyRow {
  policy_id: string;
  merchant_id: string;
  connection_id: string;
  wallet_id: string;
  version: number;
  status: string;
  allowlist: { recipient_id?: string; recipient_version_id?: string; address?: string }[] | null;
  single_tx_limit: string | null;
  cumulative_limit: string | null;
  spent: string;
  reserved: string;
}

export interface PaymentRow extends Facts {
  agent_payment_id: string;
  merchant_id: string;
  agent_id: string;
  connection_id: string;
  wallet_id: string;
  idempotency_key: string;
  initiated_by: string;
  policy_id: string | null;
  recipient_version_id: string | null;
  amount: string;
  to_address: string;
  facts_digest: string;
  tx_hash: string | null;
  created_at: string;
  status: string;
  state_version: number;
}

/** What one invariant came to: how much it looked at, and everything that speaks against it. */
export interface Finding {
  checked: number;
  violations: string[];
}

export type Invariant = (evidence: Evidence) => Finding;

/** Collects as it looks. */
export function finding(): Finding & { expect(holds: boolean, otherwise: () => string): void } {
  const result = {
    checked: 0,
    violations: [] as string[],
    expect(holds: boolean, otherwise: () => string) {
      result.checked += 1;
      if (!holds) result.violations.push(otherwise());
    },
  };
  return result;
}

export function groupBy<T>(items: readonly T[], nameOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const name = nameOf(item);
    const group = groups.get(name);
    if (group) group.push(item);
    else groups.set(name, [item]);
  }
  return groups;
}

export function succeeded(attempt: Attempt): boolean {
  return attempt.answer !== undefined && attempt.answer.status < 300;
}
