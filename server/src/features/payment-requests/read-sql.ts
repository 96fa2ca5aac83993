import type { Sql } from '../../db/open.ts';
import { isEnded, isRecalled } from '../endings/ending.ts';
import { type HotCaller, joinCaller } from './gate-sql.ts';
import { LISTED_COLUMNS, type ListedRow } from './list-sql.ts';
import { RECORD_JSON } from './record-json.ts';

export interface AgentRead {
  caller: HotCaller;
  requestId: string;
}

export interface ReadRow {
  merchant_id: string;
  connection_id: string;
  /** Null when the connection has no such request. */
  record: string | null;
  is_ended: boolean | null;
}

/** Reads for any callers at once; undefined where the credential does not pass. */
export async function readForAgents(
  sql: Sql,
  reads: readonly AgentRead[],
  now: Date,
): Promise<(ReadRow | undefined)[]> {
  const input = JSON.stringify(
    reads.map(({ caller, requestId }, n) => ({
      n,
      token_hash: caller.tokenHash,
      proved_by: caller.provedBy,
      request_id: requestId,
    })),
  );
  const rows = await sql<(ReadRow & { n: number })[]>`
    select i.n, c.merchant_id, c.connection_id, r.is_ended, r.record
    from json_to_recordset(${input}::text::json) as i(n int, token_hash text, proved_by id, request_id id)
      ${joinCaller(sql, 'payment.requests.read', now)}
      left join lateral (
        -- The gate has just found connection and agent alive: only time and a recall can have ended it.
        select r.status = 'pending' and (r.expires_at < ${now} or ${sql.unsafe(isRecalled('r'))}) as is_ended,
               ${sql.unsafe(RECORD_JSON)} as record
        from payment_requests r
        where r.merchant_id = c.merchant_id and r.request_id = i.request_id and r.connection_id = c.connection_id
        limit 1
      ) r on true`;
  const byNumber = new Map(rows.map((row) => [row.n, row]));
  return reads.map((_read, n) => byNumber.get(n));
}

/** Every request of the organization with this id; more than one when two of its connections have it. */
export async function findForMerchant(
  sql: Sql,
  merchantId: string,
  choice: { requestId: string; connectionId: string | null },
  now: Date,
): Promise<ListedRow[]> {
  return sql<ListedRow[]>`
    select ${sql.unsafe(LISTED_COLUMNS)}, ${isEnded(sql, now)} as is_ended
    from payment_requests r
    where r.merchant_id = ${merchantId} and r.request_id = ${choice.requestId}
      and r.connection_id = coalesce(${choice.connectionId}::id, r.connection_id)
    order by r.connection_id limit 2`;
}
