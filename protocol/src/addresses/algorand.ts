import { sha512_256 } from '@noble/hashes/sha2.js';
import { BASE32_ALPHABET, checker, decodeBase32, equalBytes, needAlphabet, refuse } from './checker.ts';

const TEXT_LENGTH = 58;
const KEY_LENGTH = 32;
const CHECKSUM_LENGTH = 4;

/** Algorand account: key and the end of its SHA-512/256, in base32. */
export const checkAlgorandAddress = checker((text) => {
  if (text.length !== TEXT_LENGTH)
    refuse(`An Algorand address has ${TEXT_LENGTH} characters; this has ${text.length}.`);
  const isLowerCase = /^[A-Z2-7]*$/.test(text.toUpperCase());
  const hint = isLowerCase ? ' Algorand addresses are written in upper case.' : '';
  needAlphabet(text, BASE32_ALPHABET, 'base32', 0, hint);
  const bytes = decodeBase32(text);
  if (bytes === undefined)
    refuse('The last character carries bits that no Algorand address has; it is wrong.');
  const expected = sha512_256(bytes.subarray(0, KEY_LENGTH)).subarray(-CHECKSUM_LENGTH);
  if (!equalBytes(bytes.subarray(KEY_LENGTH), expected))
    refuse('The checksum does not match: at least one character is wrong.');
  return text;
});
