import type { AgentPaymentEvent } from '@payassent/protocol/records';
import type { Sql } from '../../db/open.ts';
import { selectEvents } from './event-sql.ts';
import type { PaymentRow } from './view.ts';

/** The events of one payment, oldest first. */
export function eventsOfPayment(sql: Sql, payment: PaymentRow): Promise<AgentPaymentEvent[]> {
  return selectEvents(sql, payment);
}
