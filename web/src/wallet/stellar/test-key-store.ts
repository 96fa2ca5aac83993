import { lock as texts } from '../../texts/wallet/lock.ts';
import { openedVault, readLock, type Sealed, seal, unseal, withLock } from '../lock/stored-lock.ts';
import { CannotSignError } from '../signing/signer.ts';
import { deleteEntry, readEntry, TEST_KEY_ENTRY, writeEntry } from '../storage/database.ts';
import { privateKeyFrom, privateKeyOf, type TestKey } from './test-key.ts';

/** The browser's own object; or, where a PIN locks the wallet, its bytes in the vault. */
export type StoredTestKey = { address: string } & ({ privateKey: CryptoKey } | { sealed: Sealed });

export const TEST_KEY_NUMBERS = 'stellar-testnet-numbers';

export function readTestKey(): Promise<StoredTestKey | undefined> {
  return readEntry<StoredTestKey>('keys', TEST_KEY_ENTRY);
}

/** With the key itself: the vault has to be open where it is in one. */
export async function openTestKey(): Promise<TestKey | undefined> {
  const stored = await readTestKey();
  if (stored === undefined || 'privateKey' in stored) return stored;
  const pkcs8 = await unseal(await vaultKey(), stored.sealed);
  return { address: stored.address, privateKey: await privateKeyFrom(pkcs8) };
}

export function keepTestKey(key: TestKey): Promise<void> {
  return withLock(async () => {
    const isSealed = (await readLock())?.kind === 'pin';
    await writeEntry('keys', TEST_KEY_ENTRY, isSealed ? await sealedTestKey(key, await vaultKey()) : key);
  });
}

export async function sealedTestKey(
  { address, privateKey }: TestKey,
  vault: CryptoKey,
): Promise<StoredTestKey> {
  return { address, sealed: await seal(vault, await privateKeyOf(privateKey)) };
}

export async function removeTestKey(): Promise<void> {
  await deleteEntry('keys', TEST_KEY_ENTRY);
  await deleteEntry('keys', TEST_KEY_NUMBERS);
}

async function vaultKey(): Promise<CryptoKey> {
  const key = openedVault.of(await readLock());
  if (key === undefined) throw new CannotSignError(texts.shut);
  return key;
}
