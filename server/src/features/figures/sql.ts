import type { Figures } from '@payassent/protocol/records';
import { ofMerchant } from '../../db/layout.ts';
import type { Database, Sql } from '../../db/open.ts';
import { isEnded } from '../../payments/index.ts';

/** How many records of a kind are read, the newest first. */
const ROWS = 10_000;

export interface Periods {
  today: Date;
  week: Date;
  month: Date;
}

interface FiguresRow extends Omit<Figures, 'today' | 'complete_since'> {
  /** Null where all records of the thirty days were read. */
  complete_since: Date | null;
}

/**
 * One statement over a bounded number of rows, each kind read in the order of its index by time. Sums are of `numeric`,
 * which is exact.
 */
export function figuresQuery(sql: Sql, merchantId: string, periods: Periods, now: Date, rows = ROWS) {
  const { today, week, month } = periods;
  const sumSince = (time: Date) =>
    sql`trim_scale(coalesce(sum(p.amount::numeric) filter (where p.created_at >= ${time}), 0))::text`;
  return sql`
    with asked as materialized (${newestRequests(sql, merchantId, month, rows + 1)}),
    paid as materialized (${newestPayments(sql, merchantId, month, rows + 1)}), since as materialized (
      -- The record after the last counted one: all newer ones are counted.
      select greatest(
        (select created_at from asked order by created_at desc, request_id desc offset ${rows}),
        (select created_at from paid order by created_at desc, record_id desc offset ${rows})) as at
    ), payments as (
      select a.merchant_id, a.connection_id, 'payment_request' as kind, a.request_id as record_id, a.network, a.asset,
             a.issuer, a.contract, a.amount, a.status, a.tx_hash, a.created_at from asked a
      union all select * from paid
    ), standing as (
      select p.*, case s.status when 'final' then 'final' when 'mismatch' then 'disputed'
                    when 'failed_on_chain' then 'disputed' else 'reported' end as standing
      from payments p left join settlements s
        on p.tx_hash is not null and s.merchant_id = p.merchant_id and s.connection_id = p.connection_id
          and s.kind = p.kind and s.record_id = p.record_id
      where p.created_at > coalesce((select at from since), '-infinity')
        and (p.status = 'confirmed' or s.status = 'final')
    ), received as (
      select json_strip_nulls(json_build_object(
        'network', p.network, 'asset', p.asset, 'issuer', p.issuer, 'contract', p.contract, 'standing', p.standing,
        'today', ${sumSince(today)}, 'week', ${sumSince(week)}, 'month', ${sumSince(month)})) as row
      from standing p group by p.network, p.asset, p.issuer, p.contract, p.standing
      order by p.network, p.asset, p.issuer, p.contract, p.standing = 'disputed', p.standing = 'reported'
    ), decided as (
      select count(*) filter (where is_approved)::int as approved, count(*) filter (where is_rejected)::int as rejected,
             count(*) filter (where not is_approved and not is_rejected and is_over)::int as undecided,
             percentile_disc(0.5) within group (order by greatest(took, 0)) filter (where took is not null) as median
      from (
        select a.status <> 'pending' or a.expires_at < ${now} as is_over,
               a.decided_by_device_id is not null and a.status = 'rejected' as is_rejected,
               a.decided_by_device_id is not null and a.status <> 'rejected' as is_approved,
               (extract(epoch from (a.decision->>'decided_at')::timestamptz - a.created_at) * 1000)::int8 as took
        from asked a where a.created_at > coalesce((select at from since), '-infinity')) d
    )
    select coalesce((select json_agg(row) from received), '[]') as received, d.approved, d.rejected, d.undecided,
           d.median::float8 as median_decision_ms, (select at from since) as complete_since,
           (select count(*)::int from (${pendingNow(sql, merchantId, now)}) w) as waiting
    from decided d`;
}

export async function readFigures(
  db: Database,
  merchantId: string,
  periods: Periods,
  now: Date,
): Promise<FiguresRow> {
  const sql = ofMerchant(db, merchantId);
  const [row] = await sql<[FiguresRow]>`${figuresQuery(sql, merchantId, periods, now)}`;
  return row;
}

function newestPayments(sql: Sql, merchantId: string, since: Date, limit: number) {
  return sql`
      select merchant_id, connection_id, 'agent_payment' as kind, agent_payment_id as record_id, network, asset, issuer,
             contract, amount, status, tx_hash, created_at
      from agent_payments where merchant_id = ${merchantId} and created_at >= ${since}
      order by created_at desc, agent_payment_id desc limit ${limit}`;
}

function newestRequests(sql: Sql, merchantId: string, since: Date, limit: number) {
  return sql`
    select merchant_id, connection_id, request_id, network, asset, issuer, contract, amount, status, tx_hash,
           decided_by_device_id, decision, created_at, expires_at
    from payment_requests where merchant_id = ${merchantId} and created_at >= ${since}
    order by created_at desc, request_id desc limit ${limit}`;
}

function pendingNow(sql: Sql, merchantId: string, now: Date) {
  return sql`
    select from (
      select 'pending' as status, p.*, c.agent_id
      from (select * from pending_requests where merchant_id = ${merchantId} limit ${ROWS}) p
        join connections c on c.merchant_id = p.merchant_id and c.connection_id = p.connection_id) r
    where not ${isEnded(sql, now)}`;
}
