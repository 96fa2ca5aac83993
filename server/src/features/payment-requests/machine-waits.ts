import { PAYMENT_REQUEST_STATUSES } from '@payassent/protocol';
import { byMerchant } from '../../db/machine.ts';
import type { Sql } from '../../db/open.ts';
import type { CallerStanding } from '../../http/principals.ts';
import { deviceIsUsable } from '../callers/device-token.ts';
import { sessionIsOpen } from '../merchant-accounts/open-session.ts';
import type { WaitingRead } from './change-sql.ts';
import type { WaitingInbox, WaitingPoll } from './event-sql.ts';
import { INBOX_MARK, tieOf } from './inbox-cursor.ts';

/**
 * The questions of event-sql.ts and change-sql.ts for those who wait, on a distributed database: credentials are asked of
 * the coordinator, news of each merchant's machine. They answer places in the lists.
 */

export async function findMissedPolls(sql: Sql, polls: readonly WaitingPoll[]): Promise<number[]> {
  const numbered = polls.map((poll, n) => ({ ...poll, n }));
  const missed = await byMerchant(
    numbered,
    ({ standing }) => standing.merchantId,
    async (merchantId, own) => {
      const input = JSON.stringify(
        own.map(({ of, standing, since }, n) => ({
          n,
          of,
          version: standing.version,
          connection_id: standing.connectionId,
          since,
        })),
      );
      const rows = await sql<{ n: number }[]>`
        select p.n
        from json_to_recordset(${input}::text::json) as p(n int, of text, version uuid, connection_id id, since bigint)
          left join merchant_standings s on s.merchant_id = ${merchantId}
          left join connection_heads h on h.merchant_id = ${merchantId} and h.connection_id = p.connection_id
          left join agent_payment_heads g on g.merchant_id = ${merchantId} and g.connection_id = p.connection_id
        where s.version is distinct from p.version
          or p.since < case p.of when 'agent_payment' then g.last_sequence else h.last_sequence end`;
      const found = new Set(rows.map((row) => row.n));
      return own.map((_poll, n) => found.has(n));
    },
  );
  return numbered.filter(({ n }) => missed[n]).map(({ n }) => n);
}

export async function findMissedInboxes(
  sql: Sql,
  inboxes: readonly WaitingInbox[],
  now: Date,
): Promise<number[]> {
  const input = JSON.stringify(
    inboxes.map(({ tokenHash, walletId }, n) => ({ n, token_hash: tokenHash, wallet_id: walletId })),
  );
  const places = await sql<{ n: number; merchant_id: string | null; connection_id: string | null }[]>`
    select p.n, c.merchant_id, c.connection_id
    from json_to_recordset(${input}::text::json) as p(n int, token_hash text, wallet_id id)
      left join (device_tokens dt join devices d on d.device_id = dt.device_id and ${deviceIsUsable(sql, now)})
        on dt.token_hash = p.token_hash
      left join connections c on dt.token_hash is not null and c.wallet_id = p.wallet_id
    where dt.token_hash is null or c.connection_id is not null`;
  const missed = new Set(places.filter((place) => place.merchant_id === null).map((place) => place.n));
  await byMerchant(
    places.filter((place) => place.merchant_id !== null),
    (place) => place.merchant_id ?? '',
    async (merchantId, own) => {
      const rows = await sql<{ n: number }[]>`
        select distinct p.n
        from json_to_recordset(${JSON.stringify(own.map((place) => placeIn(inboxes, place)))}::text::json)
            as p(n int, connection_id id, statuses text[], after_time timestamptz, after_request id,
                 after_connection id, seen text[])
          cross join lateral (
            select r.connection_id, r.request_id, r.created_at from pending_requests r
            where 'pending' = any(p.statuses) and r.merchant_id = ${merchantId} and r.connection_id = p.connection_id
            union all
            select r.connection_id, r.request_id, r.created_at from requests_by_status r
            where r.status = any(p.statuses) and r.merchant_id = ${merchantId} and r.connection_id = p.connection_id
          ) r
        where (r.created_at, r.request_id, r.connection_id) > (p.after_time, p.after_request, p.after_connection)
          and ${sql.unsafe(INBOX_MARK)} <> all(p.seen)`;
      for (const { n } of rows) missed.add(n);
      return [];
    },
  );
  return [...missed];
}

function placeIn(
  inboxes: readonly WaitingInbox[],
  { n, connection_id }: { n: number; connection_id: string | null },
) {
  const { statuses, place } = inboxes[n] ?? {};
  return {
    n,
    connection_id,
    statuses: statuses ?? PAYMENT_REQUEST_STATUSES,
    after_time: place?.after.createdAt ?? '-infinity',
    after_request: place ? tieOf(place.after).requestId : '',
    after_connection: place ? tieOf(place.after).connectionId : '',
    seen: place?.seen.map((mark) => mark.hash) ?? [],
  };
}

export async function findChangesOnMachines(
  sql: Sql,
  waiting: readonly (WaitingRead & { standing: CallerStanding | undefined })[],
  now: Date,
): Promise<number[]> {
  const input = JSON.stringify(
    waiting.map(({ credential, connectionId }, n) => ({
      n,
      kind: credential.kind,
      token_hash: credential.tokenHash,
      connection_id: connectionId,
    })),
  );
  const places = await sql<{ n: number; merchant_id: string; is_over: boolean }[]>`
    select p.n, c.merchant_id, case p.kind
        when 'connection' then false
        when 'wallet' then not exists (
          select from device_tokens dt join devices d on d.device_id = dt.device_id
          where dt.token_hash = p.token_hash and ${deviceIsUsable(sql, now)})
        else not exists (select from merchant_sessions s where s.token_hash = p.token_hash and ${sessionIsOpen(sql, now)})
      end as is_over
    from json_to_recordset(${input}::text::json) as p(n int, kind text, token_hash text, connection_id id)
      join connections c on c.connection_id = p.connection_id`;
  const missed = new Set(places.filter((place) => place.is_over).map((place) => place.n));
  await byMerchant(
    places,
    (place) => place.merchant_id,
    async (merchantId, own) => {
      const asked = JSON.stringify(
        own.map(({ n }) => ({
          n,
          version: waiting[n]?.standing?.version,
          connection_id: waiting[n]?.connectionId,
          request_id: waiting[n]?.requestId,
          after: waiting[n]?.after,
        })),
      );
      const rows = await sql<{ n: number }[]>`
        select p.n
        from json_to_recordset(${asked}::text::json)
            as p(n int, version uuid, connection_id id, request_id id, after bigint)
          left join merchant_standings s on s.merchant_id = ${merchantId}
        where p.version is not null and s.version is distinct from p.version
          or exists (
            select from payment_request_events e
            where e.merchant_id = ${merchantId} and e.connection_id = p.connection_id and e.request_id = p.request_id
              and e.state_version > p.after)`;
      for (const { n } of rows) missed.add(n);
      return [];
    },
  );
  return [...missed];
}
