import type { Act } from '../../act.ts';
import { type Database, type Tx, transaction } from '../../db/open.ts';
import { followMoves } from './moved.ts';
import { hasOverdue, type Selection, settleOpen } from './settle-sql.ts';
import { isOverdue, type PaymentRow } from './view.ts';

/** Settles open intents whose time is over, or whose connection is gone, with all that follows from it. */
export async function settleIntents(tx: Tx, act: Act, selection: Selection): Promise<PaymentRow[]> {
  const rows = await settleOpen(tx, selection, act.now);
  await followMoves(tx, act, 'intent_created', rows);
  return rows;
}

/** For callers who are about to see these payments: what reads `expired` has its event. True when any was settled. */
export async function settleSeen(db: Database, act: Act, rows: readonly PaymentRow[]): Promise<boolean> {
  const paymentIds = rows.filter((row) => isOverdue(row, act.now)).map((row) => row.agent_payment_id);
  if (paymentIds.length === 0) return false;
  await transaction(db, (tx) => settleIntents(tx, act, { kind: 'payments', paymentIds }));
  return true;
}

/**
 * Gives back what overdue intents of the connection had reserved, in a transaction of its own: a create that did it
 * itself would hold a policy while it waits for a key.
 */
export async function settleOverdueOf(db: Database, act: Act, connectionId: string): Promise<void> {
  if (!(await hasOverdue(db, connectionId, act.now))) return;
  await transaction(db, (tx) => settleIntents(tx, act, { kind: 'overdue_of_connection', connectionId }));
}

/**
 * Follows the revocation of a connection, in its transaction: what still awaited a decision is rejected. Signed and
 * broadcasted payments stay as they are, because their outcome is not known.
 */
export async function rejectIntentsOfConnection(
  tx: Tx,
  act: Act,
  connection: { connectionId: string; merchantId: string },
): Promise<void> {
  const { connectionId, merchantId } = connection;
  await settleIntents(tx, act, { kind: 'revoked_connection', merchantId, connectionId });
}
