import { PAYMENT_REQUEST_STATUSES, type PaymentRequestStatus } from '@payassent/protocol';
import type { Fragment, Sql } from '../../db/open.ts';
import { HOUR_MS } from '../../lib/clock.ts';
import { INBOX_MARK, type InboxPlace, tieOf } from './inbox-cursor.ts';

/**
 * Which transactions a read has seen. A request that commits late is searched among all that is pending; among what was
 * decided meanwhile only as far back as any statement may last, because no index finds those by their transaction.
 */
export const LATE_MS = HOUR_MS;

/** Identifies the server whose transactions are counted together, since its last failover or restore. */
const NODE = `(select system_identifier from pg_control_system()) || '/' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)`;

/**
 * One row: the responding node, the oldest transaction in progress there, and how far the wallet had read there. That
 * is null where the wallet has not read since the node got its present identity: then everything there is new.
 */
export function snapshotOf(sql: Sql, placements: string, horizons: InboxPlace['horizons']) {
  return sql`
    select n.node, pg_snapshot_xmin(pg_current_snapshot()) as oldest, ${horizonAt(sql, sql`${JSON.stringify(plainHorizons(horizons))}::text::json`)} as horizon
    from (select ${placements}::text || ${sql.unsafe(NODE)} as node) n`;
}

function plainHorizons(horizons: InboxPlace['horizons'] = []) {
  return horizons.map(({ node, xid }) => ({ node, xid: String(xid) }));
}

/** Of node `n`. */
function horizonAt(sql: Sql, horizons: Fragment) {
  return sql`(select h.xid from json_to_recordset(${horizons}) as h(node text, xid xid8) where h.node = n.node)`;
}

/**
 * Whether request `r` was written by a transaction that was in progress at `horizon`, or later. One that is not
 * finished by now was numbered elsewhere: the request came with a restore. At a horizon of 0 everything counts,
 * including those.
 */
export function wasUnderWay(sql: Sql, horizon: Fragment) {
  const writer = sql`coalesce(r.written_by, '0'::xid8)`;
  return sql`(${horizon} is null or ${horizon} = '0'::xid8
    or ${writer} >= ${horizon} and ${writer} < pg_snapshot_xmax(pg_current_snapshot()))`;
}

/** What a wallet has been shown, for many of them in one statement. */
export function inboxJson({
  statuses = PAYMENT_REQUEST_STATUSES,
  place,
}: {
  statuses: readonly PaymentRequestStatus[] | undefined;
  place: InboxPlace | undefined;
}) {
  const tie = place ? tieOf(place.after) : undefined;
  return {
    statuses,
    after_time: place?.after.createdAt ?? '-infinity',
    after_request: tie?.requestId ?? '',
    after_connection: tie?.connectionId ?? '',
    horizons: place?.horizons && plainHorizons(place.horizons),
    seen: place?.seen.map((mark) => mark.hash) ?? [],
  };
}

export const INBOX_COLUMNS = `statuses text[], after_time timestamptz, after_request id, after_connection id,
           horizons json, seen text[]`;

/** Whether connection `c` has something that the wallet of row `p` has not been shown, as a read would find it. */
export function hasNewer(sql: Sql, placements: string) {
  const isOwn = sql`r.merchant_id = c.merchant_id and r.connection_id = c.connection_id`;
  const columns = sql`r.connection_id, r.request_id, r.created_at, r.written_by`;
  return sql`exists (
        select from (
            select n.node, ${horizonAt(sql, sql`p.horizons`)} as horizon
            from (select ${placements}::text || ${sql.unsafe(NODE)} as node) n
          ) snapshot
          cross join lateral (
            select ${columns} from pending_requests r where 'pending' = any(p.statuses) and ${isOwn}
            union all
            select ${columns} from requests_by_status r
            where r.status = any(p.statuses) and ${isOwn} and r.created_at >= case
              when p.horizons is null then p.after_time
              when snapshot.horizon is null then '-infinity'
              else p.after_time - ${LATE_MS} * interval '1 millisecond' end
          ) r
        where ((r.created_at, r.request_id, r.connection_id) > (p.after_time, p.after_request, p.after_connection)
            or p.horizons is not null and ${wasUnderWay(sql, sql`snapshot.horizon`)})
          and ${sql.unsafe(INBOX_MARK)} <> all(p.seen))`;
}
