import type { Issue } from '@payassent/protocol';
import type * as api from '@payassent/protocol/api';
import type { BodyOf } from '@payassent/protocol/api';
import { type DecisionKey, decisionKeyFaults } from '@payassent/protocol/evidence';
import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { notFound } from '../../errors.ts';
import { addMs, DAY_MS, HOUR_MS } from '../../lib/clock.ts';
import type { WalletPrincipal } from '../../principals.ts';
import { audit } from '../audit/record.ts';
import { spendCounter } from '../decisions/counters.ts';
import { endKeys, judgeEndorsement, keyProof, putKey, refuseWrongProof } from '../decisions/keys.ts';
import {
  type AuthorizationInput,
  allowance,
  askingDevice,
  authorizationIssues,
  signatureOf,
} from './allowance.ts';
import { lapseStale, type Waiting, waitForEffect } from './pending-changes.ts';
import { isAlone } from './pending-changes-sql.ts';
import type { DeviceRow } from './view.ts';

type SetKeyInput = BodyOf<typeof api.setDecisionKey>;

const WEBAUTHN_MEMBERS = ['credential_id', 'rp_id', 'origin'] as const;

/** The issues of the key that the body alone shows. */
export function decisionKeyIssues(body: Partial<SetKeyInput>): Issue[] {
  const { decision_key: key } = body;
  const issues: Issue[] = authorizationIssues(body);
  if (typeof key !== 'object' || key === null) return issues;
  for (const name of WEBAUTHN_MEMBERS) {
    const isWanted = key.alg === 'webauthn';
    if (isWanted === (key[name] !== undefined)) continue;
    issues.push({
      field: `decision_key.${name}`,
      code: isWanted ? 'required' : 'unknown_field',
      message: isWanted ? `${name} is required for webauthn.` : `${name} belongs to webauthn only.`,
    });
  }
  if (issues.length > 0 || typeof key.public_key !== 'string') return issues;
  return decisionKeyFaults(key as DecisionKey).map(({ field, message }) => ({
    field: `decision_key.${field}`,
    code: 'invalid_format' as const,
    message: `${field}: ${message}.`,
  }));
}

/** A wallet this young has only been its creator's. */
const FIRST_MS = HOUR_MS;

/**
 * Sets or replaces the key of the calling device; no other device can. The caller holds the wallet's exclusive lock.
 */
export async function setDecisionKey(
  tx: Tx,
  act: Act,
  baseUrl: string,
  principal: WalletPrincipal,
  deviceId: string,
  input: SetKeyInput,
): Promise<DeviceRow | Waiting> {
  if (deviceId !== principal.deviceId) throw notFound();
  const device = await askingDevice(tx, principal);
  const { walletId } = principal;
  const key = input.decision_key as DecisionKey;
  const signed = signatureOf(typeof input.proof === 'string' ? { signature: input.proof } : input.proof);
  const proof = keyProof(baseUrl, walletId, deviceId, key);
  refuseWrongProof(proof, key, signed);
  const { thumbprint } = proof;
  const held = device.decision_key?.thumbprint ?? null;
  if (held === thumbprint) return device;
  await spendCounter(tx, { walletId, thumbprint }, 'proof', signed);
  const endorsedBy = await mayBeSet(tx, act, baseUrl, device, proof, input);
  if (endorsedBy === undefined)
    return waitForEffect(tx, act, principal, { act: 'set_key', deviceId, held, key });
  return applyKey(tx, act, principal, device, { key, endorsedBy });
}

/** What endorses the key; null for a first one, undefined when it has to wait. */
async function mayBeSet(
  tx: Tx,
  act: Act,
  baseUrl: string,
  device: DeviceRow,
  proof: ReturnType<typeof keyProof>,
  input: SetKeyInput,
): Promise<string | null | undefined> {
  const { device_id: deviceId } = device;
  const { endorsement } = input;
  if (endorsement && !input.authorization) {
    const vouching = { deviceId: endorsement.device_id, signed: signatureOf(endorsement) };
    const endorsedBy = await judgeEndorsement(tx, proof, deviceId, vouching);
    if (endorsedBy !== undefined) return endorsedBy;
  }
  const change = { act: 'set_key', deviceId, thumbprint: proof.thumbprint } as const;
  const allowed = await allowance(tx, act, device, baseUrl, change, input);
  return allowed === null && !(await mayBeFirst(tx, act, device)) ? undefined : allowed;
}

/** A first key takes the right to decide from devices without one, so a recently joined device cannot set it alone. */
async function mayBeFirst(tx: Tx, act: Act, device: DeviceRow): Promise<boolean> {
  const { wallet_id: walletId, device_id: deviceId } = device;
  const wallet = await isAlone(tx, walletId, deviceId, addMs(act.now, -DAY_MS));
  if (wallet.isAlone) return true;
  const isMaker =
    device.joined_by === null && device.created_at.getTime() === wallet.walletCreatedAt.getTime();
  return isMaker && wallet.walletCreatedAt >= addMs(act.now, -FIRST_MS);
}

/** In the name of the device that requested it, now or a day ago. */
export async function applyKey(
  tx: Tx,
  act: Act,
  principal: WalletPrincipal,
  device: DeviceRow,
  { key, endorsedBy }: { key: DecisionKey; endorsedBy: string | null },
): Promise<DeviceRow> {
  const { device_id: deviceId, wallet_id: walletId } = device;
  const row = await putKey(tx, act, { walletId, deviceId, key, endorsedBy });
  const { alg, thumbprint, created_at, endorsed_by } = row;
  const replaced = device.decision_key?.thumbprint ?? null;
  await audit(tx, act, principal, null, 'device.decision_key_set', deviceId, {
    wallet_id: walletId,
    alg,
    thumbprint,
    endorsed_by,
    replaced,
  });
  await lapseStale(tx, act, walletId);
  return { ...device, decision_key: { alg, thumbprint, created_at, endorsed_by } };
}

/** Of the calling device. The caller holds the wallet's exclusive lock. */
export async function removeDecisionKey(
  tx: Tx,
  act: Act,
  baseUrl: string,
  principal: WalletPrincipal,
  deviceId: string,
  input: AuthorizationInput,
): Promise<DeviceRow | Waiting> {
  if (deviceId !== principal.deviceId) throw notFound();
  const device = await askingDevice(tx, principal);
  const { decision_key: key } = device;
  if (!key) throw notFound();
  const change = { act: 'remove_key', deviceId, thumbprint: key.thumbprint } as const;
  const allowed = await allowance(tx, act, device, baseUrl, change, input);
  if (allowed === undefined)
    return waitForEffect(tx, act, principal, { ...change, held: key.thumbprint, key: null });
  return endKey(tx, act, principal, device, allowed);
}

/** In the name of the device that requested it, now or a day ago. */
export async function endKey(
  tx: Tx,
  act: Act,
  principal: WalletPrincipal,
  device: DeviceRow,
  authorizedBy: string | null,
): Promise<DeviceRow> {
  const { device_id: deviceId, wallet_id: walletId } = device;
  await endKeys(tx, deviceId, act.now);
  await audit(tx, act, principal, null, 'device.decision_key_removed', deviceId, {
    wallet_id: walletId,
    thumbprint: device.decision_key?.thumbprint ?? null,
    authorized_by: authorizedBy,
  });
  await lapseStale(tx, act, walletId);
  return { ...device, decision_key: null };
}
