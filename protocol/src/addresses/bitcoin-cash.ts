import { decodeBase58Check } from './base58check.ts';
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

/** The five 40-bit generators, each as its upper and lower 20 bits: whole they do not fit bitwise arithmetic. */
const GENERATORS = [
  [0x98f2b, 0xc8e61],
  [0x79b76, 0xd99e2],
  [0xf33e5, 0xfb3c4],
  [0xae2ea, 0xbe2a8],
  [0x1e4f4, 0x3e470],
] as const;

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
  const [upper, lowerHalf] = polymod([...prefixWords(PREFIX), ...words]);
  if (upper !== 0 || lowerHalf !== 0) {
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

function payloadProblem(words: readonly number[]): string | undefined {
  const bytes = toBytes(words);
  if (bytes === undefined) return 'The address carries surplus bits; copy it again.';
  const [typeByte = 0x80, ...hash] = bytes;
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

function encodeCashAddress(type: number, hash: Uint8Array): string {
  const words = toWords([type << 3, ...hash]);
  const template = new Array<number>(CHECKSUM_CHARACTERS).fill(0);
  const [upper, lower] = polymod([...prefixWords(PREFIX), ...words, ...template]);
  const checksum = [upper, lower].flatMap((half) => [15, 10, 5, 0].map((shift) => (half >> shift) & 31));
  const text = [...words, ...checksum].map((word) => BECH32_ALPHABET.charAt(word)).join('');
  return `${PREFIX}:${text}`;
}

function prefixWords(prefix: string): number[] {
  return [...Array.from(prefix, (character) => character.charCodeAt(0) & 31), 0];
}

function polymod(words: readonly number[]): readonly [upper: number, lower: number] {
  let upper = 0;
  let lower = 1;
  for (const word of words) {
    const top = upper >> 15;
    upper = ((upper << 5) & 0xfffff) | (lower >> 15);
    lower = ((lower << 5) & 0xfffff) ^ word;
    for (const [bit, [upperBits, lowerBits]] of GENERATORS.entries()) {
      if (((top >> bit) & 1) === 0) continue;
      upper ^= upperBits;
      lower ^= lowerBits;
    }
  }
  return [upper, lower ^ 1];
}

function toBytes(words: readonly number[]): number[] | undefined {
  const bytes: number[] = [];
  let buffer = 0;
  let bits = 0;
  for (const word of words) {
    buffer = ((buffer << 5) | word) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((buffer >> bits) & 0xff);
  }
  const hasSurplus = bits >= 5 || (buffer & ((1 << bits) - 1)) !== 0;
  return hasSurplus ? undefined : bytes;
}

function toWords(bytes: readonly number[]): number[] {
  const words: number[] = [];
  let buffer = 0;
  let bits = 0;
  for (const byte of bytes) {
    buffer = ((buffer << 8) | byte) & 0xfff;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      words.push((buffer >> bits) & 31);
    }
  }
  if (bits > 0) words.push((buffer << (5 - bits)) & 31);
  return words;
}
