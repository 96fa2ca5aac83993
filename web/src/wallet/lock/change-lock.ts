import { encodeBase64Url } from '@payassent/protocol';
import { lock as texts } from '../../texts/wallet/lock.ts';
import { askForPasskey } from '../../ui/passkey.ts';
import { type HeldKey, registerPasskey } from '../decisions/held-key.ts';
import { tellOtherPages } from '../session/other-pages.ts';
import { openTestKey, sealedTestKey } from '../stellar/test-key-store.ts';
import { change, TEST_KEY_ENTRY } from '../storage/database.ts';
import {
  type AssetLimit,
  keepLock,
  LOCK_ENTRY,
  makeVault,
  openedVault,
  readLock,
  type StoredLock,
  withLock,
} from './stored-lock.ts';

type NewLock = { kind: 'off' } | { kind: 'pin'; pin: string } | { kind: 'passkey'; credentialId: string };

/** Replaces the lock, which has to be open; the test key is encrypted again in the same step. */
export function replaceLock(next: NewLock, limits: readonly AssetLimit[]): Promise<void> {
  return withLock(async () => {
    const testKey = await openTestKey();
    const id = crypto.randomUUID();
    const vault = next.kind === 'pin' ? await makeVault(next.pin) : undefined;
    const kept =
      testKey === undefined || vault === undefined ? testKey : await sealedTestKey(testKey, vault.key);
    await change(['device', 'keys'], (transaction) => {
      const devices = transaction.objectStore('device');
      const lock = lockOf(next, { id, limits }, vault?.kept);
      if (lock === undefined) devices.delete(LOCK_ENTRY);
      else devices.put(lock, LOCK_ENTRY);
      if (kept !== undefined) transaction.objectStore('keys').put(kept, TEST_KEY_ENTRY);
    });
    if (vault !== undefined) openedVault.set(id, vault.key);
    tellOtherPages();
  });
}

function lockOf(
  next: NewLock,
  base: Pick<StoredLock, 'id' | 'limits'>,
  vault: Awaited<ReturnType<typeof makeVault>>['kept'] | undefined,
): StoredLock | undefined {
  if (next.kind === 'passkey') return { ...base, kind: 'passkey', credentialId: next.credentialId };
  return vault && { ...base, ...vault, kind: 'pin', wrong: 0, pausedUntil: 0 };
}

export function changeLimits(limits: readonly AssetLimit[]): Promise<void> {
  return changeStored((lock) => ({ ...lock, limits }));
}

/** An authenticator keeps one passkey for each device: a new decision key takes the place of the previous one there too. */
export function followPasskey(former: string, credentialId: string): Promise<void> {
  return changeStored((lock) =>
    lock.kind === 'passkey' && lock.credentialId === former ? { ...lock, credentialId } : lock,
  );
}

function changeStored(next: (lock: StoredLock) => StoredLock): Promise<void> {
  return withLock(async () => {
    const lock = await readLock();
    if (lock !== undefined) await keepLock(next(lock));
    tellOtherPages();
  });
}

/** Resolves only when the browser has verified the customer; throws `NoPasskeyError` otherwise. */
export function askLockPasskey(credentialId: string): Promise<unknown> {
  return askForPasskey({
    challenge: encodeBase64Url(crypto.getRandomValues(new Uint8Array(32))),
    rpId: location.hostname,
    allowCredentials: [{ type: 'public-key', id: credentialId }],
    userVerification: 'required',
  });
}

/** The passkey of the decision key, tried once; or a separate one, next to which a decision key can still be made. */
export async function choosePasskey(
  held: HeldKey | undefined,
  device: { deviceId: string; name: string },
): Promise<string> {
  if (held?.key.alg !== 'webauthn')
    return (await registerPasskey(`lock:${device.deviceId}`, texts.passkey.name(device.name))).id;
  await askLockPasskey(held.key.credential_id);
  return held.key.credential_id;
}
