import { randomBytes } from 'node:crypto';
import { decodeBase64Url, ed25519PublicKey, encodeBase64Url, signEd25519 } from '@payassent/protocol';
import {
  type AgentPayment,
  type DecisionKey,
  keyText,
  type PaymentRequest,
  type SignedDecision,
  signDecision,
  signText,
  type TransactionContext,
  type WalletClient,
} from '@payassent/sdk';
import { type Io, UsageError } from '../command.ts';
import { LocalError } from '../local-error.ts';
import { updateProfile } from '../profile.ts';
import type { Settings } from '../settings.ts';

/** Signs what was shown. `context` is the revision that was pinned, as it was shown; null when none is. */
export type SignShown = (
  record: PaymentRequest | AgentPayment,
  context: TransactionContext | null,
  decision: 'approve' | 'reject',
) => Promise<SignedDecision>;

/**
 * The decision key of this device: from the profile, or a new one when it is asked for. The key is kept before the
 * service hears of it, so that no answer that is lost leaves a wallet whose key is nowhere.
 */
export async function openDecisionKey(
  io: Io,
  { profile, profileName, baseUrl }: Settings,
  wallet: WalletClient,
  isAsked: boolean,
): Promise<SignShown | undefined> {
  const { decision_key: kept, device_id: deviceId } = profile;
  if (!isAsked && kept === undefined) return undefined;
  if (deviceId === undefined)
    throw new UsageError('--sign-decisions needs a device that is kept in the profile');
  const text = kept ?? encodeBase64Url(new Uint8Array(randomBytes(32)));
  const seed = decodeBase64Url(text);
  if (seed?.length !== 32)
    throw new LocalError('decision_key_damaged', 'decision_key of the profile is no key of 32 bytes');
  const sign = (bytes: Uint8Array) => signEd25519(bytes, seed);
  if (isAsked) {
    if (kept === undefined) updateProfile(io, profileName, { decision_key: text });
    const key: DecisionKey = { alg: 'Ed25519', public_key: encodeBase64Url(ed25519PublicKey(seed)) };
    const proof = await signText(keyText(baseUrl, deviceId, key), sign);
    await wallet.devices.setDecisionKey({ decision_key: key, proof }, { signal: io.signal });
  }
  return (record, context, decision) =>
    signDecision({ record, context: context && { ...context }, decision, deviceId }, sign);
}
