export { ADDRESS_KINDS, type AddressKind, checkAddressOfKind } from './kinds.ts';
export { type AddressCheck, type AddressChecker, accepted, refused } from './result.ts';
