import { randomBytes } from 'node:crypto';
import { decodeBase64Url, ed25519PublicKey, encodeBase64Url, signEd25519 } from '@payassent/protocol';
import {
  type AgentPayment,
  ChangePendingError,
  type DecisionKey,
  type DecisionKeyChange,
  keyText,
  keyThumbprint,
  type PaymentRequest,
  type SignedDecision,
  signDecision,
  signText,
  type TransactionContext,
  type WalletClient,
} from '@payassent/sdk';
import { type Io, LocalError, UsageError } from '../command.ts';
import type { Output } from '../output.ts';
import { updateProfile } from '../profile.ts';
import type { Settings } from '../settings.ts';

/** Signs what was shown. `context` is the revision that was pinned, as it was shown; null when none is. */
export type SignShown = (
  record: PaymentRequest | AgentPayment,
  context: TransactionContext | null,
  decision: 'approve' | 'reject',
) => Promise<SignedDecision>;

/**
 * The decision key of this device: from the profile, or a new one when it is requested. The key is stored before it is
 * sent to the service, so that a lost response cannot leave the wallet with a registered key that it does not have.
 * Undefined while the key is not in effect: a decision that it signs would be rejected.
 */
export async function openDecisionKey(
  io: Io,
  { profile, profileName, baseUrl }: Settings,
  wallet: WalletClient,
  { isAsked, output }: { isAsked: boolean; output: Output },
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
  const key: DecisionKey = { alg: 'Ed25519', public_key: encodeBase64Url(ed25519PublicKey(seed)) };
  if (isAsked) {
    if (kept === undefined) updateProfile(io, profileName, { decision_key: text });
    const proof = await signText(keyText(baseUrl, deviceId, key), sign);
    await setOrWait(io, wallet, { decision_key: key, proof });
  }
  if ((await keyInEffect(io, wallet, deviceId)) !== keyThumbprint(key)) {
    output.note('The decision key of this device is not in effect: decisions are not signed.');
    return undefined;
  }
  return (record, context, decision) => {
    // In a dev world whose clock was moved, the age of a decision is measured by that clock.
    const decidedAt = new Date(Date.now() + Number(profile.clock_offset_ms ?? 0)).toISOString();
    return signDecision({ record, context: context && { ...context }, decision, deviceId, decidedAt }, sign);
  };
}

/** What waits is shown with the other pending changes. */
async function setOrWait(io: Io, wallet: WalletClient, input: DecisionKeyChange): Promise<void> {
  try {
    await wallet.devices.setDecisionKey(input, { signal: io.signal });
  } catch (error) {
    if (!(error instanceof ChangePendingError)) throw error;
  }
}

async function keyInEffect(io: Io, wallet: WalletClient, deviceId: string): Promise<string | undefined> {
  for await (const device of wallet.devices.each({ limit: 100 }, { signal: io.signal }))
    if (device.device_id === deviceId) return device.decision_key?.thumbprint;
  return undefined;
}

/** Changes of the wallet's keys that no key has authorized: shown, and cancelled where the customer wants it. */
export async function reviewPendingChanges(
  io: Io,
  wallet: WalletClient,
  { output, cancels }: { output: Output; cancels: boolean },
): Promise<void> {
  const { signal } = io;
  for (const change of await wallet.pendingChanges.list({ signal })) {
    if (change.status !== 'pending') continue;
    const { change_id, act, device_id, takes_effect_at } = change;
    const about = device_id === null ? act : `${act} of ${device_id}`;
    if (cancels) {
      const { pending_change } = await wallet.pendingChanges.cancel(change_id, { signal });
      output.step({ type: 'pending_change', pending_change }, `Cancelled ${change_id}: ${about}`);
    } else
      output.step(
        { type: 'pending_change', pending_change: change },
        `Pending ${change_id}: ${about}, takes effect at ${takes_effect_at}; --cancel-changes cancels it`,
      );
  }
}
