import { change, deleteSealedTestKey } from '../storage/database.ts';
import {
  isUsedUp,
  keepLock,
  LOCK_ENTRY,
  MOST_WRONG,
  openedVault,
  openVault,
  type PinLock,
  readLock,
  withLock,
} from './stored-lock.ts';

export const SHORTEST_PIN = 6;
export const LONGEST_PIN = 32;

/** Seconds after each wrong PIN. */
const PAUSES = [0, 0, 10, 30, 60, 300, 900, 1_800, 3_600];

/** True when the vault is open now, or when there is no longer a PIN to request. */
export function tryPin(pin: string): Promise<boolean> {
  return withLock(async () => {
    const lock = await readLock();
    if (lock?.kind !== 'pin') return lock === undefined;
    if (isUsedUp(lock) || Date.now() < lock.pausedUntil) return false;
    const wrong = lock.wrong + 1;
    const counted = () => ({ ...lock, wrong, pausedUntil: Date.now() + (PAUSES[wrong - 1] ?? 0) * 1_000 });
    // Counted before it is tried: closing the page in between does not make it undone.
    await keepLock(counted());
    const key = await openVault(lock, pin);
    if (key === undefined) {
      await (wrong < MOST_WRONG ? keepLock(counted()) : eraseVault(counted()));
      return false;
    }
    await keepLock({ ...lock, wrong: 0, pausedUntil: 0 });
    openedVault.set(lock.id, key);
    return true;
  });
}

/** What is gone cannot be guessed any more, whatever is done to the counter. */
function eraseVault({ vault: _gone, ...lock }: PinLock): Promise<void> {
  return change(['device', 'keys'], (transaction) => {
    transaction.objectStore('device').put(lock, LOCK_ENTRY);
    deleteSealedTestKey(transaction);
  });
}

/** What is guessed first. */
export function isEasyPin(pin: string): boolean {
  const run = '01234567890';
  return new Set(pin).size < 3 || run.includes(pin) || run.includes([...pin].reverse().join(''));
}
