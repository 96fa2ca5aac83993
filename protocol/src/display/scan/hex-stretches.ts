import { crc32 } from '../../addresses/crc.ts';
import { HEX_ANY_CASE } from './decode.ts';

export const ACCOUNT_IDENTIFIER_LENGTH = 64;

const DIGITS = HEX_ANY_CASE;
const HIGHEST_DIGIT = 15;
const NO_BYTES = new Uint8Array(0);

/**
 * A text read as hex from each of its characters on, so that overlapping stretches of it are decoded once. There is one at a
 * time, which the next one writes over.
 */
const aligned = [new Uint8Array(1024), new Uint8Array(1024)];
/** The first place from which on all characters up to here are hex digits. */
let since = new Int32Array(1024);

/** False for nearly all text: it has other letters at one of its ends. */
export function mayBeAccountIdentifier(text: string, at: number): boolean {
  const last = at + ACCOUNT_IDENTIFIER_LENGTH - 1;
  return isDigitAt(text, at) && isDigitAt(text, at + 1) && isDigitAt(text, last - 1) && isDigitAt(text, last);
}

function isDigitAt(text: string, index: number): boolean {
  return (DIGITS[text.charCodeAt(index)] ?? 255) <= HIGHEST_DIGIT;
}

export function readHexStretches(text: string): void {
  if (since.length < text.length) {
    since = new Int32Array(2 * text.length);
    for (const parity of [0, 1]) aligned[parity] = new Uint8Array(text.length);
  }
  const [even = NO_BYTES, odd = NO_BYTES] = aligned;
  let start = 0;
  let former = 0;
  for (let index = 0; index < text.length; index += 1) {
    const value = DIGITS[text.charCodeAt(index)] ?? 255;
    if (value > HIGHEST_DIGIT) start = index + 1;
    since[index] = start;
    // A byte begins at the character before.
    if (index > 0) (index % 2 === 1 ? even : odd)[(index - 1) >> 1] = (former << 4) | value;
    former = value;
  }
}

/** Whether the 64 digits that begin here are an account identifier of the Internet Computer: a CRC-32 in front of 28 bytes. */
export function isAccountIdentifierAt(at: number): boolean {
  if ((since[at + ACCOUNT_IDENTIFIER_LENGTH - 1] ?? Infinity) > at) return false;
  const bytes = aligned[at % 2] ?? NO_BYTES;
  const first = at >> 1;
  const high = ((bytes[first] ?? 0) << 24) | ((bytes[first + 1] ?? 0) << 16);
  const stated = (high | ((bytes[first + 2] ?? 0) << 8) | (bytes[first + 3] ?? 0)) >>> 0;
  return crc32(bytes, first + 4, first + ACCOUNT_IDENTIFIER_LENGTH / 2) === stated;
}
