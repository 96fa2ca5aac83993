import type { PaymentRequestStatus } from '@payassent/protocol';
import { layoutOf } from '../../db/layout.ts';
import type { Sql } from '../../db/open.ts';
import { deviceIsUsable } from '../../features/callers/device-token.ts';
import { sessionIsOpen } from '../../features/merchant-accounts/open-session.ts';
import type { CallerPermission, PresentedCredential } from '../../principals.ts';
import { statementsOf } from '../../storage/index.ts';
import { isOutdated } from '../permissions/authorize-sql.ts';
import type { EventKind } from './event-sql.ts';
import type { InboxPlace } from './inbox-cursor.ts';
import { hasNewer, INBOX_COLUMNS, inboxJson } from './inbox-sql.ts';

export interface WaitingPoll {
  of: EventKind;
  permission: CallerPermission;
  since: number;
}

export interface WaitingInbox {
  tokenHash: string;
  walletId: string;
  statuses: readonly PaymentRequestStatus[] | undefined;
  place: InboxPlace | undefined;
}

/** Indexes of the polls whose right may have changed, or which have an event to read after all. */
export async function findPendingPolls(sql: Sql, polls: readonly WaitingPoll[]): Promise<number[]> {
  const found = await layoutOf(sql).byMerchant(
    sql,
    polls,
    ({ permission }) => permission.merchantId,
    async (own, asked) => {
      const input = JSON.stringify(
        asked.map(({ of, permission, since }, n) => ({
          n,
          of,
          merchant_id: permission.merchantId,
          version: permission.version,
          connection_id: permission.connectionId,
          since,
        })),
      );
      const rows = await own<{ n: number }[]>`
        select p.n
        from json_to_recordset(${input}::text::json)
          as p(n int, of text, merchant_id id, version uuid, connection_id id, since bigint)
        where ${isOutdated(own)} or p.since < case p.of
            when 'agent_payment' then (
              select h.last_sequence from agent_payment_heads h
              where h.merchant_id = p.merchant_id and h.connection_id = p.connection_id)
            else (
              select h.last_sequence from connection_heads h
              where h.merchant_id = p.merchant_id and h.connection_id = p.connection_id)
          end`;
      const places = new Set(rows.map(({ n }) => n));
      return asked.map((_poll, n) => places.has(n));
    },
  );
  return found.flatMap((isPending, n) => (isPending ? [n] : []));
}

/** Indexes of the waits whose device may have lost its rights, or whose wallet has something new. */
export async function findPendingInboxes(
  sql: Sql,
  inboxes: readonly WaitingInbox[],
  now: Date,
): Promise<number[]> {
  const tokens = JSON.stringify(inboxes.map(({ tokenHash }, n) => ({ n, token_hash: tokenHash })));
  const lost = await sql<{ n: number }[]>`
    select p.n from json_to_recordset(${tokens}::text::json) as p(n int, token_hash text)
    where not exists (
      select from device_tokens dt join devices d on d.device_id = dt.device_id
      where dt.token_hash = p.token_hash and ${deviceIsUsable(sql, now)})`;
  const asked = inboxes.map((inbox, n) => ({ n, wallet_id: inbox.walletId, ...inboxJson(inbox) }));
  const placements = await statementsOf(sql).placements(sql);
  const ofMerchants = new Map<string, Set<string>>();
  const find = async () => {
    const rows = await sql<{ merchant_id: string; wallet_id: string }[]>`
      select distinct merchant_id, wallet_id from connections
      where wallet_id = any(${inboxes.map(({ walletId }) => walletId)}::id[])`;
    for (const { merchant_id, wallet_id } of rows)
      ofMerchants.set(merchant_id, (ofMerchants.get(merchant_id) ?? new Set()).add(wallet_id));
    return [...ofMerchants.keys()];
  };
  const newer = await layoutOf(sql).across(sql, find, (own, merchantId) => {
    const wallets = merchantId === undefined ? undefined : ofMerchants.get(merchantId);
    const looks = wallets ? asked.filter(({ wallet_id }) => wallets.has(wallet_id)) : asked;
    return own<{ n: number }[]>`
      select p.n
      from json_to_recordset(${JSON.stringify(looks)}::text::json) as p(n int, wallet_id id, ${own.unsafe(INBOX_COLUMNS)})
      where exists (
        select from connections c
        where c.wallet_id = p.wallet_id ${merchantId === undefined ? own`` : own`and c.merchant_id = ${merchantId}`}
          and ${hasNewer(own, placements)})`;
  });
  return [...new Set([...lost, ...newer.flat()].map(({ n }) => n))];
}

export interface WaitingRead {
  credential: PresentedCredential;
  connectionId: string;
  requestId: string;
  after: number;
}

/** Indexes of the waits whose credential may have lost its rights, or whose request has changed after all. */
export async function findPendingReads(
  sql: Sql,
  waiting: readonly (WaitingRead & { permission: CallerPermission | undefined })[],
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
  const pending = new Set(places.filter((place) => place.is_over).map((place) => place.n));
  await layoutOf(sql).byMerchant(
    sql,
    places,
    (place) => place.merchant_id,
    async (own, asked) => {
      const reads = JSON.stringify(
        asked.map(({ n, merchant_id }) => ({
          n,
          merchant_id,
          version: waiting[n]?.permission?.version,
          connection_id: waiting[n]?.connectionId,
          request_id: waiting[n]?.requestId,
          after: waiting[n]?.after,
        })),
      );
      const rows = await own<{ n: number }[]>`
        select p.n
        from json_to_recordset(${reads}::text::json)
            as p(n int, merchant_id id, version uuid, connection_id id, request_id id, after bigint)
        where p.version is not null and ${isOutdated(own)}
          or exists (
            select from payment_request_events e
            where e.merchant_id = p.merchant_id and e.connection_id = p.connection_id and e.request_id = p.request_id
              and e.state_version > p.after)`;
      for (const { n } of rows) pending.add(n);
      return asked;
    },
  );
  return [...pending];
}
