import type { Issue } from '@payassent/protocol';
import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { AppError, limitReached } from '../../errors.ts';
import { addMs, MINUTE_MS } from '../../lib/clock.ts';
import { hashSecret } from '../../lib/keys.ts';
import type { WalletPrincipal } from '../../principals.ts';
import { nameIssues, textRiskIssues } from '../agents/text.ts';
import { audit, recordAudit, type Trace } from '../audit/record.ts';
import { holdWallet } from '../callers/device-token.ts';
import { walletTopic } from '../callers/topics.ts';
import { endKeys } from '../decisions/keys.ts';
import { type AuthorizationInput, allowance, askingDevice } from './allowance.ts';
import { cancelAll, lapseRecoveryCodes, type Waiting, waitForEffect } from './pending-changes.ts';
import { collectCode } from './pending-changes-sql.ts';
import * as sql from './sql.ts';
import { deleteSubscription } from './subscriptions.ts';
import type { DeviceRow } from './view.ts';

interface EnrolDeviceInput {
  name: string;
  platform?: string;
  link_code?: string;
  recovery_code?: string;
  revoke_others?: boolean;
}

export function checkEnrolDevice(body: Partial<EnrolDeviceInput>): Issue[] {
  const issues = [...nameIssues(body.name), ...textRiskIssues(body.platform, 'platform')];
  if (body.link_code !== undefined && body.recovery_code !== undefined) {
    issues.push({
      field: 'recovery_code',
      code: 'invalid_format',
      message: 'Send either link_code or recovery_code, not both.',
    });
  }
  if (body.revoke_others === true && body.recovery_code === undefined) {
    issues.push({
      field: 'revoke_others',
      code: 'invalid_format',
      message: 'revoke_others can be sent only with recovery_code; otherwise delete devices one by one.',
    });
  }
  return issues;
}

const LINK_CODE_LIFE_MS = 10 * MINUTE_MS;

interface EnrolledDevice {
  device: DeviceRow;
  token: string;
  recoveryCode: string | null;
  /** Only after a recovery: the devices that had access before it. */
  otherDevices: DeviceRow[] | undefined;
}

/** A new wallet with its first device, or an additional device for the wallet of a code. */
export async function enrolDevice(
  tx: Tx,
  act: Act,
  input: EnrolDeviceInput,
  trace: Trace,
): Promise<EnrolledDevice> {
  const joined = await joinByCode(tx, act, input);
  const walletId = joined?.walletId ?? act.newId('wlt');
  if (!joined) await sql.insertWallet(tx, walletId, act.now);

  const device: DeviceRow = {
    device_id: act.newId('dev'),
    wallet_id: walletId,
    name: input.name,
    platform: input.platform ?? null,
    status: 'active',
    joined_by: joined?.by ?? null,
    decision_key: null,
    has_push: false,
    created_at: act.now,
  };
  await sql.insertDevice(tx, device);
  const token = act.newToken('device');
  await sql.insertDeviceToken(tx, device.device_id, hashSecret(token), act.now);

  // A link code does not affect the recovery code; the two others need a fresh one.
  const recoveryCode = joined?.by === 'link' ? null : act.newToken('recovery_code');
  if (recoveryCode !== null) await keepRecoveryCode(tx, act, device, recoveryCode);
  await recordEnrolment(tx, act, device, joined?.by, trace);
  if (joined?.by !== 'recovery') return { device, token, recoveryCode, otherDevices: undefined };
  const others = await sql.listOtherDevices(tx, walletId, device.device_id);
  const otherDevices = input.revoke_others ? await revokeOthers(tx, act, device, others) : others;
  return { device, token, recoveryCode, otherDevices };
}

