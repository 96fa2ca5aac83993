import type { Database, Tx } from '../../db/open.ts';
import type { DueEndpoint } from '../../features/webhooks/claim-sql.ts';
import { type AttemptRecord, type EndpointReport, recorded } from '../../features/webhooks/record-sql.ts';
import { type SaidEvent, webhookRows } from '../../features/webhooks/rows.ts';
import type { Statements } from '../statements.ts';

const ROWS = webhookRows('s.body');

export async function queueMessages(tx: Tx, messages: readonly SaidEvent[], now: Date): Promise<number> {
  const rows = await tx`
    with said as materialized (
      select event_id, merchant_id, type, body, ${now}::timestamptz as now
      from unnest(${messages.map(({ eventId }) => eventId)}::text[],
                  ${messages.map(({ merchantId }) => merchantId)}::text[],
                  ${messages.map(({ type }) => type)}::text[],
                  ${messages.map(({ body }) => body)}::text[]) as s(event_id, merchant_id, type, body)
    ), ${tx.unsafe(ROWS)}
    select delivery_id from delivery`;
  return rows.length;
}

export async function recordAttempts(
  db: Database,
  attempts: readonly AttemptRecord[],
  reports: readonly EndpointReport[],
  now: Date,
): Promise<void> {
  await db`${recorded(db, attempts, reports)}
    insert into webhook_deliveries
      (delivery_id, webhook_endpoint_id, merchant_id, event_id, event_type, attempt, status, run_at, created_at)
    select next_delivery_id, webhook_endpoint_id, merchant_id, event_id, event_type, attempt + 1, 'pending',
           next_attempt_at, ${now}
    from recorded where next_delivery_id is not null and next_attempt_at is not null`;
}

/**
 * It jumps from one endpoint to the next in the index of waiting rows, so that an endpoint with a million rows costs no
 * more than one with a single row.
 */
export async function walkDueEndpoints(
  db: Database,
  behind: string,
  now: Date,
  maxSteps: number,
): ReturnType<Statements['walkDueEndpoints']> {
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

/** Steps of one turn: endpoints with waiting rows, and those among them that are counted to the cap. */
const MAX_STEPS = 200;
const MAX_COUNTED = 10;
/** Fewer waiting rows than this are no backlog, and not worth counting further. */
const WORTH_COUNTING = 1_000;

/** Continues after `behind`, from one endpoint to the next in the index of waiting rows. */
export async function findFullEndpoints(
  tx: Tx,
  behind: string,
  cap: number,
): Promise<{ full: string[]; reached: string }> {
  const rows = await tx<{ id: string; steps: number; is_full: boolean }[]>`
    with recursive walk as (
      select ${behind}::text collate "C" as id, 0 as steps
      union all
      select next.id, walk.steps + 1
      from walk cross join lateral (
        select d.webhook_endpoint_id::text collate "C" as id from webhook_deliveries d
        where d.status = 'pending' and d.webhook_endpoint_id > walk.id
        order by d.webhook_endpoint_id limit 1
      ) next
      where walk.steps < ${MAX_STEPS}
    ), many as (
      select id, steps from walk
      where steps > 0 and exists (
        select from webhook_deliveries d where d.webhook_endpoint_id = walk.id and d.status = 'pending'
        offset ${Math.min(WORTH_COUNTING, cap) - 1} limit 1)
      order by steps limit ${MAX_COUNTED}
    )
    select id, steps, exists (
        select from webhook_deliveries d where d.webhook_endpoint_id = many.id and d.status = 'pending'
        offset ${cap - 1} limit 1) as is_full
    from many
    union all
    (select id, steps, false from walk where steps = ${MAX_STEPS})
    order by steps`;
  const counted = rows.filter((row) => row.steps < MAX_STEPS);
  const last = counted.length === MAX_COUNTED ? counted.at(-1) : rows.at(-1);
  // Neither limit was reached: it came all the way round, and begins again.
  const isRound = counted.length < MAX_COUNTED && rows.at(-1)?.steps !== MAX_STEPS;
  return {
    full: rows.filter((row) => row.is_full).map((row) => row.id),
    reached: isRound ? '' : (last?.id ?? ''),
  };
}
