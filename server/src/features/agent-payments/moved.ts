import { type AgentPaymentStatus, isFinal } from '@payassent/protocol';
import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { toTimestamp } from '../../lib/clock.ts';
import { settleUsage, type UsageChange } from '../automation-policies/usage.ts';
import { decisionIn } from '../decisions/decide.ts';
import { logAgentPayments } from '../transparency-log/append.ts';
import { queueWebhooks } from '../webhooks/queue.ts';
import { MOVED } from './counters.ts';
import { type PaymentRow, paymentView } from './view.ts';

/** Which way the reserved amount leaves the policy; in every other status it stays reserved. */
const USAGE_AT_END: Partial<Record<AgentPaymentStatus, UsageChange['to']>> = {
  confirmed: 'spent',
  rejected: 'released',
  failed: 'released',
  expired: 'released',
  cancelled: 'released',
};

/**
 * What every change of status brings with it, in its transaction: the merchant's webhook, and last, because policies
 * are locked last, what is reserved of the policy.
 */
export async function followMoves(
  tx: Tx,
  act: Act,
  previous: AgentPaymentStatus,
  rows: readonly PaymentRow[],
  isTakeover = false,
): Promise<void> {
  const events = rows.map((row) => ({
    merchantId: row.merchant_id,
    type: `agent_payment.${row.status === 'intent_created' ? 'created' : row.status}` as const,
    data: {
      agent_payment: paymentView(row),
      previous_status: previous,
      ...(isTakeover ? { takeover: true } : {}),
    },
    occurredAt: row.updated_at,
  }));
  await logMoves(tx, act, previous, rows);
  await queueWebhooks(tx, act, events);
  await settleUsage(tx, rows.flatMap(usageChange));
  tx.afterCommit(() => {
    for (const row of rows) act.count(MOVED, { from: previous, to: row.status });
  });
}

/** What a bundle shows of it later: the decision when it is made, and the end. */
async function logMoves(
  tx: Tx,
  act: Act,
  previous: AgentPaymentStatus,
  rows: readonly PaymentRow[],
): Promise<void> {
  const decided = rows.filter(
    ({ status, decision }) => previous === 'intent_created' && decision !== null && decisionIn(status),
  );
  await logAgentPayments(
    tx,
    act,
    'decision',
    decided.map(({ agent_payment_id, connection_id, decision }) => ({
      agent_payment_id,
      connection_id,
      decision,
    })),
  );
  const ended = rows.filter(({ status }) => isFinal('agent_payment', status));
  await logAgentPayments(
    tx,
    act,
    'final',
    ended.map((row) => ({
      agent_payment_id: row.agent_payment_id,
      connection_id: row.connection_id,
      status: row.status,
      previous_status: previous,
      state_version: row.state_version,
      tx_hash: row.tx_hash,
      reason: row.reason,
      occurred_at: toTimestamp(row.updated_at),
      facts_digest: row.facts_digest,
    })),
  );
}

function usageChange(row: PaymentRow): UsageChange[] {
  const to = USAGE_AT_END[row.status];
  if (to === undefined || row.policy_id === null) return [];
  return [{ policyId: row.policy_id, merchantId: row.merchant_id, amount: row.amount, to }];
}
