import {
  type AllowlistEntry,
  type AutomationPolicyStatus,
  addDecimals,
  type Network,
  normaliseDecimal,
  subtractDecimalsOrZero,
} from '@payassent/protocol';
import type { AllowedPayee, AutomationPolicy } from '@payassent/protocol/records';
import { toTimestamp, toTimestampOrNull } from '../../lib/clock.ts';
import type { Pin } from './pins.ts';

/** The parts of a policy that decide about an intent. */
export interface JudgedRow {
  policy_id: string;
  merchant_id: string;
  agent_id: string;
  connection_id: string;
  wallet_id: string;
  network: Network;
  asset: string;
  /** Empty when the asset is native. */
  issuer: string;
  status: AutomationPolicyStatus;
  single_tx_limit: string | null;
  cumulative_limit: string | null;
  valid_from: Date | null;
  valid_until: Date | null;
  /** With the version of each payee that the customer sees or has accepted; published as `allowed_payees`. */
  allowlist: AllowlistEntry[] | null;
  /** The versions that a rejected consent found; not payable until the customer accepts them. */
  proposed: Pin[] | null;
  spent: string;
  reserved: string;
  opted_in_at: Date | null;
  version: number;
  created_at: Date;
}

export interface PolicyRow extends JudgedRow {
  allowed_payees: AllowedPayee[];
  proposed_payees: AllowedPayee[];
}

export function policyView(row: PolicyRow): AutomationPolicy {
  return {
    id: row.policy_id,
    status: row.status,
    version: row.version,
    connection_id: row.connection_id,
    network: row.network,
    asset: row.asset,
    issuer: row.issuer === '' ? null : row.issuer,
    ...limitsView(row),
    allowed_payees: row.allowed_payees,
    proposed_payees: row.proposed_payees,
    usage: usageView(row),
    opted_in_at: toTimestampOrNull(row.opted_in_at),
    created_at: toTimestamp(row.created_at),
  };
}

/** The four thresholds, byte for byte as they were written; null where one is missing. */
export function limitsView(row: JudgedRow) {
  const { valid_from: from, valid_until: until } = row;
  return {
    single_tx_limit: row.single_tx_limit,
    cumulative_limit: row.cumulative_limit,
    validity_window: from && until ? { from: toTimestamp(from), until: toTimestamp(until) } : null,
    allowlist: row.allowlist?.map(({ recipient_version_id: _pin, ...entry }) => entry) ?? null,
  };
}

function usageView({ spent, reserved, cumulative_limit: limit }: JudgedRow) {
  return {
    spent: normaliseDecimal(spent),
    reserved: normaliseDecimal(reserved),
    remaining: limit === null ? null : subtractDecimalsOrZero(limit, addDecimals(spent, reserved)),
  };
}