/** In the transaction of the recovery itself: a thief's device has no moment in which to delete the new one. */
async function revokeOthers(
  tx: Tx,
  act: Act,
  device: DeviceRow,
  others: readonly DeviceRow[],
): Promise<DeviceRow[]> {
  const { wallet_id: walletId } = device;
  await sql.endLinkCodes(tx, walletId, act.now);
  for (const { device_id } of others) {
    await sql.revokeDevice(tx, walletId, device_id, act.now);
    await endKeys(tx, device_id, act.now);
    await deleteSubscription(tx, device_id);
  }
  const deleted = others.map(({ device_id }) => ({
    merchantId: null,
    walletId,
    type: 'device.deleted' as const,
    actor: { kind: 'wallet' as const, id: device.device_id },
    target: { type: 'device' as const, id: device_id },
    details: { wallet_id: walletId, cause: 'recovery' },
  }));
  await recordAudit(tx, act, ...deleted);
  await cancelAll(tx, act, walletId, device.device_id);
  tx.afterCommit(() => act.announce(walletTopic(walletId)));
  return others.map((other) => ({ ...other, status: 'revoked' as const, decision_key: null }));
}

async function joinByCode(
  tx: Tx,
  act: Act,
  input: EnrolDeviceInput,
): Promise<{ walletId: string; by: sql.CodeKind } | undefined> {
  const by = input.link_code !== undefined ? 'link' : 'recovery';
  const code = input.link_code ?? input.recovery_code;
  if (code === undefined) return undefined;
  const codeHash = hashSecret(code);
  const walletId = await sql.findWalletOfCode(tx, codeHash, by);
  if (walletId === undefined) throw new AppError('link_invalid');
  await sql.lockWallet(tx, walletId, input.revoke_others ? 'exclusive' : 'share');
  if (!(await sql.spendCode(tx, codeHash, by, act.now))) throw new AppError('link_invalid');
  return { walletId, by };
}

async function recordEnrolment(
  tx: Tx,
  act: Act,
  device: DeviceRow,
  by: sql.CodeKind | undefined,
  trace: Trace,
): Promise<void> {
  const entry = {
    merchantId: null,
    walletId: device.wallet_id,
    actor: { kind: 'wallet', id: device.device_id },
    target: { type: 'device', id: device.device_id },
    details: { wallet_id: device.wallet_id, joined_by: by ?? null, ...trace },
  } as const;
  await recordAudit(tx, act, { ...entry, type: 'device.enrolled' });
  if (by === 'recovery') await recordAudit(tx, act, { ...entry, type: 'device.recovery_code_used' });
}

export async function createLinkCode(
  tx: Tx,
  act: Act,
  principal: WalletPrincipal,
  cap: number,
): Promise<{ linkCode: string; expiresAt: Date }> {
  const linkCode = act.newToken('wallet_link_code');
  const expiresAt = addMs(act.now, LINK_CODE_LIFE_MS);
  const { walletId, deviceId } = principal;
  await holdWallet(tx, principal, cap < Infinity ? 'counting' : 'sharing');
  if (cap < Infinity && (await sql.countOpenCodes(tx, walletId, act.now)) >= cap)
    throw limitReached(
      `A wallet has at most ${cap} link codes that can be used: wait until one expires.`,
      cap,
    );
  await sql.insertCode(
    tx,
    { hash: hashSecret(linkCode), walletId, kind: 'link', createdBy: deviceId, expiresAt },
    act.now,
  );
  await audit(tx, act, principal, null, 'device.link_code_created', deviceId, { wallet_id: walletId });
  return { linkCode, expiresAt };
}

/**
 * Ends the previous recovery code, which may be lost or known to another person. After a delay the code is made when
 * the requesting device collects it, so that the previous one works until a person has the new one. The caller holds
 * the wallet's exclusive lock.
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
  await audit(tx, act, principal, null, 'device.recovery_code_replaced', deviceId, {
    wallet_id: walletId,
    authorized_by: allowed === undefined ? 'delay' : allowed,
  });
  await lapseRecoveryCodes(tx, act, walletId);
  return recoveryCode;
}

async function keepRecoveryCode(
  tx: Tx,
  act: Act,
  device: Pick<DeviceRow, 'device_id' | 'wallet_id'>,
  recoveryCode: string,
): Promise<void> {
  const hash = hashSecret(recoveryCode);
  const { device_id: createdBy, wallet_id: walletId } = device;
  await sql.insertCode(tx, { hash, walletId, kind: 'recovery', createdBy, expiresAt: null }, act.now);
}
