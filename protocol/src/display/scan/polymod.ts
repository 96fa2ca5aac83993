import { BECH32_ANY_CASE } from './decode.ts';

const VALUES = BECH32_ANY_CASE;
const HIGHEST_VALUE = 31;

/** Generators of bech32 (BIP-173) and of CashAddr, the latter as upper and lower 20 bits of 40. */
const BECH32_GENERATORS = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3] as const;
const CASHADDR_UPPER = [0x98f2b, 0x79b76, 0xf33e5, 0xae2ea, 0x1e4f4] as const;
const CASHADDR_LOWER = [0xc8e61, 0xd99e2, 0xfb3c4, 0xbe2a8, 0x3e470] as const;

/** What the five bits that leave the register add to it, for each of their 32 values. */
const bech32Feedback = feedbackTable(BECH32_GENERATORS);
const cashUpperFeedback = feedbackTable(CASHADDR_UPPER);
const cashLowerFeedback = feedbackTable(CASHADDR_LOWER);

const BECH32_CONSTANT = 1;
const BECH32M_CONSTANT = 0x2bc830a3;

/** Whether the text ends in a bech32 or bech32m checksum; `prefix` is the part before the separator, in lower case. */
export function hasBech32Checksum(text: string, start: number, end: number, prefix: string): boolean {
  let register = bech32PrefixState(prefix);
  for (let index = start + prefix.length + 1; index < end; index += 1) {
    const value = VALUES[text.charCodeAt(index)] ?? 255;
    if (value > HIGHEST_VALUE) return false;
    register = bech32Step(register, value);
  }
  return register === BECH32_CONSTANT || register === BECH32M_CONSTANT;
}

/** Whether CashAddr text without its prefix has the checksum that belongs to `bitcoincash:`. */
export function hasCashAddressChecksum(text: string, start: number, end: number): boolean {
  let upper = CASH_PREFIX_STATE.upper;
  let lower = CASH_PREFIX_STATE.lower;
  for (let index = start; index < end; index += 1) {
    const value = VALUES[text.charCodeAt(index)] ?? 255;
    if (value > HIGHEST_VALUE) return false;
    const leaving = upper >> 15;
    upper = (((upper & 0x7fff) << 5) | (lower >> 15)) ^ (cashUpperFeedback[leaving] ?? 0);
    lower = ((lower & 0x7fff) << 5) ^ value ^ (cashLowerFeedback[leaving] ?? 0);
  }
  return upper === 0 && lower === 1;
}

const CASH_PREFIX_STATE = cashPrefixState('bitcoincash');
const prefixStates = new Map<string, number>();

function bech32PrefixState(prefix: string): number {
  const known = prefixStates.get(prefix);
  if (known !== undefined) return known;
  const codes = Array.from(prefix, (character) => character.charCodeAt(0));
  const values = [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31)];
  const state = values.reduce(bech32Step, 1);
  prefixStates.set(prefix, state);
  return state;
}

function bech32Step(register: number, value: number): number {
  return ((register & 0x1ffffff) << 5) ^ value ^ (bech32Feedback[register >>> 25] ?? 0);
}

function cashPrefixState(prefix: string): { upper: number; lower: number } {
  let upper = 0;
  let lower = 1;
  const values = [...Array.from(prefix, (character) => character.charCodeAt(0) & 31), 0];
  for (const value of values) {
    const leaving = upper >> 15;
    upper = (((upper & 0x7fff) << 5) | (lower >> 15)) ^ (cashUpperFeedback[leaving] ?? 0);
    lower = ((lower & 0x7fff) << 5) ^ value ^ (cashLowerFeedback[leaving] ?? 0);
  }
  return { upper, lower };
}

function feedbackTable(generators: readonly number[]): Int32Array {
  return Int32Array.from({ length: 32 }, (_, leaving) =>
    generators.reduce((sum, generator, bit) => ((leaving >> bit) & 1 ? sum ^ generator : sum), 0),
  );
}
