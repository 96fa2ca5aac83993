import { sha512_256 } from '@noble/hashes/sha2.js';
import { base32nopad } from '@scure/base';
import { type AddressChecker, accepted, refused } from './result.ts';
import { BASE32_ALPHABET, equalBytes, foreignCharacter } from './text.ts';

const TEXT_LENGTH = 58;
const KEY_LENGTH = 32;
const CHECKSUM_LENGTH = 4;

/** Algorand account: key and the end of its SHA-512/256, in base32. */
export const checkAlgorandAddress: AddressChecker = (text) => {
  if (text.length !== TEXT_LENGTH) {
    return refused(`An Algorand address has ${TEXT_LENGTH} characters; this has ${text.length}.`);
  }
  const foreign = foreignCharacter(text, BASE32_ALPHABET, 'base32');
  if (foreign !== undefined) {
    const isLowerCase = foreignCharacter(text.toUpperCase(), BASE32_ALPHABET, 'base32') === undefined;
    return refused(isLowerCase ? `${foreign} Algorand addresses are written in upper case.` : foreign);
  }
  const bytes = decodeBase32(text);
  if (bytes === undefined) {
    return refused('The last character carries bits that no Algorand address has; it is wrong.');
  }
  const key = bytes.subarray(0, KEY_LENGTH);
  const expected = sha512_256(key).subarray(-CHECKSUM_LENGTH);
  if (!equalBytes(bytes.subarray(KEY_LENGTH), expected)) {
    return refused('The checksum does not match: at least one character is wrong.');
  }
  return accepted(text);
};

function decodeBase32(text: string): Uint8Array | undefined {
  try {
    return base32nopad.decode(text);
  } catch {
    return undefined;
  }
}
