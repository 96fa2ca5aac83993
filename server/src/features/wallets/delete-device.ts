import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { AppError, notFound } from '../../errors.ts';
import type { WalletPrincipal } from '../../http/principals.ts';
import { auditActor, recordAudit } from '../audit/record.ts';
import { walletTopic } from '../callers/topics.ts';
import { closeWallet } from '../connections/close-wallet.ts';
import { endKeys } from '../decisions/keys.ts';
import * as sql from './sql.ts';
import { deleteSubscription } from './subscriptions.ts';
import type { DeviceRow } from './view.ts';

export interface DeletedDevice {
  device: DeviceRow;
  /** No device is left that could decide: the wallet's connections have to end. */
  wasLast: boolean;
}

export async function deleteDevice(
  tx: Tx,
  act: Act,
  principal: WalletPrincipal,
  deviceId: string,
): Promise<DeletedDevice> {
  const { walletId } = principal;
  await sql.lockWallet(tx, walletId, 'exclusive');
  // Two devices that delete each other at once: the second has no say any more.
  const asking = await sql.findDevice(tx, walletId, principal.deviceId);
  if (asking?.status !== 'active') throw new AppError('token_revoked');
  const device = await sql.findDevice(tx, walletId, deviceId);
  if (!device) throw notFound();
  if (!(await sql.revokeDevice(tx, walletId, deviceId, act.now))) return { device, wasLast: false };

  await endKeys(tx, deviceId, act.now);
  await deleteSubscription(tx, deviceId);
  await sql.endLinkCodesOf(tx, walletId, deviceId, act.now);
  await recordAudit(tx, act, {
    merchantId: null,
    type: 'device.deleted',
    actor: auditActor(principal),
    target: { type: 'device', id: deviceId },
    details: { wallet_id: walletId },
  });
  // A waiting inbox of the device ends now, not with the next heartbeat.
  tx.afterCommit(() => act.announce(walletTopic(walletId)));
  const wasLast = (await sql.countActiveDevices(tx, walletId)) === 0;
  if (wasLast) await closeWallet(tx, act, principal);
  return { device: { ...device, status: 'revoked', decision_key: null }, wasLast };
}
