import { exactJson, type PushKind } from '@payassent/protocol';
import { layoutOf } from '../../db/layout.ts';
import type { Fragment, Sql } from '../../db/open.ts';
import { addMs, DAY_MS, SECOND_MS } from '../../lib/clock.ts';
import { INBOX_MARK, isEndedByAct } from '../../payments/index.ts';

/** The candidate subscriptions: always those that are due. */
interface Candidates {
  walletIds: readonly string[];
  deviceIds: readonly string[];
  /** Of those that are due; half of it for those whose last message failed. */
  limit: number;
}

export interface Looked {
  device_id: string;
  wallet_id: string;
  key_id: string;
  box: Buffer;
  tries: number;
  /** False: the device was removed by a process of a release without subscriptions. */
  is_active: boolean;
  is_due: boolean;
  /** The kind of the newest item not yet notified; null when there is none. */
  kind: PushKind | null;
  waiting: number;
  /** The end of the last item. */
  ends_at: Date | null;
  /** The next time three quarters of an item's life are over. */
  remind_at: Date | null;
  told: string[] | null;
  told_through: Date | null;
}

/** Longer than any create takes from its timestamp to its commit. */
export const OVERLAP_MS = 10 * SECOND_MS;
const MAX_MARKS = 100;
const MAX_COUNTED = 10_000;
/** For a proposed policy, which has no deadline. */
const POLICY_WAITS_MS = DAY_MS;

/**
 * What is pending for the wallets of these subscriptions, and whether any of it has not been notified. Each part uses
 * an index that holds what is open.
 */
export async function lookAtWallets(sql: Sql, candidates: Candidates, now: Date): Promise<Looked[]> {
  const floor = addMs(now, -OVERLAP_MS);
  const found = await wantedElsewhere(sql, candidates, now);
  const wanted = found ? foundItems(sql, found) : wantedItems(sql, now, sql`c.wallet_id = s.wallet_id`);
  const isRecent = sql`filter (where w.at > ${floor})`;
  return sql<Looked[]>`
    with candidate as materialized (${chosen(sql, candidates, now)})
    select s.device_id, s.wallet_id, s.key_id, s.box, s.tries, d.status = 'active' as is_active,
           coalesce(s.look_at <= ${now}, false) as is_due, w.*
    from candidate c
      join push_subscriptions s on s.device_id = c.device_id
      join devices d on d.device_id = s.device_id
      cross join lateral (
        select count(*)::int as waiting, max(w.expires_at) as ends_at,
               min(w.remind_at) filter (where w.remind_at > ${now}) as remind_at,
               (array_agg(w.kind order by w.news_at desc) filter (where w.news_at is not null))[1] as kind,
               (array_agg(w.mark order by w.at desc) ${isRecent})[1:${MAX_MARKS}::int] as told,
               (array_agg(w.at order by w.at desc) ${isRecent})[${MAX_MARKS + 1}::int] as told_through
        from (
          select o.*,
            case when o.remind_at > s.told_at and o.remind_at <= ${now} then o.remind_at
                 when o.at > s.told_through and o.mark <> all(s.told) then o.at end as news_at
          from (${openItems(sql, now, wanted)}) o) w) w`;
}

/** The subscriptions to check. */
function chosen(sql: Sql, { walletIds, deviceIds, limit }: Candidates, now: Date) {
  const due = (isFailing: boolean, count: number) => sql`(
    select s.device_id from push_subscriptions s
    where (s.tries > 0) = ${isFailing} and s.look_at <= ${now} order by s.look_at limit ${count})`;
  return sql`
      ${due(false, limit)} union ${due(true, Math.ceil(limit / 2))} union
      select s.device_id from push_subscriptions s
      where s.wallet_id = any(${[...walletIds]}::id[]) and s.quiet_until <= ${now}
      union
      select s.device_id from push_subscriptions s
      where s.device_id = any(${[...deviceIds]}::id[]) and s.quiet_until <= ${now}`;
}

