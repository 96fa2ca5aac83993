import type { Network } from '../enumerations.ts';
import { networkRow } from '../networks/table.ts';
import { checkAddressOfKind } from './kinds.ts';
import type { AddressCheck } from './result.ts';

/** Checks an address the way its network does and answers the form to store. */
export function checkAddress(network: Network, text: string): AddressCheck {
  return checkAddressOfKind(networkRow(network).addressKind, text);
}
