import type { Device } from '@payassent/sdk';
import { change, deleteEntry, deleteSealedTestKey, keysEntry, readEntry, writeEntry } from './database.ts';
import { paidPayees } from './paid-payees.ts';

/** The credential of this device. It lives here and in the memory of the page, never in an address or a log. */
export interface StoredDevice {
  deviceId: string;
  walletId: string;
  name: string;
  token: string;
}

/** What the person still has to do: keep the recovery code, then decide about the devices that were there before. */
export interface Unfinished {
  recoveryCode: string | undefined;
  others: readonly Device[];
}

const KEY = 'this-device';
const UNFINISHED = 'unfinished';
const AWAITED_CODE = 'awaited-recovery-code';
const KNOWN_DEVICES = 'known-devices';

export function readDevice(): Promise<StoredDevice | undefined> {
  return readEntry<StoredDevice>('device', KEY);
}

export function keepDevice(device: StoredDevice): Promise<void> {
  return writeEntry('device', KEY, device);
}

/** Together or not at all: a reload at any moment finds the code again. */
export function keepEnrolment(device: StoredDevice, unfinished: Unfinished | undefined): Promise<void> {
  return change(['device'], (transaction) => {
    const store = transaction.objectStore('device');
    store.put(device, KEY);
    if (unfinished !== undefined) store.put(unfinished, UNFINISHED);
  });
}

export function readUnfinished(): Promise<Unfinished | undefined> {
  return readEntry<Unfinished>('device', UNFINISHED);
}

export function keepUnfinished(unfinished: Unfinished): Promise<void> {
  const isDone = unfinished.recoveryCode === undefined && unfinished.others.length === 0;
  return isDone ? deleteEntry('device', UNFINISHED) : writeEntry('device', UNFINISHED, unfinished);
}

/** A new recovery code was requested, and has not been shown: the service may have made it all the same. */
export async function isCodeAwaited(): Promise<boolean> {
  return (await readEntry<true>('device', AWAITED_CODE)) ?? false;
}

export function setCodeAwaited(isAwaited: boolean): Promise<void> {
  return isAwaited ? writeEntry('device', AWAITED_CODE, true) : deleteEntry('device', AWAITED_CODE);
}

export function readKnownDevices(): Promise<readonly string[] | undefined> {
  return readEntry<readonly string[]>('device', KNOWN_DEVICES);
}

export function keepKnownDevices(ids: readonly string[]): Promise<void> {
  return writeEntry('device', KNOWN_DEVICES, ids);
}

/** Deletes the credential with this token, the key that signs decisions, a test key under a PIN, the journal, and whom the wallet has paid. One that another page has put in its place stays. */
export function forgetDevice(token: string): Promise<void> {
  return change(['device', 'journal', 'keys'], (transaction) => {
    const devices = transaction.objectStore('device');
    const found: IDBRequest<StoredDevice | undefined> = devices.get(KEY);
    found.onsuccess = () => {
      if (found.result?.token !== token) return;
      devices.clear();
      transaction.objectStore('journal').clear();
      transaction.objectStore('keys').delete(keysEntry(found.result.deviceId));
      deleteSealedTestKey(transaction);
      paidPayees.forget();
    };
  });
}
