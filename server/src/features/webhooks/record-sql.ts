import type { Sql } from '../../db/open.ts';
import { mayBecome } from '../../db/status.ts';

export interface AttemptRecord {
  merchant_id: string;
  delivery_id: string;
  lease: string;
  status: 'delivered' | 'failed';
  http_status: number | null;
  error_class: string | null;
  duration_ms: number;
  attempted_at: Date;
  /** The row of the next attempt; null when there is none. */
  next: { delivery_id: string; run_at: Date } | null;
}

export interface EndpointReport {
  merchant_id: string;
  webhook_endpoint_id: string;
  delivered: boolean;
  failed_at: Date | null;
}

/** Ends with a query `recorded` of what was recorded. */
export function recorded(db: Sql, attempts: readonly AttemptRecord[], reports: readonly EndpointReport[]) {
  const ids = attempts.map((attempt) => attempt.delivery_id);
  return db`
    -- Lists, not JSON: parsing that took PostgreSQL as long as the rest of this statement.
    with input as (
      select i.merchant_id, i.delivery_id, i.lease, i.status, i.http_status, i.error_class, i.duration_ms,
             to_timestamp(i.attempted_s) as attempted_at, i.next_delivery_id, to_timestamp(i.next_s) as next_run_at
      from unnest(${attempts.map((attempt) => attempt.merchant_id)}::text[], ${ids}::text[],
                  ${attempts.map((attempt) => attempt.lease)}::text[],
                  ${attempts.map((attempt) => attempt.status)}::text[],
                  ${attempts.map((attempt) => attempt.http_status)}::int[],
                  ${attempts.map((attempt) => attempt.error_class)}::text[],
                  ${attempts.map((attempt) => attempt.duration_ms)}::int[],
                  ${attempts.map((attempt) => secondsOf(attempt.attempted_at))}::float8[],
                  ${attempts.map((attempt) => attempt.next?.delivery_id ?? null)}::text[],
                  ${attempts.map((attempt) => secondsOf(attempt.next?.run_at))}::float8[])
        as i (merchant_id, delivery_id, lease, status, http_status, error_class, duration_ms, attempted_s, next_delivery_id, next_s)
    ), report as (
      select r.merchant_id, r.webhook_endpoint_id, r.outcome = 'delivered' as delivered, to_timestamp(r.failed_s) as failed_at
      from unnest(${reports.map((report) => report.merchant_id)}::text[],
                  ${reports.map((report) => report.webhook_endpoint_id)}::text[],
                  ${reports.map((report) => (report.delivered ? 'delivered' : 'failed'))}::text[],
                  ${reports.map((report) => secondsOf(report.failed_at))}::float8[])
        as r (merchant_id, webhook_endpoint_id, outcome, failed_s)
    ), held as (
      -- A delete of the endpoint waits for this lock or is seen here: no attempt is planned after it. Locked in one
      -- order, so that two processes never deadlock.
      select e.merchant_id, e.webhook_endpoint_id, e.deleted_at, r.delivered, r.failed_at
      from report r join webhook_endpoints e
        on e.merchant_id = r.merchant_id and e.webhook_endpoint_id = r.webhook_endpoint_id
      where r.failed_at is not null or e.failing_since is not null
      order by e.webhook_endpoint_id
      for no key update of e
    ), endpoint as (
      update webhook_endpoints e
      set failing_since = case when held.delivered then null else held.failed_at end
      from held
      where e.merchant_id = held.merchant_id and e.webhook_endpoint_id = held.webhook_endpoint_id
        and (e.failing_since is null) <> held.delivered
    ), recorded as (
      update webhook_deliveries d
      set status = i.status, http_status = i.http_status, error_class = i.error_class,
          duration_ms = i.duration_ms, attempted_at = i.attempted_at, lease = null,
          next_attempt_at = case when exists (
            select from held where held.webhook_endpoint_id = d.webhook_endpoint_id and held.deleted_at is null
          ) then i.next_run_at end
      from input i
      -- The list of ids uses the primary key; joined with the input alone, the whole table may be read instead.
      -- A bare condition on the status would use the index of waiting rows, and read all of them.
      where d.delivery_id = any(${ids}::text[])
        and d.merchant_id = i.merchant_id and d.delivery_id = i.delivery_id and d.lease = i.lease
        and case when ${mayBecome(db, 'webhook_delivery', ['delivered', 'failed'], 'system', { alias: 'd' })} then true end
      returning d.webhook_endpoint_id, d.merchant_id, d.event_id, d.event_type, d.attempt,
                i.next_delivery_id, d.next_attempt_at
    )`;
}

function secondsOf(time: Date | null | undefined): number | null {
  return time ? time.getTime() / 1000 : null;
}
