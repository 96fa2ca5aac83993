import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { notFound } from '../../errors.ts';
import type { WalletPrincipal } from '../../http/principals.ts';
import { hashSecret } from '../../lib/keys.ts';
import { auditActor, recordAudit } from '../audit/record.ts';
import { findDeviceToken, judgeDeviceToken } from '../callers/device-token.ts';
import * as sql from './sql.ts';
import type { DeviceRow } from './view.ts';

/**
 * Only the device itself. Its former token works until the new one is first used, so an answer that never
 * arrived is repaired by asking again: the token that was lost on the way dies then.
 */
export async function rotateDeviceToken(
  tx: Tx,
  act: Act,
  principal: WalletPrincipal,
  deviceId: string,
  askingTokenHash: string,
): Promise<{ device: DeviceRow; token: string }> {
  if (deviceId !== principal.deviceId) throw notFound();
  await sql.lockDevice(tx, principal.walletId, deviceId);
  // Judged again under the lock: another rotation or the first use of a newer token may have come first.
  judgeDeviceToken(await findDeviceToken(tx, askingTokenHash), deviceId, act.now);
  const device = await sql.findDevice(tx, principal.walletId, deviceId);
  if (!device) throw notFound();

  const token = act.newToken('device');
  await sql.supersedeDeviceTokens(tx, deviceId, askingTokenHash, act.now);
  await sql.forgetOldDeviceTokens(tx, deviceId, act.now);
  await sql.insertDeviceToken(tx, deviceId, hashSecret(token), act.now);
  await recordAudit(tx, act, {
    merchantId: null,
    type: 'device.token_rotated',
    actor: auditActor(principal),
    target: { type: 'device', id: deviceId },
    details: { wallet_id: device.wallet_id },
  });
  return { device, token };
}
