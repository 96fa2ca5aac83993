import { bech32 } from '@scure/base';
import { decodeBase58Check } from './base58check.ts';
import { cashChecksum, hasCashChecksum } from './polymod.ts';
import { type AddressCheck, type AddressChecker, accepted, refused } from './result.ts';
import { BECH32_ALPHABET, foreignCharacter } from './text.ts';

const PREFIX = 'bitcoincash';
const CHECKSUM_CHARACTERS = 8;
/** Hash sizes in bytes by the three low bits of the type byte. */
const HASH_SIZES = [20, 24, 28, 32, 40, 48, 56, 64] as const;
const TYPE_PAY_TO_PUBLIC_KEY_HASH = 0;
const TYPE_PAY_TO_SCRIPT_HASH = 1;
/** The same two with the right to receive CashTokens; they pay to the same script. */
const TYPE_TOKEN_PUBLIC_KEY_HASH = 2;
const TYPE_TOKEN_SCRIPT_HASH = 3;
const LONGEST_PAYLOAD = 112;

/**
 * Bitcoin Cash mainnet in CashAddr, with or without the prefix, stored with it. The old form (1…, 3…) is refused because
 * it is the very same text as a Bitcoin address; the refusal spells out the CashAddr form of it.
 */
export const checkBitcoinCashAddress: AddressChecker = (text) => {
  const isOneCase = text === text.toLowerCase() || text === text.toUpperCase();
  if (!isOneCase) return refuseMixedCase(text);
  const lower = text.toLowerCase();
  const separator = lower.indexOf(':');
  const prefix = separator === -1 ? PREFIX : lower.slice(0, separator);
  const payload = lower.slice(separator + 1);
  if (prefix !== PREFIX) return refused(wrongPrefixReason(prefix));
  if (payload.startsWith('bc1')) {
    return refused(`This is a Bitcoin address. A Bitcoin Cash address begins with ${PREFIX}:`);
  }
  if (payload.length > LONGEST_PAYLOAD) {
    return refused(`The address has ${payload.length} characters after its prefix, which is too long.`);
  }
  const foreign = foreignCharacter(payload, BECH32_ALPHABET, 'CashAddr', separator + 1);
  if (foreign !== undefined) return refused(foreign);
  const words = Array.from(payload, (character) => BECH32_ALPHABET.indexOf(character));
  if (words.length <= CHECKSUM_CHARACTERS) return refused('The address is too short; copy it whole.');
  if (!hasCashChecksum(payload, 0, payload.length)) {
    return refused(
      'The checksum does not match: a character is wrong, missing or added, or the address belongs to a testnet. Copy the address again.',
    );
  }
  const reason = payloadProblem(words.slice(0, -CHECKSUM_CHARACTERS));
  return reason === undefined ? accepted(`${PREFIX}:${payload}`) : refused(reason);
};

function refuseMixedCase(text: string): AddressCheck {
  const legacy = text.length >= 26 && text.length <= 35 ? decodeBase58Check(text) : undefined;
  const version = legacy?.ok === true && legacy.payload.length === 21 ? legacy.payload[0] : undefined;
  if (legacy?.ok === true && (version === 0 || version === 5)) {
    const type = version === 0 ? TYPE_PAY_TO_PUBLIC_KEY_HASH : TYPE_PAY_TO_SCRIPT_HASH;
    const twin = encodeCashAddress(type, legacy.payload.subarray(1));
    return refused(
      `This form is also a Bitcoin address. If it is meant for Bitcoin Cash, enter it in its CashAddr form: ${twin}`,
    );
  }
  return refused(
    `A Bitcoin Cash address is ${PREFIX}: and then all lower case or all upper case, never mixed.`,
  );
}

function wrongPrefixReason(prefix: string): string {
  if (prefix === 'bchtest')
    return 'This is an address of the Bitcoin Cash testnet; a mainnet address is needed.';
  if (prefix === 'bchreg')
    return 'This is an address of a Bitcoin Cash regtest network; a mainnet address is needed.';
  return `The part before the colon must be ${PREFIX}.`;
}

function payloadProblem(words: number[]): string | undefined {
  const bytes = bech32.fromWordsUnsafe(words);
  if (!bytes) return 'The address carries surplus bits; copy it again.';
  const typeByte = bytes[0] ?? 0x80;
  const hash = bytes.subarray(1);
  const type = typeByte >> 3;
  if (type > TYPE_TOKEN_SCRIPT_HASH) return 'The address is of a type that Bitcoin Cash does not use.';
  const expected = HASH_SIZES[typeByte & 7];
  if (hash.length !== expected) {
    return `The address holds ${hash.length} bytes but says it holds ${expected}; copy it whole.`;
  }
  const isKeyHash = type === TYPE_PAY_TO_PUBLIC_KEY_HASH || type === TYPE_TOKEN_PUBLIC_KEY_HASH;
  // Consensus knows 20-byte key hashes and 20- or 32-byte script hashes; the larger sizes are reserved.
  const isSpendable = hash.length === 20 || (!isKeyHash && hash.length === 32);
  return isSpendable
    ? undefined
    : `Bitcoin Cash does not use hashes of ${hash.length} bytes in such an address.`;
}

export function encodeCashAddress(type: number, hash: Uint8Array): string {
  const size = HASH_SIZES.findIndex((bytes) => bytes === hash.length);
  const payload = spell(bech32.toWords(Uint8Array.of((type << 3) | size, ...hash)));
  return `${PREFIX}:${payload}${spell(cashChecksum(payload))}`;
}

/** Of an address as it is stored: the plain form of a token-aware one, which pays the same script. */
export function plainCashAddress(address: string): string {
  const payload = address.slice(PREFIX.length + 1, -CHECKSUM_CHARACTERS);
  const [typeByte = 0, ...hash] = bech32.fromWords(
    Array.from(payload, (character) => BECH32_ALPHABET.indexOf(character)),
  );
  return encodeCashAddress((typeByte >> 3) & TYPE_PAY_TO_SCRIPT_HASH, Uint8Array.from(hash));
}

function spell(words: readonly number[]): string {
  return words.map((word) => BECH32_ALPHABET.charAt(word)).join('');
}
