import { isDistributed } from '../../db/layout.ts';
import { byMerchant, ofMerchant } from '../../db/machine.ts';
import type { Database, Fragment } from '../../db/open.ts';
import type { SealedSecrets } from './endpoints/secrets.ts';

/** What a worker needs to know of an endpoint, as it stood when the walk came by. */
export interface DueEndpoint extends SealedSecrets {
  merchant_id: string;
  url: string;
  version: number;
  is_active: boolean;
  failing_since: Date | null;
}

interface Walk {
  due: DueEndpoint[];
  /** Where the walk ended for its length; undefined when it came all the way round. */
  endedAt: string | undefined;
}

/**
 * The endpoints for which something is due, each once, beginning behind `behind` and round to it again. It jumps
 * from one endpoint to the next in the index of waiting rows, so that an endpoint with a million rows costs no
 * more than one with a single row.
 */
export async function walkDueEndpoints(db: Database, behind: string, now: Date, maxSteps: number) {
  if (isDistributed(db)) return walkMachines(db, behind, now, maxSteps);
  const rows = await db<(DueEndpoint & { steps: number; is_due: boolean })[]>`
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
    select w.steps, w.run_at <= ${now} as is_due, e.webhook_endpoint_id, e.merchant_id, e.url, e.version,
           e.status = 'active' and e.deleted_at is null as is_active, e.failing_since,
           e.secret_key_id, e.secret_box,
           e.previous_secret_key_id, e.previous_secret_box, e.previous_secret_expires_at
    from walk w join webhook_endpoints e on e.webhook_endpoint_id = w.id
    where w.steps > 0 and (w.run_at <= ${now} or w.steps = ${maxSteps})
    order by w.steps`;
  const last = rows.at(-1);
  return {
    due: rows.filter((row) => row.is_due),
    endedAt: last?.steps === maxSteps ? last.webhook_endpoint_id : undefined,
  };
}

/** The same on a distributed database, which has no walk over all machines: those that are due are read, endpoint by endpoint. */
async function walkMachines(db: Database, behind: string, now: Date, maxSteps: number): Promise<Walk> {
  const read = (isIn: Fragment, limit: number) => db<DueEndpoint[]>`
    select e.webhook_endpoint_id, e.merchant_id, e.url, e.version,
           e.status = 'active' and e.deleted_at is null as is_active, e.failing_since, e.secret_key_id, e.secret_box,
           e.previous_secret_key_id, e.previous_secret_box, e.previous_secret_expires_at
    from (
      select d.merchant_id, d.webhook_endpoint_id from webhook_deliveries d
      where d.status = 'pending' and d.run_at <= ${now} and ${isIn} group by 1, 2
    ) d join webhook_endpoints e on e.merchant_id = d.merchant_id and e.webhook_endpoint_id = d.webhook_endpoint_id
    order by e.webhook_endpoint_id limit ${limit}`;
  const after = await read(db`d.webhook_endpoint_id > ${behind}`, maxSteps);
  const rest = maxSteps - after.length;
  const before = rest > 0 ? await read(db`d.webhook_endpoint_id <= ${behind}`, rest) : [];
  const due = [...after, ...before];
  return { due, endedAt: due.length === maxSteps ? due.at(-1)?.webhook_endpoint_id : undefined };
}

export interface ClaimedRow {
  merchant_id: string;
  delivery_id: string;
  webhook_endpoint_id: string;
  event_id: string;
  attempt: number;
  /** Null when the bytes are gone, which retention does not allow. */
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
 * Takes up to so many due rows of each endpoint. From here to `leaseUntil` nobody else touches them; anyone who
 * dies with them only delays them until then.
 */
export async function claimDeliveries(
  db: Database,
  shares: readonly Share[],
  lease: string,
  now: Date,
  leaseUntil: Date,
): Promise<ClaimedRow[]> {
  if (!isDistributed(db)) return claimOf(db, shares, { lease, now, leaseUntil }, db``);
  const claimed = await byMerchant(
    shares,
    (share) => share.merchantId,
    async (merchantId, own) => {
      const sql = ofMerchant(db, merchantId);
      return [await claimOf(sql, own, { lease, now, leaseUntil }, sql`and d.merchant_id = ${merchantId}`)];
    },
  );
  return claimed.flatMap((rows) => rows ?? []);
}

/** `ofOwn` names the merchant where all of them are of one, so that it is done on its machine. */
function claimOf(
  db: Database,
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
      -- A list leads to the primary key; joined with what was picked, the whole table may be read instead.
      where d.delivery_id = any(array(select delivery_id from picked)::text[]) ${ofOwn}
      returning d.merchant_id, d.delivery_id, d.webhook_endpoint_id, d.event_id, d.attempt
    )
    select c.*, m.body
    from claimed c left join webhook_messages m on m.merchant_id = c.merchant_id and m.event_id = c.event_id`;
}

/** Gives rows back that were not sent, or not to the end; they are due at once. */
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
