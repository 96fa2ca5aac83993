import type { PinLock, Sealed, StoredLock } from './stored-lock.ts';

/** What OWASP advises for PBKDF2 with SHA-256. */
const ITERATIONS = 600_000;
const CIPHER = { name: 'AES-GCM', length: 256 };

function random(length: number): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(length));
}

async function keyOf(
  pin: string,
  { salt, iterations }: Pick<PinLock, 'salt' | 'iterations'>,
): Promise<CryptoKey> {
  const typed = await crypto.subtle.importKey('raw', new TextEncoder().encode(pin), 'PBKDF2', false, [
    'deriveKey',
  ]);
  const how = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations };
  return crypto.subtle.deriveKey(how, typed, CIPHER, false, ['wrapKey', 'unwrapKey']);
}

/** A new vault, whose key is kept under the PIN alone. */
export async function makeVault(
  pin: string,
): Promise<{ key: CryptoKey; kept: Required<Pick<PinLock, 'salt' | 'iterations' | 'vault'>> }> {
  const how = { salt: random(16), iterations: ITERATIONS };
  const key = await crypto.subtle.generateKey(CIPHER, true, ['encrypt', 'decrypt']);
  const iv = random(12);
  const data = await crypto.subtle.wrapKey('raw', key, await keyOf(pin, how), { name: CIPHER.name, iv });
  return { key, kept: { ...how, vault: { iv, data } } };
}

/** Undefined when the PIN is another one. */
export async function openVault(lock: PinLock, pin: string): Promise<CryptoKey | undefined> {
  if (lock.vault === undefined) return undefined;
  const { iv, data } = lock.vault;
  const how = { name: CIPHER.name, iv };
  try {
    return await crypto.subtle.unwrapKey('raw', data, await keyOf(pin, lock), how, CIPHER, false, [
      'encrypt',
      'decrypt',
    ]);
  } catch {
    return undefined;
  }
}

export async function seal(key: CryptoKey, bytes: BufferSource): Promise<Sealed> {
  const iv = random(12);
  return { iv, data: await crypto.subtle.encrypt({ name: CIPHER.name, iv }, key, bytes) };
}

export function unseal(key: CryptoKey, { iv, data }: Sealed): Promise<ArrayBuffer> {
  return crypto.subtle.decrypt({ name: CIPHER.name, iv }, key, data);
}

/** The vault that was opened in this page. It lives as long as the page does, and is written nowhere. */
let opened: { lockId: string; key: CryptoKey } | undefined;
const listeners = new Set<() => void>();

export const openedVault = {
  of: (lock: StoredLock | undefined) =>
    lock !== undefined && opened?.lockId === lock.id ? opened.key : undefined,
  lockId: () => opened?.lockId,
  set(lockId: string, key: CryptoKey) {
    opened = { lockId, key };
    for (const listener of listeners) listener();
  },
  subscribe(listener: () => void) {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
