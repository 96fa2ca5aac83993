import { isFinal, parseExactJson } from '@payassent/protocol';
import type { Sql } from '../../db/open.ts';
import { notFound } from '../../errors.ts';
import { eventsOfPayment } from '../agent-payments/history.ts';
import { type PaymentRow, paymentView } from '../agent-payments/view.ts';
import { agentPaymentSubject } from '../transparency-log/append.ts';
import type { Proved } from './bundle.ts';
import { findAgentName, findPaymentFacts } from './bundle-sql.ts';

export async function provedPayment(sql: Sql, row: PaymentRow): Promise<Proved> {
  const facts = await findPaymentFacts(sql, row.merchant_id, row.agent_payment_id);
  if (!facts) throw notFound();
  const payment = paymentView(row);
  return {
    subject: agentPaymentSubject(row.agent_payment_id),
    facts,
    request: {
      ...payment,
      payee: parseExactJson(facts.payee),
      status: 'intent_created',
      state_version: 1,
      tx_hash: null,
      reason: null,
      reason_text: null,
      decision: null,
      settlement: null,
      updated_at: payment.created_at,
    },
    agentName: await findAgentName(sql, facts.agent_id),
    context: null,
    history: (await eventsOfPayment(sql, row)).map((event) => ({ ...event })),
    settlement: payment.settlement ?? null,
    watchedAs: {
      kind: 'agent_payment',
      connection_id: row.connection_id,
      record_id: row.agent_payment_id,
    },
    isFinal: isFinal('agent_payment', row.status),
  };
}
