import type { Database } from '../../db/open.ts';
import type { SealedSecrets } from './secrets.ts';

export interface DueEndpoint {
  id: string;
  merchantId: string;
  active: boolean;
  failing: boolean;
}

export interface Walk {
  due: DueEndpoint[];
  /** Where the walk ended for its length; undefined when it came all the way round. */
  endedAt: string | undefined;
}

interface WalkRow {
  id: string;
  steps: number;
  is_due: boolean;
  merchant_id: string;
  is_active: boolean;
  is_failing: boolean;
}

/**
 * The endpoints for which something is due, each once, beginning behind `behind` and round to it again. It jumps
 * from one endpoint to the next in the index of waiting rows, so that an endpoint with a million rows costs no
 * more than one with a single row.
 */
export async function walkDueEndpoints(
  db: Database,
  behind: string,
  now: Date,
  maxSteps: number,
): Promise<Walk> {
  const rows = await db<WalkRow[]>`
    with recursive walk as (
      select ${behind}::text collate "C" as id, ${now}::timestamptz as run_at, false as wrapped, 0 as steps
      union all
      select next.id, next.run_at, next.wrapped, walk.steps + 1
      from walk cross join lateral (
        (select d.webhook_endpoint_id::text collate "C" as id, d.run_at, walk.wrapped as wrapped
         from webhook_deliveries d
         where d.status = 'pending' and d.webhook_endpoint_id > walk.id
         order by d.webhook_endpoint_id, d.run_at limit 1)
        union all
        (select d.webhook_endpoint_id::text collate "C", d.run_at, true
         from webhook_deliveries d
         where d.status = 'pending' and not walk.wrapped
         order by d.webhook_endpoint_id, d.run_at limit 1)
        order by wrapped limit 1
      ) next
      where walk.steps < ${maxSteps} and not (next.wrapped and next.id > ${behind})
    )
    select w.id, w.steps, w.run_at <= ${now} as is_due, e.merchant_id,
           e.status = 'active' and e.deleted_at is null as is_active, e.failing_since is not null as is_failing
    from walk w join webhook_endpoints e on e.webhook_endpoint_id = w.id
    where w.steps > 0 and (w.run_at <= ${now} or w.steps = ${maxSteps})
    order by w.steps`;
  const last = rows.at(-1);
  return {
    due: rows
      .filter((row) => row.is_due)
      .map((row) => ({
        id: row.id,
        merchantId: row.merchant_id,
        active: row.is_active,
        failing: row.is_failing,
      })),
    endedAt: last?.steps === maxSteps ? last.id : undefined,
  };
}

export interface ClaimedRow extends SealedSecrets {
  delivery_id: string;
  merchant_id: string;
  event_id: string;
  attempt: number;
  url: string;
  failing_since: Date | null;
  /** Null when the bytes are gone, which retention does not allow. */
  body: string | null;
}

/**
 * Takes up to so many due rows of each endpoint. From here to `leaseUntil` nobody else touches them; whoever
 * dies with them only delays them until then.
 */
export async function claimDeliveries(
  db: Database,
  shares: ReadonlyMap<string, number>,
  lease: string,
  now: Date,
  leaseUntil: Date,
): Promise<ClaimedRow[]> {
  return db<ClaimedRow[]>`
    with picked as (
      select d.delivery_id
      from unnest(${[...shares.keys()]}::text[], ${[...shares.values()]}::int[]) as share (id, count)
      join webhook_endpoints e
        on e.webhook_endpoint_id = share.id and e.status = 'active' and e.deleted_at is null
      cross join lateral (
        select delivery_id from webhook_deliveries
        where webhook_endpoint_id = share.id and status = 'pending' and run_at <= ${now}
        order by run_at limit share.count
        for update skip locked
      ) d
    ), claimed as (
      update webhook_deliveries d
      set lease = ${lease}, run_at = ${leaseUntil}, parked_at = null
      from picked where d.delivery_id = picked.delivery_id
      returning d.delivery_id, d.webhook_endpoint_id, d.merchant_id, d.event_id, d.attempt
    )
    select c.*, m.body, e.url, e.failing_since, e.secret_key_id, e.secret_box,
           e.previous_secret_key_id, e.previous_secret_box, e.previous_secret_expires_at
    from claimed c
    join webhook_endpoints e using (webhook_endpoint_id)
    left join webhook_messages m on m.event_id = c.event_id`;
}

/** Gives rows back that were not sent, or not to the end; they are due at once. */
export async function releaseDeliveries(
  db: Database,
  held: readonly { deliveryId: string; lease: string }[],
  now: Date,
): Promise<void> {
  await db`
    update webhook_deliveries d set lease = null, run_at = ${now}
    from unnest(${held.map((row) => row.deliveryId)}::text[], ${held.map((row) => row.lease)}::text[])
      as held (delivery_id, lease)
    where d.delivery_id = held.delivery_id and d.lease = held.lease and d.status = 'pending'`;
}
