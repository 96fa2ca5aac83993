import { newId, WEBHOOK_DELIVERY_STATUSES, type WebhookDeliveryStatus } from '@payassent/protocol';
import { layoutOf } from '../../db/layout.ts';
import type { Database, Sql, Tx } from '../../db/open.ts';
import { mayBecome } from '../../db/status.ts';
import { forgetRanges } from '../../jobs/ranges.ts';
import type { PageRead } from '../page.ts';
import type { DeliveryRow } from './endpoints/view.ts';

interface DeliveryFilter {
  endpointId: string | undefined;
  status: WebhookDeliveryStatus | undefined;
  /** Of these events only. */
  eventIds?: readonly string[] | undefined;
}

export async function listDeliveries(
  db: Sql,
  merchantId: string,
  filter: DeliveryFilter,
  page: PageRead,
): Promise<DeliveryRow[]> {
  return db<DeliveryRow[]>`${deliveriesQuery(db, merchantId, filter, page)}`;
}

/** The index has the status before the time, so a list of all is one scan for each status, merged. */
export function deliveriesQuery(db: Sql, merchantId: string, filter: DeliveryFilter, page: PageRead) {
  const { after, limit } = page;
  const { eventIds } = filter;
  // Few events have few deliveries: they are found by their events, not among all of the status.
  const ofEvents = eventIds === undefined ? db`` : db`and d.event_id = any(${[...eventIds]}::id[])`;
  const merchant =
    eventIds === undefined ? db`d.merchant_id` : layoutOf(db).withoutIndex(db, 'd.merchant_id');
  const statuses = filter.status === undefined ? [...WEBHOOK_DELIVERY_STATUSES] : [filter.status];
  return db`
    select d.* from unnest(${statuses}::text[]) s(status)
      cross join lateral (
        select * from webhook_deliveries d
        where ${merchant} = ${merchantId} and d.status = s.status ${ofEvents}
          ${filter.endpointId === undefined ? db`` : db`and d.webhook_endpoint_id = ${filter.endpointId}`}
          ${after ? db`and (d.created_at, d.delivery_id) < (${after.createdAt}, ${after.id})` : db``}
        order by d.created_at desc, d.delivery_id desc limit ${limit}
      ) d
    order by d.created_at desc, d.delivery_id desc limit ${limit}`;
}

export async function selectDelivery(db: Sql, merchantId: string, deliveryId: string) {
  const rows = await db<DeliveryRow[]>`
    select * from webhook_deliveries where delivery_id = ${deliveryId} and merchant_id = ${merchantId}`;
  return rows[0];
}

/** The body of the message of an event, while it is kept. */
export async function selectPayload(db: Sql, merchantId: string, eventId: string): Promise<string | null> {
  const rows = await db<{ body: string }[]>`
    select body from webhook_messages where event_id = ${eventId} and merchant_id = ${merchantId}`;
  return rows[0]?.body ?? null;
}

/**
 * The bytes are needed again, so they count as new. A mere lock would not do: a retention job that has already selected
 * the message re-checks nothing but the row itself once it gets the lock.
 */
export async function renewMessage(tx: Tx, merchantId: string, eventId: string, now: Date): Promise<boolean> {
  const result = await tx`
    update webhook_messages set created_at = ${now}
    where event_id = ${eventId} and merchant_id = ${merchantId}`;
  return result.count > 0;
}

export async function insertPendingDelivery(
  tx: Tx,
  merchantId: string,
  delivery: Pick<DeliveryRow, 'delivery_id' | 'webhook_endpoint_id' | 'event_id' | 'event_type'>,
  now: Date,
): Promise<DeliveryRow> {
  const rows = await tx<[DeliveryRow]>`
    insert into webhook_deliveries
      (delivery_id, webhook_endpoint_id, merchant_id, event_id, event_type, attempt, status, run_at, created_at)
    values (${delivery.delivery_id}, ${delivery.webhook_endpoint_id}, ${merchantId}, ${delivery.event_id},
            ${delivery.event_type}, 1, 'pending', ${now}, ${now})
    returning *`;
  return rows[0];
}

/** An attempt that is over when its row is written: the handshake. */
export async function insertFinishedDelivery(
  tx: Tx,
  merchantId: string,
  delivery: Omit<
    DeliveryRow,
    'merchant_id' | 'run_at' | 'lease' | 'parked_at' | 'next_attempt_at' | 'attempt'
  >,
): Promise<void> {
  await tx`insert into webhook_deliveries ${tx({
    ...delivery,
    merchant_id: merchantId,
    attempt: 1,
    run_at: delivery.created_at,
  })}`;
}

/**
 * Rows leased to a worker are skipped: the attempt is recorded, and without an endpoint no other follows. Rows that are
 * missed here because they are locked are found by the worker when they are due.
 */
export async function cancelQueue(tx: Tx, merchantId: string, endpointId: string, limit: number) {
  const result = await tx`
    update webhook_deliveries set status = 'cancelled', parked_at = null
    where merchant_id = ${merchantId} and delivery_id in (
      select delivery_id from webhook_deliveries
      where webhook_endpoint_id = ${endpointId} and merchant_id = ${merchantId}
        and ${mayBecome(tx, 'webhook_delivery', 'cancelled', 'merchant')} and lease is null
      order by run_at limit ${limit} for update skip locked)`;
  return result.count;
}

/** Finished attempts from before `before`. */
export async function deleteOldAttempts(db: Database, before: Date, limit: number): Promise<number> {
  const isOld = (border: Date) => db`status <> 'pending' and coalesce(attempted_at, created_at) < ${border}`;
  const { rowsBefore, isUnfinished } = await forgetRanges(
    db,
    {
      table: 'webhook_deliveries',
      rows: (from, end) => db`
        select delivery_id as id, not (${isOld(before)}) as is_kept from webhook_deliveries
        where delivery_id >= ${from} and delivery_id < ${end} order by delivery_id`,
    },
    before,
  );
  // Ids begin with their creation time, which is never later than the attempt.
  const firstYounger = newId('whd', rowsBefore.getTime(), (count) => new Uint8Array(count));
  const result = await db`
    delete from webhook_deliveries where (merchant_id, delivery_id) in (
      select merchant_id, delivery_id from webhook_deliveries
      where delivery_id < ${firstYounger} and ${isOld(rowsBefore)}
      order by delivery_id limit ${limit} ${layoutOf(db).passingOver(db)})`;
  return isUnfinished ? limit : result.count;
}

/** Bytes that no delivery needs and whose last attempt is long ago. */
export async function deleteOldMessages(db: Database, before: Date, limit: number): Promise<number> {
  const isOld = (border: Date) => db`
    m.created_at < ${border}
    and not exists (
      select from webhook_deliveries d
      where d.merchant_id = m.merchant_id and d.event_id = m.event_id
        and (d.status = 'pending' or coalesce(d.attempted_at, d.created_at) >= ${border}))`;
  const { rowsBefore, isUnfinished } = await forgetRanges(
    db,
    {
      table: 'webhook_messages',
      rows: (from, end) => db`
        select m.event_id as id, not (${isOld(before)}) as is_kept from webhook_messages m
        where m.event_id >= ${from} and m.event_id < ${end} order by m.event_id`,
    },
    before,
  );
  const result = await db`
    delete from webhook_messages where (merchant_id, event_id) in (
      select m.merchant_id, m.event_id from webhook_messages m
      where ${isOld(rowsBefore)}
      order by m.created_at limit ${limit} ${layoutOf(db).passingOver(db, 'm')})`;
  return isUnfinished ? limit : result.count;
}
