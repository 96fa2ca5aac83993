import { bech32 } from '@scure/base';
import { readBase58Check } from './base58check.ts';
import { attempt, BECH32_ALPHABET, checker, isOneCase, needAlphabet, refuse } from './checker.ts';
import { cashChecksum, hasCashChecksum } from './polymod.ts';

const PREFIX = 'bitcoincash';
const CHECKSUM_CHARACTERS = 8;
/** Hash sizes in bytes by the three low bits of the type byte. */
const HASH_SIZES: readonly number[] = [20, 24, 28, 32, 40, 48, 56, 64];
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
export const checkBitcoinCashAddress = checker((text) => {
  if (!isOneCase(text)) refuseMixedCase(text);
  const lower = text.toLowerCase();
  const separator = lower.indexOf(':');
  const prefix = separator === -1 ? PREFIX : lower.slice(0, separator);
  const payload = lower.slice(separator + 1);
  if (prefix !== PREFIX) refuse(OTHER_PREFIXES.get(prefix) ?? `The part before the colon must be ${PREFIX}.`);
  if (payload.startsWith('bc1'))
    refuse(`This is a Bitcoin address. A Bitcoin Cash address begins with ${PREFIX}:`);
  if (payload.length > LONGEST_PAYLOAD)
    refuse(`The address has ${payload.length} characters after its prefix, which is too long.`);
  needAlphabet(payload, BECH32_ALPHABET, 'CashAddr', separator + 1);
  if (payload.length <= CHECKSUM_CHARACTERS) refuse('The address is too short; copy it whole.');
  if (!hasCashChecksum(payload, 0, payload.length))
    refuse(
      'The checksum does not match: a character is wrong, missing or added, or the address belongs to a testnet. Copy the address again.',
    );
  judgePayload(wordsOf(payload.slice(0, -CHECKSUM_CHARACTERS)));
  return `${PREFIX}:${payload}`;
});

const OTHER_PREFIXES: ReadonlyMap<string, string> = new Map([
  ['bchtest', 'This is an address of the Bitcoin Cash testnet; a mainnet address is needed.'],
  ['bchreg', 'This is an address of a Bitcoin Cash regtest network; a mainnet address is needed.'],
]);

function refuseMixedCase(text: string): never {
  const isOldLength = text.length >= 26 && text.length <= 35;
  const legacy = isOldLength ? attempt(() => readBase58Check(text)) : undefined;
  const version = legacy?.length === 21 ? legacy[0] : undefined;
  if (legacy !== undefined && (version === 0 || version === 5)) {
    const type = version === 0 ? TYPE_PAY_TO_PUBLIC_KEY_HASH : TYPE_PAY_TO_SCRIPT_HASH;
    const twin = encodeCashAddress(type, legacy.subarray(1));
    refuse(
      `This form is also a Bitcoin address. If it is meant for Bitcoin Cash, enter it in its CashAddr form: ${twin}`,
    );
  }
  refuse(`A Bitcoin Cash address is ${PREFIX}: and then all lower case or all upper case, never mixed.`);
}

function judgePayload(words: number[]): void {
  const bytes = bech32.fromWordsUnsafe(words);
  if (!bytes) refuse('The address carries surplus bits; copy it again.');
  const typeByte = bytes[0] ?? 0x80;
  const hash = bytes.subarray(1);
  const type = typeByte >> 3;
  if (type > TYPE_TOKEN_SCRIPT_HASH) refuse('The address is of a type that Bitcoin Cash does not use.');
  const expected = HASH_SIZES[typeByte & 7];
  if (hash.length !== expected)
    refuse(`The address holds ${hash.length} bytes but declares ${expected}; copy the whole address.`);
  const isKeyHash = type === TYPE_PAY_TO_PUBLIC_KEY_HASH || type === TYPE_TOKEN_PUBLIC_KEY_HASH;
  // Consensus knows 20-byte key hashes and 20- or 32-byte script hashes; the larger sizes are reserved.
  const isSpendable = hash.length === 20 || (!isKeyHash && hash.length === 32);
  if (!isSpendable) refuse(`Bitcoin Cash does not use hashes of ${hash.length} bytes in such an address.`);
}

export function encodeCashAddress(type: number, hash: Uint8Array): string {
  const size = HASH_SIZES.indexOf(hash.length);
  const payload = spell(bech32.toWords(Uint8Array.of((type << 3) | size, ...hash)));
  return `${PREFIX}:${payload}${spell(cashChecksum(payload))}`;
}

/** Of an address as it is stored: the plain form of a token-aware one, which pays the same script. */
export function plainCashAddress(address: string): string {
  const payload = address.slice(PREFIX.length + 1, -CHECKSUM_CHARACTERS);
  const [typeByte = 0, ...hash] = bech32.fromWords(wordsOf(payload));
  return encodeCashAddress((typeByte >> 3) & TYPE_PAY_TO_SCRIPT_HASH, Uint8Array.from(hash));
}

function wordsOf(text: string): number[] {
  return Array.from(text, (character) => BECH32_ALPHABET.indexOf(character));
}

function spell(words: readonly number[]): string {
  return words.map((word) => BECH32_ALPHABET.charAt(word)).join('');
}
