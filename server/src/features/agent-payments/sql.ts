import type { AgentPaymentStatus, Mover, Network } from '@payassent/protocol';
import type { Decision } from '@payassent/protocol/records';
import { ofMerchant } from '../../db/layout.ts';
import type { Fragment, Sql, Tx } from '../../db/open.ts';
import { mayBecome } from '../../db/status.ts';
import type { Position } from '../../page.ts';
import { endingOf, isEndedByAct } from '../../payments/index.ts';
import { IS_CURRENT, IS_SUSPENDED, isMovedSince } from '../merchants/payee-standing.ts';
import { PAYMENT_SETTLEMENT } from '../observations/settlement-json.ts';
import { watch } from '../observations/watch.ts';
import { newestOf, partsOf, partWith, type ReachPart } from '../project-access/owned.ts';
import { inReach, type Reach } from '../project-access/reach.ts';
import type { PaymentRow } from './view.ts';

/** The type `json`, by its number in PostgreSQL. */
const JSON_TYPE = 114;

/** The columns of `o`, with the current payee, connection and settlement. */
const PAYMENT_COLUMNS = `
  o.*, o.metadata::text as metadata_text, (
    select json_build_object('is_current', ${IS_CURRENT}, 'is_suspended', ${IS_SUSPENDED} or coalesce(${isMovedSince('o')}, false), 'activated_at', v.activated_at)
    from recipient_versions v
    where v.merchant_id = o.merchant_id and v.recipient_version_id = o.recipient_version_id) as payee_now,
  ${isEndedByAct('o')} as is_ended_by_act, ${PAYMENT_SETTLEMENT} as settlement`;

export type NewPayment = Omit<
  PaymentRow,
  | 'payee_now'
  | 'metadata_text'
  | 'status'
  | 'state_version'
  | 'tx_hash'
  | 'reason'
  | 'reason_text'
  | 'decision'
  | 'decided_by_device_id'
  | 'is_ended_by_act'
  | 'settlement'
  | 'updated_at'
> & { idempotency_key: string; metadata: Record<string, unknown> | null };

/**
 * Undefined when the connection already has a payment with this key; waits for an open transaction that holds the key.
 */
export async function insertPayment(tx: Tx, payment: NewPayment): Promise<PaymentRow | undefined> {
  const { payee, metadata, ...plain } = payment;
  const row = {
    ...plain,
    payee: tx.json(payee as never),
    // Not through jsonb, which reformats numbers.
    metadata: metadata === null ? null : tx.typed(metadata as never, JSON_TYPE),
    status: 'intent_created',
    updated_at: payment.created_at,
  };
  const made =
    await tx`insert into agent_payments ${tx(row)} on conflict do nothing returning agent_payment_id`;
  return made.length === 0 ? undefined : selectOwn(tx, payment.merchant_id, payment.agent_payment_id);
}

/** The reach names the merchant of the connection. */
export async function selectByKey(
  sql: Sql,
  reach: Reach,
  connectionId: string,
  key: string,
): Promise<PaymentRow | undefined> {
  const [part] = await partsOf(sql, reach);
  const [row] = part
    ? await selectWhere(part, (of) => of`o.connection_id = ${connectionId} and o.idempotency_key = ${key}`)
    : [];
  return row;
}

export async function selectPayment(
  sql: Sql,
  reach: Reach,
  paymentId: string,
): Promise<PaymentRow | undefined> {
  const part = await partWith(sql, reach, 'agent_payments', paymentId);
  const [row] = part ? await selectWhere(part, (of) => of`o.agent_payment_id = ${paymentId}`) : [];
  return row;
}

export async function lockPayment(tx: Tx, reach: Reach, paymentId: string): Promise<PaymentRow | undefined> {
  const part = await partWith(tx, reach, 'agent_payments', paymentId);
  const [row] = part
    ? await selectWhere(part, (of) => of`o.agent_payment_id = ${paymentId} for update of o`)
    : [];
  return row;
}

/** For internal use, without a check of the owner. */
export async function selectOwn(
  sql: Sql,
  merchantId: string,
  paymentId: string,
): Promise<PaymentRow | undefined> {
  const [row] = await selectSome(sql, merchantId, [paymentId]);
  return row;
}

/** In the order of their ids. */
export async function selectSome(
  sql: Sql,
  merchantId: string,
  paymentIds: readonly string[],
): Promise<readonly PaymentRow[]> {
  const part = { sql: ofMerchant(sql, merchantId), reach: { kind: 'merchant', merchantId } } as const;
  return selectWhere(
    part,
    (of) => of`o.agent_payment_id = any(${[...paymentIds]}::id[]) order by o.agent_payment_id`,
  );
}

async function selectWhere(
  { sql, reach }: ReachPart,
  condition: (sql: Sql) => Fragment,
): Promise<readonly PaymentRow[]> {
  return sql<PaymentRow[]>`
    select ${sql.unsafe(PAYMENT_COLUMNS)} from agent_payments o where ${inReach(sql, reach)} and ${condition(sql)}`;
}

