import { layoutOf } from '../../db/layout.ts';
import type { Database, Fragment, Sql } from '../../db/open.ts';
import type { SealedSecrets } from './endpoints/secrets.ts';

/** What a worker needs to know of an endpoint, as of the walk that found it due. */
export interface DueEndpoint extends SealedSecrets {
  merchant_id: string;
  url: string;
  version: number;
  is_active: boolean;
  failing_since: Date | null;
}

export interface ClaimedRow {
  merchant_id: string;
  delivery_id: string;
  webhook_endpoint_id: string;
  event_id: string;
  attempt: number;
  /** Null when the bytes were deleted, which retention does not allow. */
  body: string | null;
}

interface Share {
  merchantId: string;
  endpointId: string;
  /** Nothing is claimed when the endpoint has changed since the walk. */
  version: number;
  count: number;
}

/**
 * Claims up to so many due rows of each endpoint. Until `leaseUntil` no other worker touches them; a worker that
 * crashes with them only delays them until then.
 */
export async function claimDeliveries(
  db: Database,
  shares: readonly Share[],
  lease: string,
  now: Date,
  leaseUntil: Date,
): Promise<ClaimedRow[]> {
  const claimed = await layoutOf(db).across(
    db,
    async () => [...new Set(shares.map((share) => share.merchantId))],
    (sql, merchantId) =>
      merchantId === undefined
        ? claimOf(sql, shares, { lease, now, leaseUntil }, sql``)
        : claimOf(
            sql,
            shares.filter((share) => share.merchantId === merchantId),
            { lease, now, leaseUntil },
            sql`and d.merchant_id = ${merchantId}`,
          ),
  );
  return claimed.flat();
}

/** `ofOwn` names the merchant where all rows are of one, so that the statement runs on its node. */
function claimOf(
  db: Sql,
  shares: readonly Share[],
  { lease, now, leaseUntil }: { lease: string; now: Date; leaseUntil: Date },
  ofOwn: Fragment,
) {
  return db<ClaimedRow[]>`
    with picked as (
      select d.delivery_id
      from unnest(${shares.map((share) => share.merchantId)}::text[], ${shares.map((share) => share.endpointId)}::text[],
                  ${shares.map((share) => share.version)}::int[],
                  ${shares.map((share) => share.count)}::int[]) as share (merchant_id, id, version, count)
      join webhook_endpoints e
        on e.merchant_id = share.merchant_id and e.webhook_endpoint_id = share.id and e.version = share.version
          and e.status = 'active' and e.deleted_at is null
      cross join lateral (
        select d.delivery_id from webhook_deliveries d
        where d.merchant_id = share.merchant_id and d.webhook_endpoint_id = share.id and d.status = 'pending'
          and d.run_at <= ${now}
        order by d.run_at limit share.count
        for update skip locked
      ) d
    ), claimed as (
      update webhook_deliveries d
      set lease = ${lease}, run_at = ${leaseUntil}, parked_at = null
      -- A list uses the primary key; joined with the picked rows, the whole table may be read instead.
      where d.delivery_id = any(array(select delivery_id from picked)::text[]) ${ofOwn}
      returning d.merchant_id, d.delivery_id, d.webhook_endpoint_id, d.event_id, d.attempt
    )
    select c.*, m.body
    from claimed c left join webhook_messages m on m.merchant_id = c.merchant_id and m.event_id = c.event_id`;
}

/** Returns rows that were not sent, or not completely; they are due immediately. */
export async function releaseDeliveries(
  db: Database,
  held: readonly { merchantId: string; deliveryId: string; lease: string }[],
  now: Date,
): Promise<void> {
  await db`
    update webhook_deliveries d set lease = null, run_at = ${now}
    from unnest(${held.map((row) => row.merchantId)}::text[], ${held.map((row) => row.deliveryId)}::text[],
                ${held.map((row) => row.lease)}::text[]) as held (merchant_id, delivery_id, lease)
    where d.merchant_id = held.merchant_id and d.delivery_id = held.delivery_id and d.lease = held.lease
      and d.status = 'pending'`;
}
