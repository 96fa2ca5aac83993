import type { WalletChangeAct } from '@payassent/protocol';
import type { DecisionKey } from '@payassent/protocol/evidence';
import type { PendingChange } from '@payassent/protocol/records';
import type { Database, Sql, Tx } from '../../db/open.ts';
import { mayBecome } from '../../db/status.ts';
import type { Stored } from '../record.ts';

export interface ChangeRow extends Stored<PendingChange> {
  wallet_id: string;
  held: string | null;
  key: DecisionKey | null;
}

const MAX_ENDED = 50;

export async function insertChange(tx: Tx, row: ChangeRow): Promise<void> {
  const key = row.key === null ? null : tx.json(row.key as never);
  await tx`insert into pending_changes ${tx({ ...row, key })}`;
}

export async function findOpenChange(
  tx: Tx,
  walletId: string,
  act: WalletChangeAct,
  deviceId: string | null,
): Promise<ChangeRow | undefined> {
  const [row] = await tx<ChangeRow[]>`
    select * from pending_changes
    where wallet_id = ${walletId} and act = ${act} and coalesce(device_id::text, '') = ${deviceId ?? ''}
      and status = 'pending'`;
  return row;
}

export async function findChange(sql: Sql, walletId: string, changeId: string) {
  const [row] = await sql<ChangeRow[]>`
    select * from pending_changes where wallet_id = ${walletId} and change_id = ${changeId}`;
  return row;
}

/** Newest first: all that wait, and the newest of the others. */
export async function listChanges(sql: Sql, walletId: string): Promise<ChangeRow[]> {
  return sql<ChangeRow[]>`
    select c.* from (
      (select * from pending_changes where wallet_id = ${walletId} and status = 'pending')
      union all
      (select * from pending_changes where wallet_id = ${walletId} and status <> 'pending'
       order by created_at desc, change_id desc limit ${MAX_ENDED})) c
    order by c.created_at desc, c.change_id desc`;
}

export async function listDue(tx: Tx, walletId: string, now: Date): Promise<ChangeRow[]> {
  return tx<ChangeRow[]>`
    select * from pending_changes
    where wallet_id = ${walletId} and status = 'pending' and takes_effect_at <= ${now}
    order by takes_effect_at, change_id`;
}

export async function listDueWallets(db: Database, now: Date, limit: number): Promise<string[]> {
  const rows = await db<{ wallet_id: string }[]>`
    select wallet_id from pending_changes where status = 'pending' and takes_effect_at <= ${now}
    group by wallet_id order by min(takes_effect_at) limit ${limit}`;
  return rows.map((row) => row.wallet_id);
}

export async function hasDue(db: Database, walletId: string, now: Date): Promise<boolean> {
  const rows = await db`
    select from pending_changes
    where wallet_id = ${walletId} and status = 'pending' and takes_effect_at <= ${now} limit 1`;
  return rows.length > 0;
}

export async function markEffective(tx: Tx, changeId: string, now: Date): Promise<boolean> {
  const rows = await tx`
    update pending_changes set status = 'effective', ended_at = ${now}
    where change_id = ${changeId} and ${mayBecome(tx, 'pending_change', 'effective', 'clock')}
    returning change_id`;
  return rows.length > 0;
}

export async function cancelChanges(
  tx: Tx,
  walletId: string,
  changeId: string | undefined,
  now: Date,
): Promise<ChangeRow[]> {
  return tx<ChangeRow[]>`
    update pending_changes set status = 'cancelled', ended_at = ${now}
    where wallet_id = ${walletId} ${changeId === undefined ? tx`` : tx`and change_id = ${changeId}`}
      and ${mayBecome(tx, 'pending_change', 'cancelled', 'wallet')}
    returning *`;
}

/**
 * Those whose device, or the requesting device, is gone, or whose device has another key than at the time of the
 * request.
 */
export async function lapseStale(tx: Tx, walletId: string, now: Date): Promise<ChangeRow[]> {
  return tx<ChangeRow[]>`
    update pending_changes p set status = 'lapsed', ended_at = ${now}
    where p.wallet_id = ${walletId} and ${mayBecome(tx, 'pending_change', 'lapsed', 'system', { alias: 'p' })}
      and (exists (select from devices d where d.device_id in (p.device_id, p.requested_by) and d.status <> 'active')
        or (p.device_id is not null and p.held is distinct from (
          select k.thumbprint from decision_keys k where k.device_id = p.device_id and k.ended_at is null)))
    returning p.*`;
}

/** The recovery code was replaced in another way. */
export async function lapseRecoveryCodes(tx: Tx, walletId: string, now: Date): Promise<ChangeRow[]> {
  return tx<ChangeRow[]>`
    update pending_changes set status = 'lapsed', ended_at = ${now}
    where wallet_id = ${walletId} and act = 'recovery_code'
      and ${mayBecome(tx, 'pending_change', 'lapsed', 'system')}
    returning *`;
}

/** Once: false when this device has no recovery code to collect. */
export async function collectCode(tx: Tx, walletId: string, deviceId: string, now: Date): Promise<boolean> {
  const rows = await tx`
    update pending_changes set collected_at = ${now}
    where wallet_id = ${walletId} and requested_by = ${deviceId} and act = 'recovery_code'
      and status = 'effective' and collected_at is null
    returning change_id`;
  return rows.length > 0;
}

/** What took effect and was not collected can no longer be. */
export async function voidCodes(tx: Tx, walletId: string, now: Date): Promise<void> {
  await tx`
    update pending_changes set collected_at = ${now}
    where wallet_id = ${walletId} and act = 'recovery_code' and status = 'effective' and collected_at is null`;
}

/** No other device works, or did until a day ago. */
export async function isAlone(
  tx: Tx,
  walletId: string,
  deviceId: string,
  since: Date,
): Promise<{ isAlone: boolean; walletCreatedAt: Date }> {
  const [row] = await tx<[{ is_alone: boolean; created_at: Date }]>`
    select w.created_at, not exists (
      select from devices d
      where d.wallet_id = w.wallet_id and d.device_id <> ${deviceId}
        and (d.status = 'active' or d.revoked_at is null or d.revoked_at > ${since})) as is_alone
    from wallets w where w.wallet_id = ${walletId}`;
  return { isAlone: row.is_alone, walletCreatedAt: row.created_at };
}
