import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { notFound } from '../../errors.ts';
import { hashSecret } from '../../lib/keys.ts';
import type { WalletPrincipal } from '../../principals.ts';
import { audit } from '../audit/record.ts';
import { findDeviceToken, judgeDeviceToken } from '../callers/device-token.ts';
import { walletTopic } from '../callers/topics.ts';
import { closeWallet } from '../connections/revocation.ts';
import { endKeys } from '../decisions/keys.ts';
import { type AuthorizationInput, allowance, askingDevice } from './allowance.ts';
import { lapseStale, type Waiting, waitForEffect } from './pending-changes.ts';
import * as sql from './sql.ts';
import { deleteSubscription } from './subscriptions.ts';
import type { DeviceRow } from './view.ts';

export interface DeletedDevice {
  device: DeviceRow;
  /** No device is left that could decide: the wallet's connections have to end. */
  wasLast: boolean;
}

/** The caller holds the wallet's exclusive lock. */
export async function deleteDevice(
  tx: Tx,
  act: Act,
  baseUrl: string,
  principal: WalletPrincipal,
  deviceId: string,
  input: AuthorizationInput,
): Promise<DeletedDevice | Waiting> {
  const { walletId } = principal;
  // When two devices delete each other, the second has lost its rights by now.
  const asking = await askingDevice(tx, principal);
  const device = await sql.findDevice(tx, walletId, deviceId);
  if (!device) throw notFound();
  if (device.status !== 'active') return { device, wasLast: false };
  const held = device.decision_key?.thumbprint ?? null;
  const change = { act: 'delete_device', deviceId, thumbprint: held } as const;
  const allowed =
    held === null && !input.authorization ? null : await allowance(tx, act, asking, baseUrl, change, input);
  if (allowed === undefined) return waitForEffect(tx, act, principal, { ...change, held, key: null });
  return removeDevice(tx, act, principal, device);
}

/** In the name of the device that requested it, now or a day ago. */
export async function removeDevice(
  tx: Tx,
  act: Act,
  principal: WalletPrincipal,
  device: DeviceRow,
): Promise<DeletedDevice> {
  const { device_id: deviceId, wallet_id: walletId } = device;
  await sql.revokeDevice(tx, walletId, deviceId, act.now);
  await endKeys(tx, deviceId, act.now);
  await deleteSubscription(tx, deviceId);
  await sql.endLinkCodesOf(tx, walletId, deviceId, act.now);
  await audit(tx, act, principal, null, 'device.deleted', deviceId, { wallet_id: walletId });
  await lapseStale(tx, act, walletId);
  // A waiting inbox of the device ends now, not with the next heartbeat.
  tx.afterCommit(() => act.announce(walletTopic(walletId)));
  const wasLast = (await sql.countActiveDevices(tx, walletId)) === 0;
  if (wasLast) await closeWallet(tx, act, principal);
  return { device: { ...device, status: 'revoked', decision_key: null }, wasLast };
}

/**
 * Only the device itself. Its previous token works until the new one is first used, so a lost response is repaired by
 * calling again: that revokes the token of the lost response.
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
  // Checked again under the lock: another rotation or the first use of a newer token may have come first.
  judgeDeviceToken(await findDeviceToken(tx, askingTokenHash), deviceId, act.now);
  const device = await sql.findDevice(tx, principal.walletId, deviceId);
  if (!device) throw notFound();

  const token = act.newToken('device');
  await sql.supersedeDeviceTokens(tx, deviceId, askingTokenHash, act.now);
  await sql.forgetOldDeviceTokens(tx, deviceId, act.now);
  await sql.insertDeviceToken(tx, deviceId, hashSecret(token), act.now);
  await audit(tx, act, principal, null, 'device.token_rotated', deviceId, { wallet_id: device.wallet_id });
  return { device, token };
}
