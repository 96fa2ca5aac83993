import { type AgentPaymentStatus, isFinal, type SettlementState } from '@payassent/protocol';
import type { AgentPaymentEvent, Settlement } from '@payassent/protocol/records';
import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { settleUsage, type UsageChange } from '../automation-policies/usage.ts';
import { connectionTopic } from '../callers/topics.ts';
import { decisionIn, isLoggedDecision, shownDecision } from '../decisions/decide.ts';
import { logAgentPayments } from '../transparency-log/append.ts';
import { queueWebhooks, type WebhookEvent } from '../webhooks/queue.ts';
import { MOVED } from './counters.ts';
import { insertEvents, type MovedPayment } from './event-sql.ts';
import { freeSpend, holdSpend } from './sql.ts';
import { type PaymentRow, paymentView } from './view.ts';

/** Where the reserved amount goes when it leaves the policy; in every other status it stays reserved. */
const USAGE_AT_END: Partial<Record<AgentPaymentStatus, UsageChange['to']>> = {
  confirmed: 'spent',
  rejected: 'released',
  failed: 'released',
  expired: 'released',
  cancelled: 'released',
};

/**
 * The consequences of every change of status, in its transaction: the event and the merchant's webhook about it, the
 * entries of the log, and last, because policies are locked last, the policy's reservation. The payments are of one
 * merchant.
 */
export async function followMoves(
  tx: Tx,
  act: Act,
  moves: readonly Omit<MovedPayment, 'eventId'>[],
  spend: 'reported' | 'observed' = 'reported',
): Promise<void> {
  const [first] = moves;
  if (!first) return;
  const named = moves.map((move) => ({ ...move, eventId: act.newId('evt') }));
  const events = new Map((await insertEvents(tx, named)).map((event) => [event.event_id, event]));
  const told = named.flatMap((move) => {
    const event = events.get(move.eventId);
    return event ? [{ ...move, event }] : [];
  });
  await logMoves(tx, act, told);
  await queueWebhooks(tx, act, told.map(webhookOf));
  const rows = moves.map(({ payment }) => payment);
  const held = spend === 'observed' ? moves.filter(awaitsChain).map(({ payment }) => payment) : [];
  for (const payment of held) await holdSpend(tx, payment);
  const isFree = (row: PaymentRow) => !held.includes(row);
  await settleUsage(tx, first.payment.merchant_id, rows.filter(isFree).flatMap(usageChange));
  tx.afterCommit(() => {
    for (const { previous, payment } of moves) act.count(MOVED, { from: previous, to: payment.status });
    act.announce(...new Set(rows.map((row) => connectionTopic(row.connection_id))));
  });
}

/**
 * The wallet reports a failure but has signed: until the chain confirms the failure, the payment may have gone through.
 */
function awaitsChain({ payment, previous }: Pick<MovedPayment, 'payment' | 'previous'>): boolean {
  if (payment.status !== 'failed' || previous === 'intent_created' || payment.policy_id === null)
    return false;
  const settlement: Settlement | null = payment.settlement === null ? null : JSON.parse(payment.settlement);
  return settlement?.state !== 'failed_on_chain';
}

/** The settlement of a payment whose reserved amount waited for it is final. */
export async function settleHeldSpend(tx: Tx, payment: PaymentRow, state: SettlementState): Promise<void> {
  if (state !== 'failed_on_chain' && state !== 'final' && state !== 'mismatch') return;
  if (payment.policy_id === null || !(await freeSpend(tx, payment))) return;
  const { policy_id: policyId, merchant_id: merchantId, amount } = payment;
  const to = state === 'failed_on_chain' ? 'released' : 'spent';
  await settleUsage(tx, merchantId, [{ policyId, amount, to }]);
}

type ToldMove = MovedPayment & { event: AgentPaymentEvent };

function webhookOf({ payment, previous, isTakeover, event }: ToldMove): WebhookEvent {
  return {
    merchantId: payment.merchant_id,
    type: event.type,
    eventId: event.event_id,
    sequence: event.sequence,
    data: {
      agent_payment: paymentView(payment),
      previous_status: previous,
      ...(isTakeover ? { takeover: true } : {}),
    },
    occurredAt: payment.updated_at,
  };
}

/** What a bundle will show of it later: the decision when it is made, and the end. */
async function logMoves(tx: Tx, act: Act, moves: readonly ToldMove[]): Promise<void> {
  const decided = moves.filter(
    ({ payment, previous }) =>
      previous === 'intent_created' && decisionIn(payment.status) && isLoggedDecision(payment.decision),
  );
  await logAgentPayments(
    tx,
    act,
    'decision',
    decided.map(({ payment: { agent_payment_id: paymentId, connection_id, decision } }) => ({
      paymentId,
      content: { agent_payment_id: paymentId, connection_id, decision: shownDecision(decision) },
    })),
  );
  const ended = moves.filter(({ payment }) => isFinal('agent_payment', payment.status));
  await logAgentPayments(
    tx,
    act,
    'final',
    ended.map(({ payment, event }) => ({
      paymentId: payment.agent_payment_id,
      content: { event, facts_digest: payment.facts_digest },
    })),
  );
}

function usageChange(row: PaymentRow): UsageChange[] {
  const to = USAGE_AT_END[row.status];
  if (to === undefined || row.policy_id === null) return [];
  return [{ policyId: row.policy_id, amount: row.amount, to }];
}
