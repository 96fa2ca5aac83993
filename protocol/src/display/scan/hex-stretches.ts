import { crc32 } from '../../addresses/crc.ts';
import { HEX_ANY_CASE } from './decode.ts';

export const ACCOUNT_IDENTIFIER_LENGTH = 64;

const DIGITS = HEX_ANY_CASE;
const HIGHEST_DIGIT = 15;

/** A text read as hex from each of its characters on, so that overlapping stretches of it are decoded once. */
export interface HexStretches {
  /** Whether the 64 digits that begin here are an account identifier of the Internet Computer: a CRC-32 in front of 28 bytes. */
  isAccountIdentifier(at: number): boolean;
}

/** False for nearly all text: it has other letters at one of its ends. */
export function mayBeAccountIdentifier(text: string, at: number): boolean {
  const last = at + ACCOUNT_IDENTIFIER_LENGTH - 1;
  return isDigitAt(text, at) && isDigitAt(text, at + 1) && isDigitAt(text, last - 1) && isDigitAt(text, last);
}

function isDigitAt(text: string, index: number): boolean {
  return (DIGITS[text.charCodeAt(index)] ?? 255) <= HIGHEST_DIGIT;
}

export function readHexStretches(text: string): HexStretches {
  /** Bytes that begin at even and at odd places. */
  const aligned = [new Uint8Array(text.length), new Uint8Array(text.length)] as const;
  /** The first place from which on all characters up to here are hex digits. */
  const since = new Int32Array(text.length);
  let start = 0;
  let former = 0;
  for (let index = 0; index < text.length; index += 1) {
    const value = DIGITS[text.charCodeAt(index)] ?? 255;
    if (value > HIGHEST_DIGIT) start = index + 1;
    since[index] = start;
    if (index > 0) aligned[((index - 1) & 1) as 0 | 1][(index - 1) >> 1] = (former << 4) | value;
    former = value;
  }
  return {
    isAccountIdentifier(at) {
      if ((since[at + ACCOUNT_IDENTIFIER_LENGTH - 1] ?? text.length) > at) return false;
      const bytes = aligned[(at & 1) as 0 | 1];
      const first = at >> 1;
      const high = ((bytes[first] ?? 0) << 24) | ((bytes[first + 1] ?? 0) << 16);
      const stated = (high | ((bytes[first + 2] ?? 0) << 8) | (bytes[first + 3] ?? 0)) >>> 0;
      return crc32(bytes, first + 4, first + ACCOUNT_IDENTIFIER_LENGTH / 2) === stated;
    },
  };
}
