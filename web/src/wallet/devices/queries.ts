import type { WalletClient } from '@payassent/sdk';
import { queryOptions } from '@tanstack/react-query';
import { PAGE, readAll } from '../lists/read-up-to.ts';
import { readKnownDevices } from '../storage/device-store.ts';

export function devicesQuery(client: WalletClient) {
  return queryOptions({
    queryKey: ['devices'],
    queryFn: async () =>
      (await readAll(client.devices.each({ limit: PAGE }))).filter(({ status }) => status === 'active'),
  });
}

/** The devices that this one has told its owner about; null before it has looked for the first time. */
export function knownDevicesQuery() {
  return queryOptions({
    queryKey: ['known-devices'],
    queryFn: async () => (await readKnownDevices()) ?? null,
  });
}
