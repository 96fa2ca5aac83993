import type { Moment, Sql, Tx } from '../../db/open.ts';
import { AppError } from '../../errors.ts';
import { DAY_MS, MINUTE_MS } from '../../lib/clock.ts';
import type { WalletPrincipal } from '../../principals.ts';

/** How many rotated tokens are kept for each device and connection, so that rows do not grow with rotations. */
export const KEPT_ENDED_TOKENS = { count: 10, forMs: 7 * DAY_MS } as const;

/** How long a replaced device token lives when the new one is never used. */
const ROTATION_OVERLAP_MS = 10 * MINUTE_MS;
const ROTATION_OVERLAP = `interval '${ROTATION_OVERLAP_MS} milliseconds'`;

/**
 * The whole credential check as a condition, for statements that join it (`dt` device_tokens, `d` devices). The
 * ordinary check, `call.authenticate()`, explains why a caller does not pass:
 *
 *   from device_tokens dt join devices d on d.device_id = dt.device_id where dt.token_hash = … and d.device_id =
 *   coalesce(<device_id as sent>, d.device_id) and ${deviceIsUsable(sql, now)}
 *
 * When `dt.first_used_at` is null the caller must take the ordinary check instead: a first use ends the previous token.
 */
export function deviceIsUsable(sql: Sql, now: Moment) {
  return sql`(d.status = 'active' and dt.ended_at is null
    and (dt.replaced_at is null or dt.replaced_at + ${sql.unsafe(ROTATION_OVERLAP)} >= ${now}))`;
}

interface DeviceTokenRow {
  device_id: string;
  wallet_id: string;
  status: 'active' | 'revoked';
  first_used_at: Date | null;
  replaced_at: Date | null;
  ended_at: Date | null;
}

export async function findDeviceToken(sql: Sql, tokenHash: string): Promise<DeviceTokenRow | undefined> {
  const [row] = await sql<DeviceTokenRow[]>`
    select d.device_id, d.wallet_id, d.status, dt.first_used_at, dt.replaced_at, dt.ended_at
    from device_tokens dt join devices d on d.device_id = dt.device_id
    where dt.token_hash = ${tokenHash}`;
  return row;
}

/** `deviceId` is what was sent next to the token; absent when the token came alone, as a bearer. */
export function judgeDeviceToken(
  row: DeviceTokenRow | undefined,
  deviceId: string | undefined,
  now: Date,
): WalletPrincipal {
  if (!row || (deviceId !== undefined && deviceId !== row.device_id)) throw new AppError('unauthenticated');
  if (row.status === 'revoked') throw new AppError('token_revoked');
  const isOver = row.replaced_at !== null && now.getTime() - row.replaced_at.getTime() > ROTATION_OVERLAP_MS;
  if (row.ended_at || isOver) throw new AppError('token_rotated');
  return { kind: 'wallet', walletId: row.wallet_id, deviceId: row.device_id };
}

/**
 * The first use of a new token ends the previous one. The device's row is locked first, as in a rotation, so that the
 * two never deadlock.
 */
export async function markDeviceTokenUsed(tx: Tx, deviceId: string, tokenHash: string, now: Date) {
  await tx`select from devices where device_id = ${deviceId} for no key update`;
  const used = await tx`
    update device_tokens set first_used_at = ${now}
    where token_hash = ${tokenHash} and first_used_at is null and ended_at is null
    returning token_hash`;
  if (used.length === 0) return;
  await tx`
    update device_tokens set ended_at = ${now}
    where device_id = ${deviceId} and token_hash <> ${tokenHash} and ended_at is null`;
}

/**
 * For a device's changes to its wallet's rights: locks the wallet against the deletion of its last device and checks
 * that this device was not deleted since its credential was checked.
 */
export async function holdWallet(
  tx: Tx,
  principal: WalletPrincipal,
  /** `counting`: exclusive, for rows that are counted before one is added. */
  how: 'sharing' | 'counting' = 'sharing',
): Promise<void> {
  const lock = how === 'counting' ? tx`for no key update` : tx`for key share`;
  await tx`select from wallets where wallet_id = ${principal.walletId} ${lock}`;
  const rows = await tx`
    select from devices
    where wallet_id = ${principal.walletId} and device_id = ${principal.deviceId} and status = 'active'`;
  if (rows.length === 0) throw new AppError('token_revoked');
}
