import type { HeldKey } from '../decisions/held-key.ts';
import type { Payment } from '../payments/payment.ts';
import { TEST_KEY_SIGNER } from '../signing/signer.ts';
import { ask, type LockedAct } from './question.ts';
import { asksFor, openedVault, readLock, type StoredLock } from './stored-lock.ts';

/** Requests PIN or passkey where there is a lock. False when the customer cancelled: then nothing may happen. */
export async function guard(act: LockedAct): Promise<boolean> {
  const lock = await readLock();
  return lock === undefined || ask(act, lock.kind);
}

/** Only what the vault holds is needed: once it is open in this page, it is not requested again. */
export async function guardVault(act: 'testKey' | 'unlock'): Promise<boolean> {
  const lock = await readLock();
  return lock === undefined || !isShut(lock) || ask(act, lock.kind);
}

/** Above the customer's own limit, and before the first payment that the key in this browser signs. */
export async function guardApproval(
  { facts }: Payment,
  signerId: string,
  held: HeldKey | undefined,
): Promise<boolean> {
  const lock = await readLock();
  if (lock === undefined) return true;
  const isAsked = asksFor(lock, facts) && !signsWith(held, lock);
  const isNeeded = isAsked || (signerId === TEST_KEY_SIGNER && isShut(lock));
  return !isNeeded || ask('approve', lock.kind);
}

/** The decision itself requests this very passkey: one prompt is enough. */
function signsWith(held: HeldKey | undefined, lock: StoredLock): boolean {
  return (
    lock.kind === 'passkey' && held?.key.alg === 'webauthn' && held.key.credential_id === lock.credentialId
  );
}

function isShut(lock: StoredLock): boolean {
  return lock.kind === 'pin' && openedVault.of(lock) === undefined;
}
