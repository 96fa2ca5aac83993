import {
  type AddressOrigin,
  type AgentPaymentStatus,
  exceedsNetworkMaximum,
  memoTypeOf,
  type Network,
  type PaymentInitiator,
  type PaymentOrigin,
  parseExactJson,
  type Rail,
} from '@payassent/protocol';
import type { AgentPayment, Decision } from '@payassent/protocol/records';
import { toTimestamp } from '../../lib/clock.ts';
import { shownDecision } from '../decisions/decide.ts';

export interface PinnedPayeeNow {
  is_current: boolean;
  is_suspended: boolean;
  activated_at: string;
}

export interface PaymentRow {
  agent_payment_id: string;
  merchant_id: string;
  agent_id: string;
  connection_id: string;
  wallet_id: string;
  intent_digest: string;
  initiated_by: PaymentInitiator;
  policy_id: string | null;
  recipient_id: string | null;
  recipient_version_id: string | null;
  rail: Rail;
  network: Network;
  asset: string;
  amount: string;
  to_address: string;
  memo: string | null;
  contract: string | null;
  issuer: string | null;
  decimals: number;
  chain_id: number | null;
  payee: Record<string, unknown>;
  /** Null with a payee, and for payments from before it was stored. */
  to_entered_by: AddressOrigin | null;
  /** The current state of the pinned version; null where a payment names an address. */
  payee_now: PinnedPayeeNow | null;
  /** Null for payments from before it was stored. */
  created_with: PaymentOrigin | null;
  facts_digest: string;
  /** As sent. */
  metadata_text: string | null;
  status: AgentPaymentStatus;
  state_version: number;
  tx_hash: string | null;
  reason: string | null;
  reason_text: string | null;
  decision: Decision | null;
  decided_by_device_id: string | null;
  /** The payee's generation when the payment was made; a recall ends payments of an older one. */
  recall_generation: number;
  /** Its connection or agent was revoked, or its payee recalled. */
  is_ended_by_act: boolean;
  /** The settlement, as JSON text. */
  settlement: string | null;
  created_at: Date;
  expires_at: Date;
  updated_at: Date;
}

/** Only the wallet sees the device of an unsigned decision. */
export function paymentView(row: PaymentRow, audience: 'wallet' | 'others' = 'others'): AgentPayment {
  const memoType = memoTypeOf(row.network, row.memo);
  return {
    id: row.agent_payment_id,
    status: row.status,
    state_version: row.state_version,
    connection_id: row.connection_id,
    network: row.network,
    asset: row.asset,
    amount: row.amount,
    to: row.to_address,
    recipient_id: row.recipient_id,
    initiated_by: row.initiated_by,
    policy_id: row.policy_id,
    tx_hash: row.tx_hash,
    reason: row.reason,
    reason_text: row.reason_text,
    decision: audience === 'wallet' ? row.decision : shownDecision(row.decision),
    settlement: row.settlement === null ? null : JSON.parse(row.settlement),
    ...(exceedsNetworkMaximum(row.network, row.decimals ?? 0, row.amount)
      ? { risk: { exceeds_network_maximum: true as const } }
      : {}),
    expires_at: toTimestamp(row.expires_at),
    created_at: toTimestamp(row.created_at),
    updated_at: toTimestamp(row.updated_at),
    metadata:
      row.metadata_text === null ? null : (parseExactJson(row.metadata_text) as Record<string, unknown>),
    rail: row.rail,
    contract: row.contract,
    issuer: row.issuer,
    decimals: row.decimals,
    chain_id: row.chain_id,
    memo: row.memo,
    ...(memoType ? { memo_type: memoType } : {}),
    recipient_version_id: row.recipient_version_id,
    payee: payeeView(row),
    to_entered_by: row.to_entered_by,
    created_with: row.created_with,
    facts_digest: row.facts_digest,
  };
}

/**
 * The payee as pinned, and the current state of its version. Before a decision, a payee whose domain is gone is not
 * verified; a decided payment keeps what was true. A plain address has no payee proof, then and now.
 */
function payeeView({ payee, payee_now: now, status, created_at }: PaymentRow): Record<string, unknown> {
  if (now === null) return payee;
  const activatedAt = new Date(Math.min(Date.parse(now.activated_at), created_at.getTime()));
  return {
    // Payments from before these two were pinned: no evidence was bound to a payee at that time.
    ...(payee['binding'] === undefined
      ? { ...payee, binding: 'domain', activated_at: toTimestamp(activatedAt) }
      : payee),
    ...(now.is_suspended && status === 'intent_created' ? { verified: false } : {}),
    is_current: now.is_current,
  };
}

/** Awaits a decision only because no transaction has closed it yet. The last instant still counts. */
export function isEnded(
  row: Pick<PaymentRow, 'status' | 'expires_at' | 'is_ended_by_act'>,
  now: Date,
): boolean {
  return row.status === 'intent_created' && (row.expires_at < now || row.is_ended_by_act);
}
