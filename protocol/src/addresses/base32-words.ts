import { BECH32_ALPHABET } from './text.ts';

/** Five-bit words as bech32 and CashAddr use them. Nothing here throws: it runs on whatever resembles an address. */

const BECH32_CONSTANT = 1;
const BECH32M_CONSTANT = 0x2bc830a3;
const GENERATORS = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3] as const;
const NOT_A_WORD = 255;
const WORD_BY_CODE = buildWordTable();

/** Undefined when a character is outside the alphabet; lower case only. */
export function wordsFromText(text: string): Uint8Array | undefined {
  const words = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index += 1) {
    const word = WORD_BY_CODE[text.charCodeAt(index)] ?? NOT_A_WORD;
    if (word === NOT_A_WORD) return undefined;
    words[index] = word;
  }
  return words;
}

/** Regroups words into bytes; undefined when the padding is longer than needed or not zero. */
export function bytesFromWords(words: Uint8Array): Uint8Array | undefined {
  const bytes = new Uint8Array(Math.floor((words.length * 5) / 8));
  let buffer = 0;
  let bits = 0;
  let length = 0;
  for (const word of words) {
    buffer = ((buffer << 5) | word) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes[length] = (buffer >> bits) & 0xff;
    length += 1;
  }
  const hasSurplus = bits >= 5 || (buffer & ((1 << bits) - 1)) !== 0;
  return hasSurplus ? undefined : bytes;
}

/** Which of the two checksums (BIP-173, BIP-350) prefix and words satisfy. */
export function bech32Variant(prefix: string, words: Uint8Array): 'bech32' | 'bech32m' | undefined {
  let state = 1;
  for (let index = 0; index < prefix.length; index += 1) state = step(state, prefix.charCodeAt(index) >> 5);
  state = step(state, 0);
  for (let index = 0; index < prefix.length; index += 1) state = step(state, prefix.charCodeAt(index) & 31);
  for (const word of words) state = step(state, word);
  if (state === BECH32_CONSTANT) return 'bech32';
  return state === BECH32M_CONSTANT ? 'bech32m' : undefined;
}

function step(state: number, word: number): number {
  const top = state >>> 25;
  let next = ((state & 0x1ffffff) << 5) ^ word;
  for (let bit = 0; bit < 5; bit += 1) {
    if ((top >> bit) & 1) next ^= GENERATORS[bit] ?? 0;
  }
  return next;
}

function buildWordTable(): Uint8Array {
  const table = new Uint8Array(128).fill(NOT_A_WORD);
  for (const [word, character] of [...BECH32_ALPHABET].entries()) table[character.charCodeAt(0)] = word;
  return table;
}
