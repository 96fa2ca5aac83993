import { clearStore, readEntry, writeEntry } from './database.ts';

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

export async function forgetDevice(): Promise<void> {
  await clearStore('device');
  await clearStore('journal');
}
