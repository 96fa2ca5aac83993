import { keysEntry } from '../decisions/decision-keys.ts';
import { change, readEntry, writeEntry } from './database.ts';
import { paidPayees } from './paid-payees.ts';

/** The credential of this device. It lives here and in the memory of the page, never in an address or a log. */
export interface StoredDevice {
  deviceId: string;
  walletId: string;
  name: string;
  token: string;
}

const KEY = 'this-device';

export function readDevice(): Promise<StoredDevice | undefined> {
  return readEntry<StoredDevice>('device', KEY);
}

export function keepDevice(device: StoredDevice): Promise<void> {
  return writeEntry('device', KEY, device);
}

/** Forgets the credential with this token, the key that signs decisions, the journal, and whom the wallet has paid. One that another page has put in its place stays. */
export function forgetDevice(token: string): Promise<void> {
  return change(['device', 'journal', 'keys'], (transaction) => {
    const devices = transaction.objectStore('device');
    const found: IDBRequest<StoredDevice | undefined> = devices.get(KEY);
    found.onsuccess = () => {
      if (found.result?.token !== token) return;
      devices.clear();
      transaction.objectStore('journal').clear();
      transaction.objectStore('keys').delete(keysEntry(found.result.deviceId));
      paidPayees.forget();
    };
  });
}
