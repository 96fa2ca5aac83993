import { deleteEntry, readEntry, writeEntry } from '../storage/database.ts';
import { createHorizon, type Horizon } from './horizon.ts';
import type { AccountNumbers } from './sequence-numbers.ts';
import { createStellarSigner } from './stellar-signer.ts';
import type { TestKey } from './test-key.ts';

/** The key itself is kept as the browser's own object, not as text. */
const KEY = 'stellar-testnet';
const NUMBERS = 'stellar-testnet-numbers';

export function readTestKey(): Promise<TestKey | undefined> {
  return readEntry<TestKey>('keys', KEY);
}

export function keepTestKey(key: TestKey): Promise<void> {
  return writeEntry('keys', KEY, key);
}

export async function removeTestKey(): Promise<void> {
  await deleteEntry('keys', KEY);
  await deleteEntry('keys', NUMBERS);
}

let horizon: Promise<Horizon> | undefined;

/** The Horizon server of this installation; the policy of the page lets it speak to no other. */
export function configuredHorizon(): Promise<Horizon> {
  horizon ??= fetch('/web/settings.json')
    .then((answer) => answer.json() as Promise<{ horizon_url: string }>)
    .then((settings) => createHorizon(settings.horizon_url))
    .catch((error: unknown) => {
      horizon = undefined;
      throw error;
    });
  return horizon;
}

export const stellarSigner = createStellarSigner({
  horizon: configuredHorizon,
  key: readTestKey,
  numbers: () => readEntry<AccountNumbers>('keys', NUMBERS),
  keepNumbers: (numbers) => writeEntry('keys', NUMBERS, numbers),
  exclusively: (act) => navigator.locks.request('stellar numbers', act),
  now: () => new Date(),
});
