import {
  type DecisionKey,
  type DecisionSignature,
  decisionKeyText,
  decisionKeyThumbprint,
  SIGNATURE_FAULTS,
  signatureFault,
} from '@payassent/protocol/evidence';
import type { Act } from '../../act.ts';
import type { Sql, Tx } from '../../db/open.ts';
import { AppError } from '../../errors.ts';
import { logDecisionKey } from '../transparency-log/append.ts';
import {
  type DecisionKeyRow,
  endKeysOf,
  findCurrentKey,
  findKeyByThumbprint,
  insertKey,
  listCurrentKeys,
} from './keys-sql.ts';

export type { DecisionKeyRow } from './keys-sql.ts';

/** The current key of device `d`, as its owner reads it; null when there is none. */
export const CURRENT_KEY = `(
  select json_build_object('alg', k.alg, 'thumbprint', k.thumbprint, 'created_at', k.created_at, 'endorsed_by', k.endorsed_by)
  from decision_keys k where k.device_id = d.device_id and k.ended_at is null)`;

export interface NewKey {
  key: DecisionKey;
  proof: DecisionSignature;
  endorsement: { deviceId: string; signed: DecisionSignature } | undefined;
}

export interface KeyHolder {
  walletId: string;
  deviceId: string;
  /** It joined by recovery code within the last 24 hours. */
  isRecovered: boolean;
}

/**
 * Gives a device its key. The key proves itself; where another device has one already, that one vouches for it, so that
 * a stolen device token alone cannot speak with the user's signature. The caller holds the wallet.
 */
export async function setKey(
  tx: Tx,
  act: Act,
  baseUrl: string,
  holder: KeyHolder,
  input: NewKey,
): Promise<{ row: DecisionKeyRow; isNew: boolean }> {
  const { walletId, deviceId } = holder;
  const thumbprint = decisionKeyThumbprint(input.key);
  const text = decisionKeyText(baseUrl, deviceId, thumbprint);
  refuseFault('proof', signatureFault(input.key, text, input.proof));
  const current = await listCurrentKeys(tx, walletId);
  const own = current.find((row) => row.device_id === deviceId);
  const others = current.filter((row) => row.device_id !== deviceId);
  const endorsedBy = judgeEndorsement(text, holder, others, input.endorsement);
  if (own?.thumbprint === thumbprint) return { row: own, isNew: false };
  await endKeysOf(tx, deviceId, act.now);
  const row = await insertKey(tx, {
    device_id: deviceId,
    wallet_id: walletId,
    alg: input.key.alg,
    thumbprint,
    key: input.key,
    endorsed_by: endorsedBy,
    created_at: act.now,
  });
  await logDecisionKey(tx, act, row);
  return { row, isNew: true };
}

function judgeEndorsement(
  text: string,
  { isRecovered }: KeyHolder,
  others: readonly DecisionKeyRow[],
  endorsement: NewKey['endorsement'],
): string | null {
  if (endorsement) {
    const vouching = others.find((row) => row.device_id === endorsement.deviceId);
    if (!vouching) throw invalidSignature('endorsement', 'no_such_key', 'that device has no decision key');
    refuseFault('endorsement', signatureFault(vouching.key, text, endorsement.signed));
    return vouching.device_id;
  }
  if (others.length === 0) return null;
  if (isRecovered) return 'recovery';
  throw new AppError('decision_signature_required', {
    field: 'endorsement',
    message: 'Another device of this wallet has a decision key: it has to vouch for the new one.',
    details: { devices: others.map((row) => row.device_id) },
  });
}

function refuseFault(field: string, fault: ReturnType<typeof signatureFault>): void {
  if (fault !== undefined) throw invalidSignature(field, fault, SIGNATURE_FAULTS[fault]);
}

export function invalidSignature(field: string, reason: string, explanation: string): AppError {
  return new AppError('decision_signature_invalid', {
    field,
    message: `The signature does not hold: ${explanation}.`,
    details: { reason },
  });
}

/** A device that is removed signs nothing any more. What it has signed stays verifiable. */
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
