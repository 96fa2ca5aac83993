import type { RequestOrigin } from '@payassent/protocol';
import { ofMerchant } from '../../db/layout.ts';
import type { Fragment, Sql } from '../../db/open.ts';
import { timeJson } from '../../db/time-json.ts';
import { isEnded } from '../close/when-ended.ts';
import { joinPermission } from '../permissions/authorize-sql.ts';
import { NEW_RECORD_JSON, RECORD_JSON } from '../record/record-json.ts';
import { duplicateIds } from './duplicates.ts';

/**
 * One create, ready to be stored: everything that the statement does not take from the tables itself. A member that a
 * create does not have is undefined, not null or false, so that nothing is sent for it.
 */
export interface CreateRow {
  /** Its index in the statement, which sets it: a copy with the number would cost 5 µs. */
  n: number;
  /** The caller's, and the version of the permission under which it may create there. */
  merchant_id: string;
  version: string;
  connection_id: string;
  request_id: string;
  idempotency_key: string | null;
  intent_digest: string;
  transaction_id: string | undefined;
  recipient_id: string;
  recipient_version_id: string;
  amount: string;
  /** A unique one, where each of the payee's requests has one. */
  memo: string | undefined;
  facts_digest: string;
  /** Members of `source` as JSON text, each with a trailing comma. */
  source_members: string;
  display: unknown;
  metadata: unknown;
  created_at: Date;
  expires_at: Date;
  event_id: string;
  created_with: RequestOrigin;
  /** Whether the connection's pending requests are counted first; then they must be fewer than the cap. */
  is_counted: true | undefined;
  /** A request that this one replaces, and of which it is therefore no duplicate. */
  supersedes: string | undefined;
  /** Whether nothing is stored when the same was requested before. */
  refuses_duplicates: true | undefined;
  /** Further risks that the customer should know, as JSON members. */
  risk_members: string | undefined;
}

export interface CreateOutcome {
  /** The stored record; null when the key or the id is taken, or when the caller may not create there. */
  record: string | null;
  connection_id: string | null;
  wallet_id: string | null;
  /** The connection's pending requests, counted up to the cap; null when not counted. */
  pending: number | null;
  /** For creates that refuse duplicates: there are some. */
  is_duplicate: boolean;
  deliveries: number;
}

/**
 * What to do about a connection that is being paused or revoked. A shared statement skips it, so that no caller waits
 * for another's connection; its create is repeated alone and waits.
 */
export type WhenHeld = 'wait' | 'pass over';

/** The largest number of type int. */
const MAX_INT = 2_147_483_647;

/** The cap as a parameter, where there may be none. */
export const capOf = (maxPending: number): number => Math.min(maxPending, MAX_INT);

export function inputRows(sql: Sql, input: string) {
  return sql`json_to_recordset(${input}::text::json) as i(
        n int, merchant_id id, version uuid, connection_id id, request_id id, idempotency_key text, intent_digest text,
        transaction_id id, recipient_id id, recipient_version_id id, amount text, memo text, facts_digest text,
        source_members text, display json, metadata json, created_at timestamptz, expires_at timestamptz, event_id id,
        created_with text, is_counted boolean, supersedes id, refuses_duplicates boolean, risk_members text)`;
}

/** Which rows may be stored, with everything that is stored. `cap` is undefined where none is counted. */
export function authorizeQuery(
  sql: Sql,
  input: Fragment,
  { now, cap, whenHeld }: { now: Date; cap: number | undefined; whenHeld: WhenHeld },
) {
  return sql`
      select i.n, i.request_id, c.connection_id, i.event_id, i.created_at, c.merchant_id, c.wallet_id,
             i.idempotency_key, i.intent_digest, i.transaction_id, x.revision, i.amount, i.facts_digest, i.source_members,
             i.display, i.metadata, i.expires_at, i.created_with, c.agent_id, a.name as agent_name, ${cap === undefined ? sql`null::int` : pendingIfCounted(sql, cap)} as pending,
             i.refuses_duplicates, i.risk_members, ${duplicateIds(sql, now)} as duplicates, v.*
      from ${input} i ${joinPermission(sql)}
        join connections c on c.connection_id = i.connection_id and c.merchant_id = i.merchant_id and c.status = 'active'
        cross join lateral (
          select a.name from agents a where a.merchant_id = c.merchant_id and a.agent_id = c.agent_id limit 1
        ) a
        cross join lateral (
          select m.name as merchant_name, p.recipient_id, v.recipient_version_id, v.name, v.rail, v.network, v.asset,
                 v.address, case v.memo_policy when 'request' then i.memo else v.memo end as memo, v.contract, v.issuer, v.decimals, v.chain_id, v.activated_at, e.domain, e.evidence_digest,
                 e.binding, p.recall_generation
          from recipients p
            join recipient_versions v
              on v.merchant_id = p.merchant_id and v.recipient_version_id = p.active_version_id
            join recipient_evidence e on e.merchant_id = p.merchant_id and e.evidence_id = v.evidence_id
            join merchants m on m.merchant_id = p.merchant_id
          where p.recipient_id = i.recipient_id and p.merchant_id = c.merchant_id
            and p.status = 'active' and p.active_version_id = i.recipient_version_id
          limit 1
        ) v
        left join lateral (
          select x.revision from transaction_contexts x
          where x.merchant_id = c.merchant_id and x.connection_id = c.connection_id
            and x.transaction_id = i.transaction_id
          order by x.revision desc limit 1
        ) x on true
      order by c.connection_id, i.idempotency_key
      for key share of c ${whenHeld === 'wait' ? sql`` : sql`skip locked`}`;
}

