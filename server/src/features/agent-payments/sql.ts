import type { AgentPaymentStatus, Mover, Network } from '@payassent/protocol';
import type { Decision } from '@payassent/protocol/records';
import { isDistributed } from '../../db/layout.ts';
import { byMerchant } from '../../db/machine.ts';
import type { Sql, Tx } from '../../db/open.ts';
import { mayBecome } from '../../db/status.ts';
import type { Position } from '../../http/page.ts';
import { endingOf, isEndedByAct } from '../endings/ending.ts';
import { IS_CURRENT, IS_SUSPENDED } from '../merchants/payee-standing.ts';
import { PAYMENT_SETTLEMENT, SETTLEMENT } from '../observations/settlement-json.ts';
import { watch } from '../observations/watch.ts';
import { inReach, type Reach } from '../project-access/reach.ts';
import type { PaymentRow } from './view.ts';

/** The type `json`, by its number in PostgreSQL. */
const JSON_TYPE = 114;

/** The columns of `o`, and what its payee and its connection are at this moment. */
const PAYMENT_COLUMNS = `
  o.*, o.metadata::text as metadata_text, (
    select json_build_object('is_current', ${IS_CURRENT}, 'is_suspended', ${IS_SUSPENDED}, 'activated_at', v.activated_at)
    from recipient_versions v where v.recipient_version_id = o.recipient_version_id) as payee_now,
  ${isEndedByAct('o')} as is_ended_by_act`;

const WITH_SETTLEMENT = `${PAYMENT_COLUMNS}, ${PAYMENT_SETTLEMENT} as settlement`;
const WITHOUT_SETTLEMENT = `${PAYMENT_COLUMNS}, null::text as settlement`;

export function paymentColumns(sql: Sql) {
  return isDistributed(sql) ? sql.unsafe(WITHOUT_SETTLEMENT) : sql.unsafe(WITH_SETTLEMENT);
}

/** What the chain says is on the machines of the merchants, where the database is distributed: it is looked up there. */
export async function withSettlements<Row extends PaymentRow>(
  sql: Sql,
  query: PromiseLike<readonly Row[]>,
): Promise<Row[]> {
  const rows = [...(await query)];
  if (!isDistributed(sql)) return rows;
  return byMerchant(
    rows,
    (row) => row.merchant_id,
    async (merchantId, own) => {
      const ids = own.filter((row) => row.tx_hash !== null).map((row) => row.agent_payment_id);
      if (ids.length === 0) return own;
      const found = await sql<{ record_id: string; settlement: string }[]>`
        select s.record_id, ${sql.unsafe(SETTLEMENT)} as settlement from settlements s
        where s.merchant_id = ${merchantId} and s.kind = 'agent_payment' and s.record_id = any(${ids}::id[])`;
      const settlements = new Map(found.map((row) => [row.record_id, row.settlement]));
      return own.map((row) => ({ ...row, settlement: settlements.get(row.agent_payment_id) ?? null }));
    },
  );
}

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

/** Undefined when the connection already has a payment with this key; the one who holds it open is waited for. */
export async function insertPayment(tx: Tx, payment: NewPayment): Promise<PaymentRow | undefined> {
  const { payee, metadata, ...plain } = payment;
  const row = {
    ...plain,
    payee: tx.json(payee as never),
    // Not by way of jsonb, which writes numbers in its own way.
    metadata: metadata === null ? null : tx.typed(metadata as never, JSON_TYPE),
    status: 'intent_created',
    updated_at: payment.created_at,
  };
  const [made] = await withSettlements(
    tx,
    tx<PaymentRow[]>`
    with o as (
      insert into agent_payments ${tx(row)} on conflict (connection_id, idempotency_key) do nothing returning *
    )
    select ${paymentColumns(tx)} from o`,
  );
  return made;
}

export async function selectByKey(
  sql: Sql,
  reach: Reach,
  connectionId: string,
  key: string,
): Promise<PaymentRow | undefined> {
  const [row] = await withSettlements(
    sql,
    sql<PaymentRow[]>`
    select ${paymentColumns(sql)} from agent_payments o
    where o.connection_id = ${connectionId} and o.idempotency_key = ${key} and ${inReach(sql, reach)}`,
  );
  return row;
}

export async function selectPayment(
  sql: Sql,
  reach: Reach,
  paymentId: string,
): Promise<PaymentRow | undefined> {
  const [row] = await withSettlements(
    sql,
    sql<PaymentRow[]>`
    select ${paymentColumns(sql)} from agent_payments o
    where o.agent_payment_id = ${paymentId} and ${inReach(sql, reach)}`,
  );
  return row;
}

