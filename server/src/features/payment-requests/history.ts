import type { PaymentRequestEvent } from '@payassent/protocol/records';
import type { Sql } from '../../db/open.ts';
import { findEventsOfRequest } from './event-sql.ts';

/** The events of one request, oldest first. */
export async function eventsOfRequest(
  sql: Sql,
  merchantId: string,
  connectionId: string,
  requestId: string,
): Promise<PaymentRequestEvent[]> {
  const rows = await findEventsOfRequest(sql, merchantId, connectionId, requestId);
  return rows.map((event) => JSON.parse(event) as PaymentRequestEvent);
}
