import {
  type DecisionKey,
  type DecisionSignature,
  decisionKeyText,
  decisionKeyThumbprint,
  signatureFault,
} from '@payassent/protocol/evidence';
import type { Act } from '../../act.ts';
import type { Sql, Tx } from '../../db/open.ts';
import { logDecisionKey } from '../transparency-log/append.ts';
import { spendCounter } from './counters.ts';
import {
  type DecisionKeyRow,
  endKeysOf,
  findCurrentKey,
  findKeyByThumbprint,
  insertKey,
  listCurrentKeys,
} from './keys-sql.ts';
import { invalidSignature, refuseFault } from './signature-refusal.ts';

export type { DecisionKeyRow } from './keys-sql.ts';

/** The current key of device `d`, as its owner reads it; null when there is none. */
export const CURRENT_KEY = `(
  select json_build_object('alg', k.alg, 'thumbprint', k.thumbprint, 'created_at', k.created_at, 'endorsed_by', k.endorsed_by)
  from decision_keys k where k.device_id = d.device_id and k.ended_at is null)`;

export interface NewKey {
  walletId: string;
  deviceId: string;
  key: DecisionKey;
  /** The device whose key authorized it, `recovery` or `delay`; null for a first key. */
  endorsedBy: string | null;
}

/** Gives a device its key; the previous one ends. The caller has checked the permission and locked the wallet. */
export async function putKey(tx: Tx, act: Act, input: NewKey): Promise<DecisionKeyRow> {
  const { walletId, deviceId, key, endorsedBy } = input;
  await endKeysOf(tx, deviceId, act.now);
  const row = await insertKey(tx, {
    device_id: deviceId,
    wallet_id: walletId,
    alg: key.alg,
    thumbprint: decisionKeyThumbprint(key),
    key,
    endorsed_by: endorsedBy,
    created_at: act.now,
  });
  await logDecisionKey(tx, act, row);
  return row;
}

/** The text that a new key signs, and the key of another device that endorses it. */
export interface KeyProof {
  walletId: string;
  thumbprint: string;
  text: string;
}

export function keyProof(baseUrl: string, walletId: string, deviceId: string, key: DecisionKey): KeyProof {
  const thumbprint = decisionKeyThumbprint(key);
  return { walletId, thumbprint, text: decisionKeyText(baseUrl, deviceId, thumbprint) };
}

export function refuseWrongProof({ text }: KeyProof, key: DecisionKey, proof: DecisionSignature): void {
  refuseFault('proof', signatureFault(key, text, proof));
}

/**
 * Another device endorses a key. Its signature has no time, so it counts only for a key that the device never had: a
 * stored endorsement cannot bring a previous key back. Undefined: it does not count.
 */
export async function judgeEndorsement(
  tx: Tx,
  proof: KeyProof,
  deviceId: string,
  endorsement: { deviceId: string; signed: DecisionSignature },
): Promise<string | undefined> {
  if (await findKeyByThumbprint(tx, deviceId, proof.thumbprint)) return undefined;
  const others = (await listCurrentKeys(tx, proof.walletId)).filter((row) => row.device_id !== deviceId);
  const vouching = others.find((row) => row.device_id === endorsement.deviceId);
  if (!vouching) throw invalidSignature('endorsement', 'no_such_key', 'that device has no decision key');
  refuseFault('endorsement', signatureFault(vouching.key, proof.text, endorsement.signed));
  const { walletId } = proof;
  await spendCounter(tx, { walletId, thumbprint: vouching.thumbprint }, 'endorsement', endorsement.signed);
  return vouching.device_id;
}

export async function hasKeys(sql: Sql, walletId: string): Promise<boolean> {
  return (await listCurrentKeys(sql, walletId)).length > 0;
}

/** A device that is removed, or whose key is, signs nothing any more. What it has signed stays verifiable. */
export async function endKeys(tx: Tx, deviceId: string, now: Date): Promise<void> {
  await endKeysOf(tx, deviceId, now);
}

/** The current keys of the wallet; none is set or ended before the transaction is over. */
export async function holdKeys(tx: Tx, walletId: string): Promise<DecisionKeyRow[]> {
  await tx`select from wallets where wallet_id = ${walletId} for key share`;
  return listCurrentKeys(tx, walletId);
}

export function currentKeyOf(sql: Sql, deviceId: string): Promise<DecisionKeyRow | undefined> {
  return findCurrentKey(sql, deviceId);
}

export function keyThatSigned(
  sql: Sql,
  deviceId: string,
  thumbprint: string,
): Promise<DecisionKeyRow | undefined> {
  return findKeyByThumbprint(sql, deviceId, thumbprint);
}
