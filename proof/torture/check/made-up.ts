import type { Attempt } from '../run/history.ts';
import type { Evidence } from './evidence.ts';
import { INVARIANTS } from './index.ts';
import { COLUMNS, type Row, type Tables } from './tables.ts';

/** A history in which nothing happened; tests put into it what they mean. */
export function madeUp(
  parts: Partial<Omit<Evidence, 'tables'>> & { tables?: Partial<Tables> } = {},
): Evidence {
  return {
    attempts: [],
    faults: [],
    receipts: [],
    chain: [],
    readings: [],
    leftOut: {},
    ...parts,
    tables: {
      ...(Object.fromEntries(Object.keys(COLUMNS).map((name) => [name, []])) as unknown as Tables),
      readAt: 1_000_000,
      ...parts.tables,
    },
  };
}

const FACTS = {
  rail: 'stellar_xlm',
  network: 'stellar_testnet',
  asset: 'XLM',
  memo: null,
  contract: null,
  issuer: null,
  decimals: 7,
  chain_id: null,
};

export function request(parts: Partial<Row<'payment_requests'>> = {}): Row<'payment_requests'> {
  return {
    ...FACTS,
    merchant_id: 'mer_1',
    request_id: 'pr_1',
    connection_id: 'con_1',
    wallet_id: 'wlt_1',
    idempotency_key: 'k1',
    recipient_id: 'rcp_1',
    recipient_version_id: 'rcv_1',
    amount: '5',
    to_address: 'G1',
    facts_digest: 'sha256:0',
    tx_hash: null,
    decision: null,
    created_with: 'own_token',
    created_at: '2026-01-01T00:00:00Z',
    status: 'pending',
    state_version: 1,
    ...parts,
  };
}

export function version(parts: Partial<Row<'recipient_versions'>> = {}) {
  return {
    ...FACTS,
    recipient_version_id: 'rcv_1',
    recipient_id: 'rcp_1',
    merchant_id: 'mer_1',
    address: 'G1',
    activated_at: '2026-01-01',
    evidence_id: 'evd_1',
    suspended_at: null,
    ...parts,
  };
}

export function event(parts: Partial<Row<'payment_request_events'>> = {}): Row<'payment_request_events'> {
  const status = parts.status ?? 'signed';
  return {
    connection_id: 'con_1',
    sequence: 1,
    event_id: `evt_${parts.sequence ?? 1}`,
    merchant_id: 'mer_1',
    request_id: 'pr_1',
    type: `payment_request.${status}`,
    status,
    previous_status: 'pending',
    state_version: 2,
    actor: 'wallet',
    settlement_state: null,
    settlement_number: 0,
    ...parts,
  };
}

export function paymentEvent(parts: Partial<Row<'agent_payment_events'>> = {}): Row<'agent_payment_events'> {
  const { request_id: _, ...plain } = event(parts);
  const type = `agent_payment.${plain.status}`;
  return { ...plain, agent_payment_id: 'ap_1', type, previous_status: 'intent_created', ...parts };
}

export function policy(parts: Partial<Row<'automation_policies'>> = {}): Row<'automation_policies'> {
  return {
    policy_id: 'pol_1',
    merchant_id: 'mer_1',
    connection_id: 'con_1',
    wallet_id: 'wlt_1',
    version: 2,
    status: 'active',
    allowlist: [{ recipient_id: 'rcp_1', recipient_version_id: 'rcv_1' }],
    single_tx_limit: '10',
    cumulative_limit: '20',
    spent: '0',
    reserved: '0',
    ...parts,
  };
}

export function payment(parts: Partial<Row<'agent_payments'>> = {}): Row<'agent_payments'> {
  return {
    ...FACTS,
    agent_payment_id: 'ap_1',
    merchant_id: 'mer_1',
    agent_id: 'agt_1',
    connection_id: 'con_1',
    wallet_id: 'wlt_1',
    idempotency_key: 'p1',
    initiated_by: 'agent',
    policy_id: 'pol_1',
    recipient_version_id: 'rcv_1',
    amount: '10',
    to_address: 'G1',
    facts_digest: 'sha256:0',
    tx_hash: null,
    created_at: '2026-01-01T00:00:00Z',
    status: 'intent_created',
    state_version: 1,
    ...parts,
  };
}

export function call(parts: Partial<Attempt> & { status?: number; body?: unknown } = {}): Attempt {
  const { status, body, ...rest } = parts;
  const attempt: Attempt = { n: 0, at: 10, actor: 'test', to: 'a', method: 'POST', path: '/', ...rest };
  return status === undefined
    ? attempt
    : { ...attempt, answer: { at: attempt.at + 10, status, body: body ?? null } };
}

/** The violations of an invariant; checking nothing is an error of the test. */
export function violationsOf(name: keyof typeof INVARIANTS, evidence: Evidence): string[] {
  const { checked, violations } = INVARIANTS[name](evidence);
  if (checked === 0) throw new Error('the invariant checked nothing');
  return violations;
}
