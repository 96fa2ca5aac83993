import { bech32, hex } from '@scure/base';
import {
  encodeBase58Check,
  encodeRippleBase58Check,
  readRippleBase58Check,
} from '../../addresses/base58check.ts';
import { litecoinTwinOf } from '../../addresses/bitcoin-like.ts';
import { attempt, BECH32_ALPHABET } from '../../addresses/checker.ts';
import { defaultAccountIdOf } from '../../addresses/internet-computer.ts';
import { type AddressKind, checkAddressOfKind } from '../../addresses/kinds.ts';
import { tonAccountOf } from '../../addresses/ton.ts';
import type { ScanFormat } from './rules.ts';
import { siftText } from './runs.ts';

/** A checksum-valid address met in text. */
export interface FoundAddress {
  /** As it is in the text. */
  readonly text: string;
  readonly kind: AddressKind;
  /** Names of the account that are equal for all of its spellings; two addresses that share one are the same. */
  readonly identities: readonly string[];
}

const CASHADDR_CHECKSUM = 8;
const HASH_BYTES = 20;
const NO_LIMIT = { hashed: Infinity, decoded: Infinity };
const X_ADDRESS_BYTES = 31;

/** The verdict of the family's checker on text that has the right checksum; undefined when it is no address after all. */
export function confirmAddress(text: string, formats: readonly ScanFormat[]): FoundAddress | undefined {
  for (const format of formats) {
    if (format === 'stellar_contract') return { text, kind: 'stellar', identities: [text] };
    if (format === 'xrpl_x_address') {
      const identity = xAddressIdentity(text);
      if (identity !== undefined) return { text, kind: 'xrpl', identities: [identity] };
      continue;
    }
    const check = checkAddressOfKind(format, format === 'internet_computer' ? text.toLowerCase() : text);
    if (!check.ok) continue;
    return { text, kind: format, identities: identitiesOf(format, check.address) };
  }
  return undefined;
}

/** The identities of an address that is known to be one, in any accepted spelling, with or without a checksum. */
export function identitiesOfText(text: string): readonly string[] {
  const identities = new Set([text]);
  siftText(text, NO_LIMIT, (candidate, formats) => {
    if (candidate !== text && !text.endsWith(`:${candidate}`)) return false;
    for (const identity of confirmAddress(candidate, formats)?.identities ?? []) identities.add(identity);
    return false;
  });
  for (const kind of ['evm', 'ton'] as const) {
    const check = checkAddressOfKind(kind, text);
    if (check.ok) for (const identity of identitiesOf(kind, check.address)) identities.add(identity);
  }
  return [...identities];
}

function identitiesOf(kind: AddressKind, address: string): readonly string[] {
  switch (kind) {
    case 'evm':
      return [address.toLowerCase()];
    case 'ton':
      return [tonAccountOf(address)];
    case 'internet_computer':
      return [address, defaultAccountIdOf(address) ?? address];
    case 'bitcoin_cash':
      return [address, ...legacyTwins(address)];
    case 'bitcoin':
      // The old P2SH form is one text for two networks; Litecoin knows it by its twin.
      return [address, litecoinTwinOf(address) ?? address];
    default:
      return [address];
  }
}

/** The base58 text of the same script: what older software shows for a CashAddr address. */
function legacyTwins(address: string): readonly string[] {
  const payload = address.slice(address.indexOf(':') + 1, -CASHADDR_CHECKSUM);
  const words = Array.from(payload, (character) => BECH32_ALPHABET.indexOf(character));
  const bytes = bech32.fromWordsUnsafe(words);
  if (!bytes || bytes.length !== 1 + HASH_BYTES) return [];
  const isScript = ((bytes[0] ?? 0) & 8) !== 0;
  return [encodeBase58Check(Uint8Array.of(isScript ? 5 : 0, ...bytes.subarray(1)))];
}

/** An X-address without a tag is the classic address; with a tag it is a separate payee. */
function xAddressIdentity(text: string): string | undefined {
  const payload = attempt(() => readRippleBase58Check(text));
  if (payload?.length !== X_ADDRESS_BYTES) return undefined;
  if (payload[0] !== 0x05 || payload[1] !== 0x44) return undefined;
  const account = payload.subarray(2, 2 + HASH_BYTES);
  const hasTag = payload[2 + HASH_BYTES] !== 0;
  if (!hasTag) return encodeRippleBase58Check(Uint8Array.of(0, ...account));
  return `${hex.encode(account)}:${hex.encode(payload.subarray(2 + HASH_BYTES))}`;
}
