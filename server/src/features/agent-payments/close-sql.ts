import type { PaymentEventActor } from '@payassent/protocol';
import { ofMerchant } from '../../db/layout.ts';
import type { Database, Sql, Tx } from '../../db/open.ts';
import { mayBecome } from '../../db/status.ts';
import { type DueRow, endingOf, isRecalled, type Recall } from '../../payments/index.ts';
import { selectSome } from './sql.ts';
import type { PaymentRow } from './view.ts';

/** Which open payments of a merchant to close. Rows are locked in the order of their ids, as everywhere. */
export type PaymentSelection = { merchantId: string } & (
  | /** Those about to be shown to a caller. */
  { kind: 'payments'; paymentIds: readonly string[] }
  /** What is overdue on a connection that is about to be used. */
  | { kind: 'overdue_of_connection'; connectionId: string }
  /** What is left of recalls on a connection that is polled. */
  | { kind: 'recalled_of_connection'; connectionId: string; limit: number }
  /** Whatever is overdue and not locked by another transaction. */
  | { kind: 'overdue'; limit: number }
  /** What is left of a revoked connection, unless locked by another transaction. */
  | { kind: 'revoked_connection'; connectionId: string; limit: number }
  /** What is left of a recall, unless locked by another transaction. */
  | ({ kind: 'recalled'; limit: number } & Recall)
);

/** The actor whose act ended the payment. */
export type SettledRow = PaymentRow & { actor: PaymentEventActor };

/**
 * The one statement by which a payment ends without a decision: by its clock, with its connection, or by a recall of
 * its payee, whichever came first. The guard on the status makes it happen once, whichever caller comes first.
 */
export async function closeOpen(tx: Tx, selection: PaymentSelection, now: Date): Promise<SettledRow[]> {
  const { merchantId } = selection;
  const sql = ofMerchant(tx, merchantId);
  const settled = await sql<{ agent_payment_id: string; actor: PaymentEventActor }[]>`
    with due as materialized (
      select o.agent_payment_id, e.at, e.reason, e.actor
      from agent_payments o cross join lateral ${endingOf(sql, 'o', now)} e
      where o.merchant_id = ${merchantId} and o.status = 'intent_created' and ${chosen(sql, selection, now)}
    )
    update agent_payments o set
      status = case when due.reason is null then 'expired' else 'rejected' end,
      reason = due.reason, updated_at = due.at, state_version = o.state_version + 1
    from due where o.merchant_id = ${merchantId} and o.agent_payment_id = due.agent_payment_id
      and ${mayBecome(sql, 'agent_payment', 'expired', 'clock', { alias: 'o' })}
      and ${mayBecome(sql, 'agent_payment', 'rejected', 'system', { alias: 'o' })}
    returning o.agent_payment_id, due.actor`;
  if (settled.length === 0) return [];
  const actors = new Map(settled.map((row) => [row.agent_payment_id, row.actor]));
  const rows = await selectSome(tx, merchantId, [...actors.keys()]);
  return rows.map((row) => ({ ...row, actor: actors.get(row.agent_payment_id) ?? 'system' }));
}

function chosen(sql: Sql, selection: PaymentSelection, now: Date) {
  switch (selection.kind) {
    case 'payments':
      return sql`o.agent_payment_id = any(${[...selection.paymentIds]}::text[])
        order by o.agent_payment_id for update of o`;
    case 'overdue_of_connection':
      return sql`o.connection_id = ${selection.connectionId} and o.expires_at < ${now}
        order by o.agent_payment_id for update of o`;
    case 'recalled_of_connection':
      return sql`o.connection_id = ${selection.connectionId} and ${sql.unsafe(isRecalled('o'))}
        order by o.agent_payment_id limit ${selection.limit} for update of o`;
    // Another transaction that has locked a row closes it; waiting for it could only delay the others.
    case 'overdue':
      return sql`o.expires_at < ${now} order by o.expires_at limit ${selection.limit} for update of o skip locked`;
    case 'revoked_connection':
      return sql`o.connection_id = ${selection.connectionId}
        order by o.expires_at limit ${selection.limit} for update of o skip locked`;
    case 'recalled':
      return sql`o.recipient_id = ${selection.recipientId} and o.recall_generation < ${selection.generation}
        order by o.agent_payment_id limit ${selection.limit} for update of o skip locked`;
  }
}

/** A connection and its merchant. */
export interface OwnConnection {
  merchantId: string;
  connectionId: string;
}

/** Cheap enough to run before every create: most of the time nothing is overdue. */
export async function hasOverdue(
  db: Database,
  now: Date,
  { merchantId, connectionId }: OwnConnection,
): Promise<boolean> {
  const rows = await db`
    select from agent_payments
    where status = 'intent_created' and expires_at < ${now} and merchant_id = ${merchantId}
      and connection_id = ${connectionId} limit 1`;
  return rows.length > 0;
}

/** Those that are longest overdue. */
export function findOverdue(db: Database, now: Date, limit: number): Promise<DueRow[]> {
  return db<DueRow[]>`
    select merchant_id from agent_payments
    where status = 'intent_created' and expires_at < ${now} order by expires_at limit ${limit}`;
}

/** Includes rows locked by others. */
export async function hasOpenOfConnection(
  db: Database,
  { merchantId, connectionId }: OwnConnection,
): Promise<boolean> {
  const rows = await db`
    select from agent_payments
    where merchant_id = ${merchantId} and connection_id = ${connectionId} and status = 'intent_created' limit 1`;
  return rows.length > 0;
}

/** Includes rows locked by others. */
export async function hasOpenOfRecall(db: Database, recall: Recall): Promise<boolean> {
  const rows = await db`
    select from agent_payments
    where recipient_id = ${recall.recipientId} and merchant_id = ${recall.merchantId} and status = 'intent_created'
      and recall_generation < ${recall.generation} limit 1`;
  return rows.length > 0;
}
