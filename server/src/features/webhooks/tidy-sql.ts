import { layoutOf } from '../../db/layout.ts';
import type { Database } from '../../db/open.ts';
import { mayBecome } from '../../db/status.ts';

/**
 * Due rows of endpoints that are not active. A deleted endpoint's are cancelled; the others wait until the endpoint has
 * been inactive for so long, and are cancelled then. Locked rows are processed next time.
 */
export async function parkDue(
  db: Database,
  endpointIds: readonly string[],
  now: Date,
  patienceMs: number,
  limit: number,
): Promise<number> {
  const result = await db`
    with judged as (
      select d.merchant_id, d.delivery_id, e.deleted_at is not null as is_deleted,
             greatest(coalesce(e.inactive_since, ${now}), d.created_at)
               + ${patienceMs} * interval '1 millisecond' as patience_end
      from webhook_deliveries d join webhook_endpoints e using (merchant_id, webhook_endpoint_id)
      where d.webhook_endpoint_id = any(${[...endpointIds]}::text[])
        and ${mayBecome(db, 'webhook_delivery', 'cancelled', 'clock', { alias: 'd' })}
        and d.run_at <= ${now} and (e.status <> 'active' or e.deleted_at is not null)
      order by d.run_at limit ${limit}
      ${layoutOf(db).passingOver(db, 'd')}
    )
    update webhook_deliveries d
    set status = case when is_deleted or patience_end <= ${now} then 'cancelled' else 'pending' end,
        parked_at = case when is_deleted or patience_end <= ${now} then null else coalesce(parked_at, ${now}) end,
        run_at = case when is_deleted or patience_end <= ${now} then run_at else patience_end end,
        lease = null
    from judged where d.merchant_id = judged.merchant_id and d.delivery_id = judged.delivery_id and d.status = 'pending'`;
  return result.count;
}

/** Waiting rows whose endpoint is active again are due now; those of a deleted one are cancelled. */
export async function unpark(db: Database, now: Date, limit: number): Promise<number> {
  const result = await db`
    with judged as (
      select d.merchant_id, d.delivery_id, e.deleted_at is not null as is_deleted
      from webhook_deliveries d join webhook_endpoints e using (merchant_id, webhook_endpoint_id)
      where ${mayBecome(db, 'webhook_delivery', 'cancelled', 'merchant', { alias: 'd' })} and d.parked_at is not null
        and (e.status = 'active' or e.deleted_at is not null)
      limit ${limit}
      ${layoutOf(db).passingOver(db, 'd')}
    )
    update webhook_deliveries d
    set status = case when is_deleted then 'cancelled' else 'pending' end,
        run_at = case when is_deleted then run_at else ${now} end, parked_at = null, lease = null
    from judged where d.merchant_id = judged.merchant_id and d.delivery_id = judged.delivery_id
      and d.status = 'pending' and d.parked_at is not null`;
  return result.count;
}
