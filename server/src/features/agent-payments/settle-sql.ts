import type { Database, Tx } from '../../db/open.ts';
import { PAYMENT_COLUMNS } from './sql.ts';
import type { PaymentRow } from './view.ts';

/** Which open intents are to be settled. Rows are locked in the order of their ids, as everywhere. */
export type Selection =
  /** Those that a caller is about to see. */
  | { kind: 'payments'; paymentIds: readonly string[] }
  /** What is overdue on a connection that is about to be used. */
  | { kind: 'overdue_of_connection'; connectionId: string }
  /** Whatever is overdue and nobody else is working on. */
  | { kind: 'overdue'; limit: number }
  /** Everything that is still open on a connection that has just been revoked. */
  | { kind: 'revoked_connection'; merchantId: string; connectionId: string };

export const CONNECTION_REVOKED = 'connection_revoked';

/**
 * The one statement by which an intent ends without a decision: by its clock, or because its connection was revoked.
 * What is past its time expires even then. The guard on the status makes it happen once, whoever comes first.
 */
export async function settleOpen(tx: Tx, selection: Selection, now: Date): Promise<PaymentRow[]> {
  return tx<PaymentRow[]>`
    with due as materialized (
      select p.agent_payment_id from agent_payments p where p.status = 'intent_created' and ${chosen(tx, selection, now)}
    )
    update agent_payments o set
      status = case when o.expires_at < ${now} then 'expired' else 'rejected' end,
      reason = case when o.expires_at < ${now} then null else ${CONNECTION_REVOKED} end,
      updated_at = case when o.expires_at < ${now} then o.expires_at else ${now} end,
      state_version = o.state_version + 1
    from due where o.agent_payment_id = due.agent_payment_id and o.status = 'intent_created'
    returning ${tx.unsafe(PAYMENT_COLUMNS)}`;
}

function chosen(tx: Tx, selection: Selection, now: Date) {
  switch (selection.kind) {
    case 'payments':
      return tx`p.agent_payment_id = any(${[...selection.paymentIds]}::text[]) and p.expires_at < ${now}
        order by p.agent_payment_id for update`;
    case 'overdue_of_connection':
      return tx`p.connection_id = ${selection.connectionId} and p.expires_at < ${now}
        order by p.agent_payment_id for update`;
    case 'overdue':
      // Whoever else holds a row settles it; waiting for it could only hold the others up.
      return tx`p.expires_at < ${now} order by p.expires_at limit ${selection.limit} for update skip locked`;
    case 'revoked_connection':
      return tx`p.connection_id = ${selection.connectionId} and p.merchant_id = ${selection.merchantId}
        order by p.agent_payment_id for update`;
  }
}

/** Cheap enough to ask before every create: most of the time nothing is overdue. */
export async function hasOverdue(db: Database, connectionId: string, now: Date): Promise<boolean> {
  const rows = await db`
    select from agent_payments
    where connection_id = ${connectionId} and status = 'intent_created' and expires_at < ${now} limit 1`;
  return rows.length > 0;
}
