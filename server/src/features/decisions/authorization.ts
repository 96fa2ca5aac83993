import { createHash } from 'node:crypto';
import {
  type DecisionSignature,
  decisionActText,
  signatureFault,
  type WalletAct,
} from '@payassent/protocol/evidence';
import type { Act } from '../../act.ts';
import type { Database, Tx } from '../../db/open.ts';
import { addMs, HOUR_MS } from '../../lib/clock.ts';
import { spendCounter } from './counters.ts';
import { MAX_SKEW_MS } from './decide.ts';
import { listCurrentKeys, purgeAuthorizations, useAuthorization } from './keys-sql.ts';
import { invalidSignature, refuseFault } from './signature-refusal.ts';

/** As sent by a wallet. */
export interface SentAuthorization {
  deviceId: string;
  at: string;
  signed: DecisionSignature;
}

const FIELD = 'authorization';

/**
 * Checks that a current key of the wallet allows exactly this change, now and once. Returns the device of the key. The
 * caller has locked the wallet.
 */
export async function authorize(
  tx: Tx,
  act: Act,
  wallet: { baseUrl: string; walletId: string },
  change: Omit<WalletAct, 'at'>,
  sent: SentAuthorization,
): Promise<string> {
  const keys = await listCurrentKeys(tx, wallet.walletId);
  const key = keys.find((row) => row.device_id === sent.deviceId);
  if (!key) throw invalidSignature(FIELD, 'no_such_key', 'that device has no decision key');
  const signedAt = new Date(sent.at);
  if (Math.abs(signedAt.getTime() - act.now.getTime()) > MAX_SKEW_MS)
    throw invalidSignature(`${FIELD}.at`, 'at', 'at is more than five minutes off');
  const text = decisionActText(wallet.baseUrl, { ...change, at: sent.at });
  refuseFault(FIELD, signatureFault(key.key, text, sent.signed));
  const digest = createHash('sha256').update(`${key.thumbprint} ${text}`).digest();
  if (!(await useAuthorization(tx, digest, signedAt)))
    throw invalidSignature(FIELD, 'already_used', 'this authorization has been used');
  await spendCounter(tx, { walletId: wallet.walletId, thumbprint: key.thumbprint }, FIELD, sent.signed);
  return key.device_id;
}

/** An older one is rejected for its time. */
export function forgetAuthorizations(db: Database, now: Date, limit: number): Promise<number> {
  return purgeAuthorizations(db, addMs(now, -HOUR_MS), limit);
}
