import type { Database } from '../../db/open.ts';
import type { RetentionRule } from '../../jobs/retention.ts';
import { addMs, DAY_MS } from '../../lib/clock.ts';
import { RETENTION } from '../../limits.ts';

/**
 * Anybody may enrol a device. A wallet to which no agent was ever connected, and whose devices have made, used or replaced
 * no token and no code for 90 days, concerns no one else: it is deleted with everything it owns.
 */
export const unusedWalletRetention: RetentionRule = {
  name: 'unused wallets',
  tables: ['wallets', 'devices', 'device_tokens', 'decision_keys', 'passkey_counters', 'push_subscriptions'],
  purge: (db, now, limit) =>
    deleteUnusedWallets(db, addMs(now, -RETENTION.unusedWallets.days * DAY_MS), limit),
};

async function deleteUnusedWallets(db: Database, before: Date, limit: number): Promise<number> {
  const result = await db`
    with old as (
      select w.wallet_id from wallets w
      where w.connected_at is null and w.created_at < ${before}
        and not exists (
          select from devices d left join device_tokens t on t.device_id = d.device_id
          where d.wallet_id = w.wallet_id
            and greatest(d.created_at, t.created_at, t.first_used_at, t.replaced_at) >= ${before})
        and not exists (
          select from wallet_codes c
          where c.wallet_id = w.wallet_id and c.used_at is null and c.created_at >= ${before})
        and not exists (select from connect_keys k where k.wallet_id = w.wallet_id)
      order by w.created_at limit ${limit}
      for update skip locked
    ), device as (
      select device_id from devices where wallet_id in (select wallet_id from old)
    ), tokens as (
      delete from device_tokens where device_id in (select device_id from device)
    ), keys as (
      delete from decision_keys where device_id in (select device_id from device)
    ), counters as (
      delete from passkey_counters where wallet_id in (select wallet_id from old)
    ), changes as (
      delete from pending_changes where wallet_id in (select wallet_id from old)
    ), pushes as (
      delete from push_subscriptions where device_id in (select device_id from device)
    ), gone as (
      delete from devices where device_id in (select device_id from device)
    ), codes as (
      -- Used ones are forgotten a day later by a rule of their own.
      delete from wallet_codes where wallet_id in (select wallet_id from old) and used_at is null
    )
    delete from wallets where wallet_id in (select wallet_id from old)`;
  return result.count;
}
