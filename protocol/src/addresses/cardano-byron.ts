import { base58 } from '@scure/base';
import { CBOR_ARRAY, CBOR_MAP, CBOR_TAG, CBOR_UNSIGNED, readCborBytes, readCborHead } from './cbor.ts';
import { crc32 } from './crc.ts';
import { type AddressCheck, accepted, refused } from './result.ts';
import { BASE58_ALPHABET, foreignCharacter } from './text.ts';

const LONGEST_TEXT = 140;
const ROOT_LENGTH = 28;
const ENCODED_CBOR_TAG = 24;
const DERIVATION_PATH_ATTRIBUTE = 1;
const NETWORK_ATTRIBUTE = 2;
/** 0: public key, 2: redemption of the first sale. 1 (script) was never used. */
const ADDRESS_TYPES: readonly number[] = [0, 2];
const MALFORMED = 'This is base58 text but not a Byron address; a character is wrong, missing or added.';

/** Byron address: base58 of CBOR `[24(payload), crc32(payload)]` (CIP-19). */
export function checkByronAddress(text: string): AddressCheck {
  if (text.length > LONGEST_TEXT) {
    return refused(`The address has ${text.length} characters; a Byron address has 59 or about 104.`);
  }
  const foreign = foreignCharacter(text, BASE58_ALPHABET, 'base58');
  if (foreign !== undefined) return refused(foreign);
  const bytes = base58.decode(text);
  const outer = readOuter(bytes);
  if (outer === undefined) return refused(MALFORMED);
  if (crc32(outer.payload) !== outer.checksum) {
    return refused('The checksum does not match: a character is wrong. Copy the address again.');
  }
  const reason = payloadProblem(outer.payload);
  return reason === undefined ? accepted(text) : refused(reason);
}

function readOuter(bytes: Uint8Array): { payload: Uint8Array; checksum: number } | undefined {
  const array = readCborHead(bytes, 0);
  if (array?.major !== CBOR_ARRAY || array.value !== 2) return undefined;
  const tag = readCborHead(bytes, array.next);
  if (tag?.major !== CBOR_TAG || tag.value !== ENCODED_CBOR_TAG) return undefined;
  const payload = readCborBytes(bytes, tag.next);
  if (payload === undefined) return undefined;
  const checksum = readCborHead(bytes, payload.next);
  if (checksum?.major !== CBOR_UNSIGNED || checksum.next !== bytes.length) return undefined;
  return { payload: payload.content, checksum: checksum.value };
}

function payloadProblem(payload: Uint8Array): string | undefined {
  const array = readCborHead(payload, 0);
  if (array?.major !== CBOR_ARRAY || array.value !== 3) return MALFORMED;
  const root = readCborBytes(payload, array.next);
  if (root?.content.length !== ROOT_LENGTH) return MALFORMED;
  const attributes = readAttributes(payload, root.next);
  if (attributes === undefined) return MALFORMED;
  if (attributes.keys.includes(NETWORK_ATTRIBUTE)) {
    return 'This is a Byron address of a Cardano testnet; enter a mainnet address (addr1…).';
  }
  if (attributes.keys.some((key) => key !== DERIVATION_PATH_ATTRIBUTE)) return MALFORMED;
  const type = readCborHead(payload, attributes.next);
  if (type?.major !== CBOR_UNSIGNED || type.next !== payload.length) return MALFORMED;
  return ADDRESS_TYPES.includes(type.value)
    ? undefined
    : `Byron addresses of type ${type.value} cannot be paid.`;
}

function readAttributes(payload: Uint8Array, offset: number): { keys: number[]; next: number } | undefined {
  const map = readCborHead(payload, offset);
  if (map?.major !== CBOR_MAP || map.value > 2) return undefined;
  const keys: number[] = [];
  let next = map.next;
  for (let entry = 0; entry < map.value; entry += 1) {
    const key = readCborHead(payload, next);
    if (key?.major !== CBOR_UNSIGNED) return undefined;
    const value = readCborBytes(payload, key.next);
    if (value === undefined) return undefined;
    keys.push(key.value);
    next = value.next;
  }
  return { keys, next };
}
