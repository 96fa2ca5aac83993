/**
 * This browser's storage for the wallet: the device's credential and a journal of approvals. IndexedDB, because the
 * browser never sends it anywhere and it survives a reload in the middle of a payment.
 */
// The product's previous name: browsers hold wallets made before the rename under it.
const NAME = 'countersign-wallet';
const VERSION = 1;

type StoreName = 'device' | 'journal' | 'keys';
const STORES: readonly StoreName[] = ['device', 'journal', 'keys'];

/** Where the decision keys of a device are kept among the keys. */
export function keysEntry(deviceId: string): string {
  return `decision/${deviceId}`;
}

/** The key of the test network; where a PIN locks the wallet it is sealed. */
export const TEST_KEY_ENTRY = 'stellar-testnet';

/** A sealed key is of no use without its lock. */
export function deleteSealedTestKey(transaction: IDBTransaction): void {
  const keys = transaction.objectStore('keys');
  const found = keys.get(TEST_KEY_ENTRY);
  found.onsuccess = () => {
    if (found.result?.sealed !== undefined) keys.delete(TEST_KEY_ENTRY);
  };
}

let opened: Promise<IDBDatabase> | undefined;

function open(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, VERSION);
    request.onupgradeneeded = () => {
      for (const store of STORES) request.result.createObjectStore(store);
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => {
      opened = undefined;
      reject(request.error ?? new Error('The storage of this browser is closed.'));
    };
  });
  return opened;
}

export async function readEntry<T>(store: StoreName, key: string): Promise<T | undefined> {
  const database = await open();
  return new Promise((resolve, reject) => {
    const request = database.transaction(store, 'readonly').objectStore(store).get(key);
    request.onsuccess = () => resolve(request.result as T | undefined);
    request.onerror = () => reject(request.error);
  });
}

export function writeEntry<T>(store: StoreName, key: string, value: T): Promise<void> {
  return change([store], (transaction) => transaction.objectStore(store).put(value, key));
}

export function deleteEntry(store: StoreName, key: string): Promise<void> {
  return change([store], (transaction) => transaction.objectStore(store).delete(key));
}

/** All of the change or nothing of it; resolves when it is on the disk, as far as the browser can promise it. */
export async function change(
  stores: StoreName[],
  act: (transaction: IDBTransaction) => unknown,
): Promise<void> {
  const database = await open();
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(stores, 'readwrite', { durability: 'strict' });
    act(transaction);
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
    transaction.onerror = () => reject(transaction.error);
  });
}
