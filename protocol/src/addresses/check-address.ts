import type { Network } from '../enumerations.ts';
import { networkRow } from '../networks/table.ts';
import type { AddressCheck } from './checker.ts';
import { checkAddressOfKind } from './kinds.ts';

/** Checks an address by its network's rules and returns the form to store. */
export function checkAddress(network: Network, text: string): AddressCheck {
  return checkAddressOfKind(networkRow(network).addressKind, text);
}
