import type { Sql, Tx } from '../../db/open.ts';
import { addMs, toTimestampOrNull } from '../../lib/clock.ts';
import type { Sealed } from '../../lib/keys.ts';
import type { WalletPrincipal } from '../../principals.ts';
import { deleteSubscriptions } from '../wallets/subscriptions.ts';

/** Sets or replaces. What is already pending is not notified: the person has the wallet open. */
export async function upsertSubscription(
  tx: Tx,
  { deviceId, walletId }: WalletPrincipal,
  { keyId, box }: Sealed,
  now: Date,
): Promise<void> {
  await tx`
    with made as (
      insert into push_subscriptions
        (device_id, wallet_id, key_id, box, created_at, told_at, told_through, quiet_until, look_at)
      values (${deviceId}, ${walletId}, ${keyId}, ${box}, ${now}, ${now}, ${now}, ${now}, ${now})
      -- Keeps what was notified and the pause: only key, box and tries are replaced.
      on conflict (device_id) do update set key_id = excluded.key_id, box = excluded.box, tries = 0
      returning device_id)
    update devices set has_push = true where device_id in (select device_id from made)`;
}

/** The row as it was claimed; what is recorded later counts only while it is still so. */
export interface Claim {
  device_id: string;
  quiet_until: Date;
}

function isClaimed(sql: Sql, { device_id: deviceId, quiet_until: until }: Claim) {
  return sql`device_id = ${deviceId} and quiet_until = ${until}`;
}

/** Claims until `until`, except rows that another caller claimed first. Returns the devices. */
export async function claim(sql: Sql, deviceIds: readonly string[], moment: { now: Date; until: Date }) {
  if (deviceIds.length === 0) return new Set();
  const rows = await sql<{ device_id: string }[]>`
    update push_subscriptions set quiet_until = ${moment.until}, look_at = ${moment.until}
    where device_id = any(array(
      select device_id from push_subscriptions
      where device_id = any(${[...deviceIds]}::id[]) and quiet_until <= ${moment.now}
      order by device_id for update skip locked))
    returning device_id`;
  return new Set(rows.map((row) => row.device_id));
}

/** Those with nothing to notify when they were due: the next check is at the next reminder, or none is scheduled. */
export async function planLooks(
  sql: Sql,
  looks: readonly { device_id: string; remind_at: Date | null }[],
  now: Date,
): Promise<void> {
  if (looks.length === 0) return;
  const ids = looks.map((look) => look.device_id);
  const times = looks.map((look) => toTimestampOrNull(look.remind_at));
  await sql`
    update push_subscriptions s set look_at = l.remind_at::timestamptz
    from unnest(${ids}::id[], ${times}::text[]) as l(device_id, remind_at)
    where s.device_id = l.device_id and s.device_id = any(array(
      select device_id from push_subscriptions
      where device_id = any(${ids}::id[]) and look_at <= ${now}
      order by device_id for update skip locked))`;
}

/** The result of a check, as far as later checks need it. */
export interface Told {
  looked_at: Date;
  told_through: Date;
  told: string[];
}

/** Notified, or given up: what was found is not new any more. */
export async function recordTold(sql: Sql, claimed: Claim, told: Told, until: Date): Promise<void> {
  await sql`
    update push_subscriptions
    set told_at = ${told.looked_at}, told_through = ${told.told_through}, told = ${told.told}::text[],
        quiet_until = ${until}, look_at = ${until}, tries = 0
    where ${isClaimed(sql, claimed)}`;
}

export async function recordFailure(sql: Sql, claimed: Claim, now: Date, pauseMs: number): Promise<void> {
  const until = addMs(now, pauseMs);
  await sql`
    update push_subscriptions set quiet_until = ${until}, look_at = ${until}, tries = tries + 1
    where ${isClaimed(sql, claimed)}`;
}

/** Unless the device has subscribed again meanwhile. */
export async function forgetGone(sql: Sql, claimed: Claim, box: Buffer): Promise<void> {
  await deleteSubscriptions(sql, sql`${isClaimed(sql, claimed)} and box = ${box}`);
}

/** The next ones by id, for a walk over all of them. */
export async function walkSubscriptions(sql: Sql, after: string, limit: number): Promise<string[]> {
  const rows = await sql<{ device_id: string }[]>`
    select device_id from push_subscriptions where device_id > ${after} order by device_id limit ${limit}`;
  return rows.map((row) => row.device_id);
}
