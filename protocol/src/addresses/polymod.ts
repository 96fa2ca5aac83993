import { BECH32_ALPHABET } from './checker.ts';

/** The checksums of bech32 (BIP-173, BIP-350) and CashAddr. The text scan computes them for everything that resembles an address. */

/** Generators of bech32 (BIP-173) and of CashAddr, the latter as upper and lower 20 bits of 40. */
const BECH32_GENERATORS = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3] as const;
const CASHADDR_UPPER = [0x98f2b, 0x79b76, 0xf33e5, 0xae2ea, 0x1e4f4] as const;
const CASHADDR_LOWER = [0xc8e61, 0xd99e2, 0xfb3c4, 0xbe2a8, 0x3e470] as const;

/** What the five bits that leave the register add to it, for each of their 32 values. */
const bech32Feedback = feedbackTable(BECH32_GENERATORS);
const cashUpperFeedback = feedbackTable(CASHADDR_UPPER);
const cashLowerFeedback = feedbackTable(CASHADDR_LOWER);

const BECH32_RESIDUE = 1;
const BECH32M_RESIDUE = 0x2bc830a3;
const HIGHEST_WORD = 31;
/** Word of each ASCII character, in either case. */
const WORDS = new Uint8Array(128).fill(255);
for (const [word, character] of [...BECH32_ALPHABET].entries()) {
  WORDS[character.charCodeAt(0)] = word;
  WORDS[character.toUpperCase().charCodeAt(0)] = word;
}

/**
 * Returns a predicate: does the text behind this prefix and its separator end in a valid bech32 or bech32m checksum?
 */
export function bech32Checksum(prefix: string): (text: string, start: number, end: number) => boolean {
  const codes = Array.from(prefix, (character) => character.charCodeAt(0));
  const expanded = [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31)];
  const initial = expanded.reduce(bech32Step, 1);
  return (text, start, end) => {
    let register = initial;
    for (let index = start; index < end; index += 1) {
      const word = WORDS[text.charCodeAt(index)] ?? 255;
      if (word > HIGHEST_WORD) return false;
      register = bech32Step(register, word);
    }
    return register === BECH32_RESIDUE || register === BECH32M_RESIDUE;
  };
}

function bech32Step(register: number, word: number): number {
  return ((register & 0x1ffffff) << 5) ^ word ^ (bech32Feedback[register >>> 25] ?? 0);
}

/** Whether CashAddr text has the checksum that belongs to `bitcoincash:`, which it is given without. */
export function hasCashChecksum(text: string, start: number, end: number): boolean {
  return readCash(text, start, end) && cash.upper === 0 && cash.lower === 1;
}

/** The eight words that complete this CashAddr text. */
export function cashChecksum(text: string): number[] {
  readCash(`${text}${'q'.repeat(8)}`, 0, text.length + 8);
  return [cash.upper, cash.lower ^ 1].flatMap((half) => [15, 10, 5, 0].map((shift) => (half >> shift) & 31));
}

/** The register's 40 bits as two halves: whole they do not fit bitwise arithmetic. */
const cash = { upper: 0, lower: 1 };
for (const character of 'bitcoincash') cashStep(character.charCodeAt(0) & 31);
cashStep(0);
const CASH_PREFIX = { ...cash };

function readCash(text: string, start: number, end: number): boolean {
  cash.upper = CASH_PREFIX.upper;
  cash.lower = CASH_PREFIX.lower;
  for (let index = start; index < end; index += 1) {
    const word = WORDS[text.charCodeAt(index)] ?? 255;
    if (word > HIGHEST_WORD) return false;
    cashStep(word);
  }
  return true;
}

function cashStep(word: number): void {
  const { upper, lower } = cash;
  const leaving = upper >> 15;
  cash.upper = (((upper & 0x7fff) << 5) | (lower >> 15)) ^ (cashUpperFeedback[leaving] ?? 0);
  cash.lower = ((lower & 0x7fff) << 5) ^ word ^ (cashLowerFeedback[leaving] ?? 0);
}

function feedbackTable(generators: readonly number[]): Int32Array {
  return Int32Array.from({ length: 32 }, (_, leaving) =>
    generators.reduce((sum, generator, bit) => ((leaving >> bit) & 1 ? sum ^ generator : sum), 0),
  );
}
