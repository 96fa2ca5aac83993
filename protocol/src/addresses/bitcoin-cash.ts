import { bytesFromWords, wordsFromText } from './base32-words.ts';
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

/** The five 40-bit generators as their upper and lower 20 bits: whole they do not fit bitwise arithmetic. */
const UPPER_GENERATORS = [0x98f2b, 0x79b76, 0xf33e5, 0xae2ea, 0x1e4f4] as const;
const LOWER_GENERATORS = [0xc8e61, 0xd99e2, 0xfb3c4, 0xbe2a8, 0x3e470] as const;
const PREFIX_STATE = stateAfterPrefix();

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
  const words = wordsFromText(payload);
  if (words === undefined) {
    return refused(
      foreignCharacter(payload, BECH32_ALPHABET, 'CashAddr', separator + 1) ?? 'The address is damaged.',
    );
  }
  if (words.length <= CHECKSUM_CHARACTERS) return refused('The address is too short; copy it whole.');
  const [upperBits, lowerBits] = polymod(words);
  if (upperBits !== 0 || lowerBits !== 0) {
    return refused(
      'The checksum does not match: a character is wrong, missing or added, or the address belongs to a testnet. Copy the address again.',
    );
  }
  const reason = payloadProblem(words.subarray(0, -CHECKSUM_CHARACTERS));
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

function payloadProblem(words: Uint8Array): string | undefined {
  const bytes = bytesFromWords(words);
  if (bytes === undefined) return 'The address carries surplus bits; copy it again.';
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

function encodeCashAddress(type: number, hash: Uint8Array): string {
  const words = toWords([type << 3, ...hash]);
  const halves = polymod(Uint8Array.from([...words, ...new Array<number>(CHECKSUM_CHARACTERS).fill(0)]));
  const checksum = halves.flatMap((half) => [15, 10, 5, 0].map((shift) => (half >> shift) & 31));
  return `${PREFIX}:${[...words, ...checksum].map((word) => BECH32_ALPHABET.charAt(word)).join('')}`;
}

/** The checksum over prefix and words as its upper and lower 20 bits; both zero when it is right. */
function polymod(words: Uint8Array): readonly [upper: number, lower: number] {
  let [upper, lower] = PREFIX_STATE;
  for (const word of words) [upper, lower] = step(upper, lower, word);
  return [upper, lower ^ 1];
}

function stateAfterPrefix(): readonly [upper: number, lower: number] {
  let [upper, lower] = [0, 1];
  for (const character of PREFIX) [upper, lower] = step(upper, lower, character.charCodeAt(0) & 31);
  return step(upper, lower, 0);
}

function step(upper: number, lower: number, word: number): readonly [upper: number, lower: number] {
  const top = upper >> 15;
  let nextUpper = ((upper << 5) & 0xfffff) | (lower >> 15);
  let nextLower = ((lower << 5) & 0xfffff) ^ word;
  for (let bit = 0; bit < 5; bit += 1) {
    if (((top >> bit) & 1) === 0) continue;
    nextUpper ^= UPPER_GENERATORS[bit] ?? 0;
    nextLower ^= LOWER_GENERATORS[bit] ?? 0;
  }
  return [nextUpper, nextLower];
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
