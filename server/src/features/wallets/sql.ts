import type { Sql, Tx } from '../../db/open.ts';
import { mayBecome } from '../../db/status.ts';
import { addMs } from '../../lib/clock.ts';
import { KEPT_ENDED_TOKENS } from '../callers/device-token.ts';
import { CURRENT_KEY } from '../decisions/keys.ts';
import { newestFirst, type PageRead } from '../page.ts';
import type { DeviceRow } from './view.ts';

export type CodeKind = 'link' | 'recovery';

export async function insertWallet(tx: Tx, walletId: string, now: Date): Promise<void> {
  await tx`insert into wallets (wallet_id, created_at) values (${walletId}, ${now})`;
}

/** Joins and deletions are serialized here, so that "the last device" is always known. */
export async function lockWallet(tx: Tx, walletId: string, strength: 'share' | 'exclusive'): Promise<void> {
  const lock = strength === 'exclusive' ? tx`for update` : tx`for key share`;
  await tx`select from wallets where wallet_id = ${walletId} ${lock}`;
}

export async function insertDevice(tx: Tx, device: DeviceRow): Promise<void> {
  const { decision_key: _, ...row } = device;
  await tx`insert into devices ${tx(row)}`;
}

export async function insertDeviceToken(tx: Tx, deviceId: string, tokenHash: string, now: Date) {
  await tx`insert into device_tokens (token_hash, device_id, created_at) values (${tokenHash}, ${deviceId}, ${now})`;
}

export async function insertCode(
  tx: Tx,
  code: { hash: string; walletId: string; kind: CodeKind; createdBy: string; expiresAt: Date | null },
  now: Date,
): Promise<void> {
  await tx`
    insert into wallet_codes (code_hash, wallet_id, kind, created_by, created_at, expires_at)
    values (${code.hash}, ${code.walletId}, ${code.kind}, ${code.createdBy}, ${now}, ${code.expiresAt})`;
}

/** The wallet of a code, spent or not: it is locked before the code is spent. */
export async function findWalletOfCode(tx: Tx, codeHash: string, kind: CodeKind) {
  const [row] = await tx<{ wallet_id: string }[]>`
    select wallet_id from wallet_codes where code_hash = ${codeHash} and kind = ${kind}`;
  return row?.wallet_id;
}

export async function spendCode(tx: Tx, codeHash: string, kind: CodeKind, now: Date): Promise<boolean> {
  const rows = await tx`
    update wallet_codes set used_at = ${now}
    where code_hash = ${codeHash} and kind = ${kind} and used_at is null
      and (expires_at is null or expires_at >= ${now})
    returning wallet_id`;
  return rows.length > 0;
}

export async function endLinkCodesOf(tx: Tx, walletId: string, deviceId: string, now: Date): Promise<void> {
  await tx`
    update wallet_codes set used_at = ${now}
    where wallet_id = ${walletId} and created_by = ${deviceId} and kind = 'link' and used_at is null`;
}

/** A wallet has one recovery code at a time. */
export async function endRecoveryCodes(tx: Tx, walletId: string, now: Date): Promise<void> {
  await tx`
    update wallet_codes set used_at = ${now}
    where wallet_id = ${walletId} and kind = 'recovery' and used_at is null`;
}

/** All link codes: none of them was made by a remaining device. */
export async function endLinkCodes(tx: Tx, walletId: string, now: Date): Promise<void> {
  await tx`
    update wallet_codes set used_at = ${now}
    where wallet_id = ${walletId} and kind = 'link' and used_at is null`;
}

/** Every other active device; newest first. */
export async function listOtherDevices(tx: Tx, walletId: string, deviceId: string): Promise<DeviceRow[]> {
  return tx<DeviceRow[]>`
    select d.*, ${tx.unsafe(CURRENT_KEY)} as decision_key from devices d
    where d.wallet_id = ${walletId} and d.device_id <> ${deviceId} and d.status = 'active'
    order by created_at desc, device_id desc`;
}

export function listDevices(db: Sql, walletId: string, page: PageRead): Promise<DeviceRow[]> {
  return db<DeviceRow[]>`
    select d.*, ${db.unsafe(CURRENT_KEY)} as decision_key from devices d where d.wallet_id = ${walletId}
    ${newestFirst(db, page, 'device_id')}`;
}

export async function findDevice(sql: Sql, walletId: string, deviceId: string) {
  const [row] = await sql<DeviceRow[]>`
    select d.*, ${sql.unsafe(CURRENT_KEY)} as decision_key from devices d
    where d.wallet_id = ${walletId} and d.device_id = ${deviceId}`;
  return row;
}

/** The row that a rotation and a first use lock before they touch tokens. */
export async function lockDevice(tx: Tx, walletId: string, deviceId: string): Promise<void> {
  await tx`select from devices where wallet_id = ${walletId} and device_id = ${deviceId} for no key update`;
}

export async function countActiveDevices(tx: Tx, walletId: string): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count from devices where wallet_id = ${walletId} and status = 'active'`;
  return row?.count ?? 0;
}

export async function revokeDevice(tx: Tx, walletId: string, deviceId: string, now: Date): Promise<boolean> {
  const rows = await tx`
    update devices set status = 'revoked', revoked_at = ${now}
    where wallet_id = ${walletId} and device_id = ${deviceId} and ${mayBecome(tx, 'device', 'revoked', 'wallet')}
    returning device_id`;
  return rows.length > 0;
}

/** The calling token stays valid for the overlap; a newer, unused one is revoked immediately. */
export async function supersedeDeviceTokens(tx: Tx, deviceId: string, askingTokenHash: string, now: Date) {
  await tx`
    update device_tokens
    set replaced_at = case when token_hash = ${askingTokenHash} then ${now}::timestamptz else replaced_at end,
        ended_at = case when token_hash = ${askingTokenHash} then null else ${now}::timestamptz end
    where device_id = ${deviceId} and ended_at is null`;
}

/** Link codes that can still be used. */
export async function countOpenCodes(tx: Tx, walletId: string, now: Date): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count from wallet_codes
    where wallet_id = ${walletId} and kind = 'link' and used_at is null and expires_at >= ${now}`;
  return row?.count ?? 0;
}

/**
 * Ended tokens are kept so that their holder learns what happened: the newest ten forever, the others for a week. An
 * older one is unknown.
 */
export async function forgetOldDeviceTokens(tx: Tx, deviceId: string, now: Date): Promise<void> {
  await tx`
    delete from device_tokens where token_hash in (
      select token_hash from device_tokens where device_id = ${deviceId} and ended_at is not null
      order by created_at desc, token_hash offset ${KEPT_ENDED_TOKENS.count})
    and ended_at < ${addMs(now, -KEPT_ENDED_TOKENS.forMs)}`;
}