/** Stores the allowed rows. */
export function insertFrom(sql: Sql, allowed: Fragment, cap: number) {
  return sql`
      insert into payment_requests as r (
        merchant_id, request_id, connection_id, wallet_id, agent_id, idempotency_key, intent_digest, transaction_id,
        context_revision, recipient_id, recipient_version_id, recall_generation, rail, network, asset, amount, to_address, memo, contract,
        issuer, decimals, chain_id, payee, facts_digest, source, display, metadata, risk, created_with, status, listed_version,
        created_at, expires_at, updated_at)
      select merchant_id, request_id, connection_id, wallet_id, agent_id, idempotency_key, intent_digest, transaction_id,
             revision, recipient_id, recipient_version_id, recall_generation, rail, network, asset, amount, address, memo, contract,
             issuer, decimals, chain_id,
             ('{"name":' || to_json(name) || ',"verified":true,"domain":' || to_json(domain) || ',"recipient_id":"'
               || recipient_id || '","recipient_version_id":"' || recipient_version_id || '","evidence_digest":"'
               || evidence_digest || '","binding":"' || binding || '","activated_at":'
               || ${sql.unsafe(timeJson('activated_at'))} || '}')::json,
             facts_digest,
             ('{' || source_members || '"agent_id":"' || agent_id || '","agent_name":' || to_json(agent_name)
               || ',"merchant_name":' || to_json(merchant_name) || '}')::json,
             display, metadata,
             case when duplicates is not null or risk_members is not null
               then ('{' || concat_ws(',', '"possible_duplicate_of":' || duplicates, risk_members) || '}')::json end,
             created_with, 'pending', 1, created_at, expires_at, created_at
      from ${allowed}
      where (pending is null or pending < ${cap}) and (refuses_duplicates is null or duplicates is null)
      order by connection_id, idempotency_key
      on conflict do nothing
      returning r.merchant_id, r.connection_id, r.expires_at, r.request_id, r.created_at, r.recipient_id,
        r.recall_generation, ${sql.unsafe(NEW_RECORD_JSON)} as record`;
}

export const NOT_CREATED: CreateOutcome = {
  record: null,
  connection_id: null,
  wallet_id: null,
  pending: null,
  is_duplicate: false,
  deliveries: 0,
};

/** By the key of the pending requests, up to the cap and no further. */
function pendingIfCounted(sql: Sql, cap: number) {
  return sql`case when i.is_counted then (
    select count(*)::int from (
      select from pending_requests q
      where q.merchant_id = c.merchant_id and q.connection_id = c.connection_id limit ${cap}) q) end`;
}

/** A request of the caller's connection that is already known by the key or by the id. */
export interface KnownRequest {
  request_id: string;
  intent_digest: string;
  is_ended: boolean;
  /** Found by the key, not by the id. */
  by_key: boolean;
  record: string;
}

export async function findKnown(
  sql: Sql,
  caller: { merchantId: string; connectionId: string },
  names: { key: string | null; requestId: string | null },
  now: Date,
): Promise<KnownRequest[]> {
  const own = ofMerchant(sql, caller.merchantId);
  const columns = own`
    r.request_id, r.intent_digest,
    ${isEnded(own, now)} as is_ended, ${own.unsafe(RECORD_JSON)} as record`;
  return own<KnownRequest[]>`
    select ${columns}, true as by_key from payment_requests r
    where r.merchant_id = ${caller.merchantId} and r.connection_id = ${caller.connectionId}
      and r.idempotency_key = ${names.key}
    union all
    select ${columns}, false as by_key from payment_requests r
    where r.merchant_id = ${caller.merchantId} and r.connection_id = ${caller.connectionId}
      and r.request_id = ${names.requestId}`;
}

/** Which of these ids are requests of the connection. */
export async function findOwnIds(
  sql: Sql,
  caller: { merchantId: string; connectionId: string },
  ids: readonly string[],
): Promise<string[]> {
  const rows = await sql<{ request_id: string }[]>`
    select r.request_id from payment_requests r
    where r.merchant_id = ${caller.merchantId} and r.connection_id = ${caller.connectionId}
      and r.request_id = any(${[...ids]}::text[])`;
  return rows.map((row) => row.request_id);
}

/** Up to `most` and no further. */
export async function countPending(
  sql: Sql,
  { merchantId, connectionId }: { merchantId: string; connectionId: string },
  most: number,
): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from (
      select from pending_requests p
      where p.merchant_id = ${merchantId} and p.connection_id = ${connectionId} limit ${most}) p`;
  return row.count;
}