export interface PaymentFilter {
  connectionId: string | undefined;
  status: AgentPaymentStatus | undefined;
}

/**
 * One page and a row more. Ended payments count with their final status, whether or not a transaction has closed them
 * yet.
 */
export async function selectPayments(
  sql: Sql,
  reach: Reach,
  filter: PaymentFilter,
  page: { after: Position | undefined; limit: number },
  now: Date,
): Promise<PaymentRow[]> {
  const { after } = page;
  const limit = page.limit + 1;
  return newestOf(sql, reach, { limit, idOf: (row: PaymentRow) => row.agent_payment_id }, (part) =>
    selectWhere(
      part,
      (of) => of`true
      ${filter.connectionId === undefined ? of`` : of`and o.connection_id = ${filter.connectionId}`}
      ${filter.status === undefined ? of`` : of`and ${hasStatus(of, filter.status, now)}`}
      ${after ? of`and (o.created_at, o.agent_payment_id) < (${after.createdAt}, ${after.id})` : of``}
    order by o.created_at desc, o.agent_payment_id desc limit ${limit}`,
    ),
  );
}

function hasStatus(sql: Sql, status: AgentPaymentStatus, now: Date) {
  if (status === 'intent_created')
    return sql`o.status = 'intent_created' and o.expires_at >= ${now} and not ${sql.unsafe(isEndedByAct('o'))}`;
  const reason = sql`(select e.reason from ${endingOf(sql, 'o', now)} e)`;
  if (status === 'expired')
    return sql`(o.status = 'expired' or (o.status = 'intent_created' and o.expires_at < ${now} and ${reason} is null))`;
  if (status === 'rejected')
    return sql`(o.status = 'rejected' or (o.status = 'intent_created' and ${reason} is not null))`;
  return sql`o.status = ${status}`;
}

export interface Move {
  status: AgentPaymentStatus;
  tx_hash?: string | undefined;
  reason?: string | undefined;
  reason_text?: string | undefined;
  device_id?: string | undefined;
  decision?: Decision | undefined;
}

/** Guarded by the status that was read from the locked row. */
export async function movePayment(
  tx: Tx,
  payment: PaymentName & Pick<PaymentRow, 'status'>,
  move: Move,
  by: Mover,
  now: Date,
): Promise<PaymentRow> {
  const moved = await tx`
    update agent_payments
    set status = ${move.status}, state_version = state_version + 1, tx_hash = coalesce(tx_hash, ${move.tx_hash ?? null}),
        reason = ${move.reason ?? null}, reason_text = ${move.reason_text ?? null},
        decision = coalesce(${move.decision ? tx.json(move.decision as never) : null}::json, decision),
        decided_by_device_id = ${move.device_id ?? null}, updated_at = ${now}
    where agent_payment_id = ${payment.agent_payment_id} and merchant_id = ${payment.merchant_id}
      and status = ${payment.status} and ${mayBecome(tx, 'agent_payment', move.status, by)}
    returning agent_payment_id`;
  return changedRow(tx, payment, moved.length > 0);
}

/** The deciding device sends the transaction's hash later, once. */
export async function addTxHash(
  tx: Tx,
  payment: PaymentName,
  txHash: string,
  now: Date,
): Promise<PaymentRow> {
  const added = await tx`
    update agent_payments set tx_hash = ${txHash}, updated_at = ${now}
    where agent_payment_id = ${payment.agent_payment_id} and merchant_id = ${payment.merchant_id} and tx_hash is null
    returning agent_payment_id`;
  return changedRow(tx, payment, added.length > 0);
}

async function changedRow(tx: Tx, payment: PaymentName, isChanged: boolean): Promise<PaymentRow> {
  const row = isChanged ? await selectOwn(tx, payment.merchant_id, payment.agent_payment_id) : undefined;
  if (!row) throw new Error('The locked row of an agent payment changed.');
  return row;
}

/** Starts observing a transaction that the wallet has reported. */
export async function watchPayment(
  tx: Tx,
  payment: PaymentRow,
  observed: readonly Network[],
  now: Date,
): Promise<PaymentRow> {
  const { agent_payment_id: id, merchant_id: merchantId } = payment;
  const row = tx`(select * from agent_payments where agent_payment_id = ${id} and merchant_id = ${merchantId})`;
  if (observed.length > 0) await watch(tx, 'agent_payment', row, [...observed], now);
  return payment;
}

type PaymentName = Pick<PaymentRow, 'agent_payment_id' | 'merchant_id'>;

export async function holdSpend(tx: Tx, payment: PaymentName): Promise<void> {
  await tx`
    update agent_payments set is_spend_held = true
    where agent_payment_id = ${payment.agent_payment_id} and merchant_id = ${payment.merchant_id}`;
}

/** True for the one caller that frees it. */
export async function freeSpend(tx: Tx, payment: PaymentName): Promise<boolean> {
  const rows = await tx`
    update agent_payments set is_spend_held = false
    where agent_payment_id = ${payment.agent_payment_id} and merchant_id = ${payment.merchant_id} and is_spend_held
    returning 1`;
  return rows.length > 0;
}
