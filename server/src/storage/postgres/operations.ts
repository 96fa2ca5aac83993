import type { Database, Fragment, Sql } from '../../db/open.ts';

/** A walk over waiting endpoints ends here: with more of them the result covers the first ones. */
const MOST_ENDPOINTS = 2_000;
const MOST_OF_ENDPOINT = 1_000;

/**
 * Jumps from one endpoint to the next in the index of waiting rows: an endpoint with a million of them costs no more
 * than one with a single row.
 */
const waitingEndpoints = (sql: Sql): Fragment => sql`(
    with recursive walk as (
      select ''::text collate "C" as id, null::timestamptz as run_at, 0 as steps
      union all
      select next.id, next.run_at, walk.steps + 1
      from walk cross join lateral (
        select d.webhook_endpoint_id::text collate "C" as id, d.run_at from webhook_deliveries d
        where d.status = 'pending' and d.webhook_endpoint_id > walk.id
        order by d.webhook_endpoint_id, d.run_at limit 1
      ) next
      where walk.steps < ${MOST_ENDPOINTS}
    )
    select id, run_at from walk)`;

export function oldestDelivery(db: Database): Fragment {
  return db`select min(run_at) as oldest from ${waitingEndpoints(db)} walk`;
}

export function backlog(sql: Sql, networks: readonly string[], now: Date) {
  return {
    deliveries: sql`(
      select d.* from ${waitingEndpoints(sql)} walk cross join lateral (
        select parked_at, run_at, lease from webhook_deliveries d
        where d.webhook_endpoint_id = walk.id and d.status = 'pending'
        order by d.run_at limit ${MOST_OF_ENDPOINT}
      ) d) d`,
    firstLook: sql`(select min(next.look_at) from unnest(${[...networks]}::text[]) n cross join lateral (
         select look_at from observations where network = n order by look_at limit 1) next
       where next.look_at <= ${now})`,
  };
}
