import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import type { WalletPrincipal } from '../../http/principals.ts';
import { hashSecret } from '../../lib/keys.ts';
import { auditActor, recordAudit } from '../audit/record.ts';
import { type AuthorizationInput, allowance, askingDevice } from './allowance.ts';
import { lapseRecoveryCodes, type Waiting, waitForEffect } from './changes.ts';
import { collectCode } from './changes-sql.ts';
import * as sql from './sql.ts';
import type { DeviceRow } from './view.ts';

/**
 * Ends the former recovery code, which may be lost or known to another person. After a delay the code is made when the
 * device that asked comes for it, so that the former one works until a person has the new one. The caller holds the wallet
 * exclusively.
 */
export async function replaceRecoveryCode(
  tx: Tx,
  act: Act,
  baseUrl: string,
  principal: WalletPrincipal,
  input: AuthorizationInput,
): Promise<string | Waiting> {
  const { walletId, deviceId } = principal;
  const asking = await askingDevice(tx, principal);
  const change = { act: 'recovery_code', deviceId: null, thumbprint: null } as const;
  const allowed = await allowance(tx, act, asking, baseUrl, change, input);
  if (allowed === undefined && !(await collectCode(tx, walletId, deviceId, act.now)))
    return waitForEffect(tx, act, principal, { ...change, held: null, key: null });
  const recoveryCode = act.newToken('recovery_code');
  await sql.endRecoveryCodes(tx, walletId, act.now);
  await keepRecoveryCode(tx, act, asking, recoveryCode);
  await recordAudit(tx, act, {
    merchantId: null,
    type: 'device.recovery_code_replaced',
    actor: auditActor(principal),
    target: { type: 'device', id: deviceId },
    details: { wallet_id: walletId, authorized_by: allowed === undefined ? 'delay' : allowed },
  });
  await lapseRecoveryCodes(tx, act, walletId);
  return recoveryCode;
}

export async function keepRecoveryCode(
  tx: Tx,
  act: Act,
  device: Pick<DeviceRow, 'device_id' | 'wallet_id'>,
  recoveryCode: string,
): Promise<void> {
  const hash = hashSecret(recoveryCode);
  const { device_id: createdBy, wallet_id: walletId } = device;
  await sql.insertCode(tx, { hash, walletId, kind: 'recovery', createdBy, expiresAt: null }, act.now);
}
