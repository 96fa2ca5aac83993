import { compareDecimals, type Network, type PaymentFacts } from '@payassent/protocol';
import { createStore } from '../../ui/store.ts';
import { readEntry, writeEntry } from '../storage/database.ts';

/** Encrypted, with AES-GCM: with another key it does not open. */
export interface Sealed {
  iv: Uint8Array<ArrayBuffer>;
  data: ArrayBuffer;
}

/**
 * The amount of one asset up to which a payment is approved without PIN or passkey. Amounts of different assets cannot
 * be compared.
 */
export interface AssetLimit {
  network: Network;
  asset: string;
  /** Issuer or contract; empty for the network's native asset. */
  origin: string;
  above: string;
}

interface AnyLock {
  /** Another one after every change of the PIN, so that no page continues with what it opened before. */
  id: string;
  /** An asset without a limit always needs PIN or passkey. */
  limits: readonly AssetLimit[];
}

export interface PinLock extends AnyLock {
  kind: 'pin';
  salt: Uint8Array<ArrayBuffer>;
  iterations: number;
  /** The key of the vault, under the PIN; gone after too many wrong ones. */
  vault?: Sealed;
  wrong: number;
  /** In milliseconds since 1970. */
  pausedUntil: number;
}

interface PasskeyLock extends AnyLock {
  kind: 'passkey';
  credentialId: string;
}

export type StoredLock = PinLock | PasskeyLock;

/** Stored with the credential, and deleted with it. */
export const LOCK_ENTRY = 'lock';
export const MOST_WRONG = 10;

/** The stored lock counts, in every page: another page may have changed it a moment ago. */
export function readLock(): Promise<StoredLock | undefined> {
  return readEntry<StoredLock>('device', LOCK_ENTRY);
}

export function keepLock(lock: StoredLock): Promise<void> {
  return writeEntry('device', LOCK_ENTRY, lock);
}

/** One page of this browser at a time: two in parallel would count two wrong PINs as one. */
export function withLock<T>(act: () => Promise<T>): Promise<T> {
  return navigator.locks.request('wallet lock', act);
}

export function isUsedUp(lock: StoredLock): boolean {
  return lock.kind === 'pin' && (lock.wrong >= MOST_WRONG || lock.vault === undefined);
}

type Facts = Pick<PaymentFacts, 'network' | 'asset' | 'issuer' | 'contract' | 'amount'>;

export function assetOf({
  network,
  asset,
  issuer,
  contract,
}: Omit<Facts, 'amount'>): Omit<AssetLimit, 'above'> {
  return { network, asset, origin: issuer ?? contract ?? '' };
}

export function isSameAsset(a: Omit<AssetLimit, 'above'>, b: Omit<AssetLimit, 'above'>): boolean {
  return a.network === b.network && a.asset === b.asset && a.origin === b.origin;
}

export function asksFor({ limits }: StoredLock, facts: Facts): boolean {
  const limit = limits.find((one) => isSameAsset(one, assetOf(facts)));
  return limit === undefined || compareDecimals(facts.amount, limit.above) > 0;
}

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
const opened = createStore<{ lockId: string; key: CryptoKey } | undefined>(undefined);

export const openedVault = {
  of: (lock: StoredLock | undefined) =>
    lock !== undefined && opened.now()?.lockId === lock.id ? opened.now()?.key : undefined,
  lockId: () => opened.now()?.lockId,
  set: (lockId: string, key: CryptoKey) => opened.set({ lockId, key }),
  subscribe: opened.subscribe,
};
