import { byMerchant, ofMerchant } from '../../db/machine.ts';
import type { Sql } from '../../db/open.ts';
import type { CallerStanding } from '../../http/principals.ts';
import { deviceIsUsable } from '../callers/device-token.ts';
import { sessionIsOpen } from '../merchant-accounts/open-session.ts';
import type { WaitingRead } from './change-sql.ts';
import type { WaitingInbox, WaitingPoll } from './event-sql.ts';
import { hasNewer, INBOX_COLUMNS, inboxJson, readPlacements } from './inbox-sql.ts';

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
  const placements = await readPlacements(sql);
  await byMerchant(
    places.filter((place) => place.merchant_id !== null),
    (place) => place.merchant_id ?? '',
    async (merchantId, own) => {
      const asked = own.flatMap(({ n, connection_id }) => {
        const inbox = inboxes[n];
        return inbox ? [{ n, merchant_id: merchantId, connection_id, ...inboxJson(inbox) }] : [];
      });
      const machine = ofMerchant(sql, merchantId);
      const rows = await machine<{ n: number }[]>`
        select distinct p.n
        from json_to_recordset(${JSON.stringify(asked)}::text::json)
            as p(n int, merchant_id id, connection_id id, ${machine.unsafe(INBOX_COLUMNS)})
        where ${hasNewer(machine, placements, 'p', merchantId)}`;
      for (const { n } of rows) missed.add(n);
      return [];
    },
  );
  return [...missed];
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
