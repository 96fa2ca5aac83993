import type { Act } from '../../act.ts';
import { type Database, type Tx, transaction } from '../../db/open.ts';
import { type EventFeed, merchantsInTurn, type Recall } from '../../payments/index.ts';
import {
  closeOpen,
  findOverdue,
  hasOpenOfConnection,
  hasOpenOfRecall,
  hasOverdue,
  type OwnConnection,
  type PaymentSelection,
} from './close-sql.ts';
import { followMoves } from './moved.ts';
import { isEnded, type PaymentRow } from './view.ts';

/** Closes open payments that have ended without a decision, with all that follows from it. */
export async function closeIntents(tx: Tx, act: Act, selection: PaymentSelection): Promise<PaymentRow[]> {
  const rows = await closeOpen(tx, selection, act.now);
  await followMoves(
    tx,
    act,
    rows.map(({ actor, ...payment }) => ({ payment, previous: 'intent_created', actor, isTakeover: false })),
  );
  return rows;
}

/** For callers about to see these payments: what reads as ended has its event. True when any was closed. */
export async function closeSeen(db: Database, act: Act, rows: readonly PaymentRow[]): Promise<boolean> {
  const ended = rows.filter((row) => isEnded(row, act.now));
  for (const merchantId of new Set(ended.map((row) => row.merchant_id))) {
    const own = ended.filter((row) => row.merchant_id === merchantId);
    const paymentIds = own.map((row) => row.agent_payment_id);
    await transaction(db, (tx) => closeIntents(tx, act, { kind: 'payments', merchantId, paymentIds }));
  }
  return ended.length > 0;
}

/**
 * Returns what overdue payments of the connection had reserved, in a separate transaction: a create that did it itself
 * would hold a policy while it waits for a key.
 */
export async function closeOverdueOf(db: Database, act: Act, connection: OwnConnection): Promise<void> {
  if (!(await hasOverdue(db, act.now, connection))) return;
  await transaction(db, (tx) => closeIntents(tx, act, { kind: 'overdue_of_connection', ...connection }));
}

/** For payments that no call has touched. True when there may be more. */
export async function closeOverdue(db: Database, act: Act): Promise<boolean> {
  return merchantsInTurn(await findOverdue(db, act.now, BATCH), BATCH, async (merchantId) => {
    const overdue = { kind: 'overdue', merchantId, limit: BATCH } as const;
    return (await transaction(db, (tx) => closeIntents(tx, act, overdue))).length;
  });
}

/** Each locks its policy as well: few enough that a create under that policy does not wait long. */
const BATCH = 50;

/**
 * Follows the revocation of a connection: what still awaited a decision is rejected and returns what it had reserved.
 * Signed and broadcasted payments stay as they are, because their outcome is not known. False when nothing is left.
 */
export async function rejectIntentsOfConnection(
  db: Database,
  act: Act,
  connection: OwnConnection,
): Promise<boolean> {
  if (!(await hasOpenOfConnection(db, connection))) return false;
  await transaction(db, (tx) =>
    closeIntents(tx, act, { kind: 'revoked_connection', ...connection, limit: BATCH }),
  );
  return hasOpenOfConnection(db, connection);
}

/** Follows a recall of a payee, likewise. */
export async function rejectRecalledIntents(db: Database, act: Act, recall: Recall): Promise<boolean> {
  await transaction(db, (tx) => closeIntents(tx, act, { kind: 'recalled', ...recall, limit: BATCH }));
  return hasOpenOfRecall(db, recall);
}

/** The polled events of a connection's payments. */
export const paymentFeed: EventFeed = {
  kind: 'agent_payment',
  async settle({ db }, act, { of: { merchantId, connectionId }, page: { has_overdue, has_recalled } }) {
    const connection = { merchantId, connectionId };
    if (has_overdue) await closeOverdueOf(db, act, connection);
    if (!has_recalled) return;
    const recalled = { kind: 'recalled_of_connection', ...connection, limit: BATCH } as const;
    await transaction(db, (tx) => closeIntents(tx, act, recalled));
  },
};