/**
 * Items in which a merchant's agent needs a wallet's decision; `isTheirs` restricts them to the merchant's connections
 * `c`.
 */
function wantedItems(sql: Sql, now: Date, isTheirs: Fragment) {
  return sql`
    (select r.wallet_id, 'payment_request' as kind, ${sql.unsafe(INBOX_MARK)} as mark, r.created_at as at, r.expires_at,
            r.created_at + (r.expires_at - r.created_at) * 0.75 as remind_at
     from (
       select p.*, c.agent_id, c.wallet_id from connections c
         join pending_requests p on p.merchant_id = c.merchant_id and p.connection_id = c.connection_id
       where ${isTheirs} and p.expires_at >= ${now}) r
     where not coalesce(${sql.unsafe(isEndedByAct('r'))}, false)
     order by r.created_at desc, r.request_id desc limit ${MAX_COUNTED})
    union all
    (select o.wallet_id, 'agent_payment', o.agent_payment_id, o.created_at, o.expires_at, null
     from connections c join agent_payments o on o.merchant_id = c.merchant_id and o.connection_id = c.connection_id
     where ${isTheirs} and c.status <> 'revoked' and o.status = 'intent_created' and o.expires_at >= ${now}
       and not coalesce(${sql.unsafe(isEndedByAct('o'))}, false)
     limit ${MAX_COUNTED})
    union all
    (select p.wallet_id, 'policy', p.policy_id || ':' || p.version, p.updated_at,
            ${addMs(now, POLICY_WAITS_MS)}::timestamptz, null
     from connections c join automation_policies p on p.merchant_id = c.merchant_id and p.connection_id = c.connection_id
     where ${isTheirs} and c.status <> 'revoked' and p.status = 'draft')`;
}

/** The same, queried beforehand where one statement does not reach it; undefined where it does. */
async function wantedElsewhere(
  sql: Sql,
  candidates: Candidates,
  now: Date,
): Promise<readonly object[] | undefined> {
  const wallets = new Map<string, string[]>();
  const find = async () => {
    const places = await sql<{ merchant_id: string; wallet_id: string }[]>`
      select distinct c.merchant_id, c.wallet_id
      from push_subscriptions s join connections c on c.wallet_id = s.wallet_id
      where s.device_id in (${chosen(sql, candidates, now)})`;
    for (const { merchant_id, wallet_id } of places)
      wallets.set(merchant_id, [...(wallets.get(merchant_id) ?? []), wallet_id]);
    return [...wallets.keys()];
  };
  const parts = await layoutOf(sql).across(sql, find, async (own, merchantId) => {
    if (merchantId === undefined) return undefined;
    const isTheirs = own`c.merchant_id = ${merchantId} and c.wallet_id = any(${wallets.get(merchantId) ?? []}::id[])`;
    return own<object[]>`${wantedItems(own, now, isTheirs)}`;
  });
  return parts.includes(undefined) ? undefined : parts.flatMap((rows) => rows ?? []);
}

function foundItems(sql: Sql, rows: readonly object[]) {
  return sql`
    select * from json_to_recordset(${exactJson(rows)}::text::json)
      as q(wallet_id id, kind text, mark text, at timestamptz, expires_at timestamptz, remind_at timestamptz)
    where q.wallet_id = s.wallet_id`;
}

/** Everything pending for the wallet of `s`. */
function openItems(sql: Sql, now: Date, wanted: Fragment) {
  return sql`
    ${wanted}
    union all
    (select i.wallet_id, 'invitation', i.connect_invitation_id, i.created_at, i.expires_at, null
     from connect_invitations i join agents a on a.agent_id = i.agent_id
     where i.wallet_id = s.wallet_id and i.status = 'pending_approval' and i.expires_at >= ${now}
       and a.status <> 'revoked')
    union all
    (select p.wallet_id, 'wallet_change', p.change_id, p.created_at, p.takes_effect_at, null
     from pending_changes p
     where p.wallet_id = s.wallet_id and p.status = 'pending' and p.takes_effect_at > ${now})`;
}
