import { compareDecimals, type Network, type PaymentFacts } from '@payassent/protocol';
import { readEntry, writeEntry } from '../storage/database.ts';

/** Encrypted, with AES-GCM: with another key it does not open. */
export interface Sealed {
  iv: Uint8Array<ArrayBuffer>;
  data: ArrayBuffer;
}

/** Up to how much of one asset is approved without asking. Amounts of different assets cannot be compared. */
export interface AssetLimit {
  network: Network;
  asset: string;
  /** Issuer or contract; empty for what belongs to the network itself. */
  origin: string;
  above: string;
}

interface AnyLock {
  /** Another one after every change of the PIN, so that no page goes on with what it opened before. */
  id: string;
  /** An asset without a limit always asks. */
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

/** Beside the credential, and forgotten with it. */
export const LOCK_ENTRY = 'lock';
export const MOST_WRONG = 10;

/** What stands in the storage counts, in every page: another one may have changed it a moment ago. */
export function readLock(): Promise<StoredLock | undefined> {
  return readEntry<StoredLock>('device', LOCK_ENTRY);
}

export function keepLock(lock: StoredLock): Promise<void> {
  return writeEntry('device', LOCK_ENTRY, lock);
}

/** One page of this browser at a time: two would count one wrong PIN instead of two. */
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
