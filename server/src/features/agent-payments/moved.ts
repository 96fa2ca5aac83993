import type { AgentPaymentStatus } from '@payassent/protocol';
import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { settleUsage, type UsageChange } from '../automation-policies/usage.ts';
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
  await queueWebhooks(tx, act, events);
  await settleUsage(tx, rows.flatMap(usageChange));
  tx.afterCommit(() => {
    for (const row of rows) act.count(MOVED, { from: previous, to: row.status });
  });
}

function usageChange(row: PaymentRow): UsageChange[] {
  const to = USAGE_AT_END[row.status];
  if (to === undefined || row.policy_id === null) return [];
  return [{ policyId: row.policy_id, merchantId: row.merchant_id, amount: row.amount, to }];
}