/** For the service's own work, whose payment it is. */
export async function selectOwn(
  sql: Sql,
  merchantId: string,
  paymentId: string,
): Promise<PaymentRow | undefined> {
  const [row] = await withSettlements(
    sql,
    sql<PaymentRow[]>`
    select ${paymentColumns(sql)} from agent_payments o
    where o.agent_payment_id = ${paymentId} and o.merchant_id = ${merchantId}`,
  );
  return row;
}

export async function lockPayment(tx: Tx, reach: Reach, paymentId: string): Promise<PaymentRow | undefined> {
  const [row] = await withSettlements(
    tx,
    tx<PaymentRow[]>`
    select ${paymentColumns(tx)} from agent_payments o
    where o.agent_payment_id = ${paymentId} and ${inReach(tx, reach)} for update of o`,
  );
  return row;
}

export interface PaymentFilter {
  connectionId: string | undefined;
  status: AgentPaymentStatus | undefined;
  /** Of a key that came with a wallet. */
  merchantId: string | undefined;
}

/** One page and a row more. Ended intents count as what they will be settled as, whether somebody has done so or not. */
export async function selectPayments(
  sql: Sql,
  reach: Reach,
  filter: PaymentFilter,
  page: { after: Position | undefined; limit: number },
  now: Date,
): Promise<PaymentRow[]> {
  const { after } = page;
  return withSettlements(
    sql,
    sql<PaymentRow[]>`
    select ${paymentColumns(sql)} from agent_payments o
    where ${inReach(sql, reach)}
      ${filter.connectionId === undefined ? sql`` : sql`and o.connection_id = ${filter.connectionId}`}
      ${filter.status === undefined ? sql`` : sql`and ${hasStatus(sql, filter.status, now)}`}
      ${filter.merchantId === undefined ? sql`` : sql`and o.merchant_id = ${filter.merchantId}`}
      ${after ? sql`and (o.created_at, o.agent_payment_id) < (${after.createdAt}, ${after.id})` : sql``}
    order by o.created_at desc, o.agent_payment_id desc limit ${page.limit + 1}`,
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

/** Guarded by the status that was judged on the locked row. */
export async function movePayment(
  tx: Tx,
  payment: Pick<PaymentRow, 'agent_payment_id' | 'merchant_id' | 'status'>,
  move: Move,
  by: Mover,
  now: Date,
): Promise<PaymentRow> {
  const [row] = await withSettlements(
    tx,
    tx<PaymentRow[]>`
    update agent_payments o
    set status = ${move.status}, state_version = state_version + 1, tx_hash = coalesce(tx_hash, ${move.tx_hash ?? null}),
        reason = ${move.reason ?? null}, reason_text = ${move.reason_text ?? null},
        decision = coalesce(${move.decision ? tx.json(move.decision as never) : null}::json, decision),
        decided_by_device_id = ${move.device_id ?? null}, updated_at = ${now}
    where agent_payment_id = ${payment.agent_payment_id} and merchant_id = ${payment.merchant_id}
      and status = ${payment.status} and ${mayBecome(tx, 'agent_payment', move.status, by)}
    returning ${paymentColumns(tx)}`,
  );
  if (!row) throw new Error('The locked row of an agent payment changed.');
  return row;
}

/** The deciding device brings the transaction's hash later, once. */
export async function addTxHash(
  tx: Tx,
  payment: Pick<PaymentRow, 'agent_payment_id' | 'merchant_id'>,
  txHash: string,
  now: Date,
): Promise<PaymentRow> {
  const [row] = await withSettlements(
    tx,
    tx<PaymentRow[]>`
    update agent_payments o set tx_hash = ${txHash}, updated_at = ${now}
    where agent_payment_id = ${payment.agent_payment_id} and merchant_id = ${payment.merchant_id} and tx_hash is null
    returning ${paymentColumns(tx)}`,
  );
  if (!row) throw new Error('The locked row of an agent payment changed.');
  return row;
}

/** A transaction that the wallet has reported is looked up from now on. */
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

/** True for the one who frees it. */
export async function freeSpend(tx: Tx, payment: PaymentName): Promise<boolean> {
  const rows = await tx`
    update agent_payments set is_spend_held = false
    where agent_payment_id = ${payment.agent_payment_id} and merchant_id = ${payment.merchant_id} and is_spend_held
    returning 1`;
  return rows.length > 0;
}
