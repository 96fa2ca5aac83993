import { crc32 } from '../../addresses/crc.ts';
import { BASE32_ANY_CASE } from './decode.ts';

const HYPHEN = 0x2d;
/** Five characters and a hyphen. */
const GROUP_WITH_HYPHEN = 6;
const CHECKSUM_BYTES = 4;
const HIGHEST_VALUE = 31;
const SHORTEST_TEXT = 9;
const LONGEST_TEXT = 63;
/** Texts of the principals in use, of 10 bytes (canisters) and of 29 (keys); the network has handed out no others. */
const PRINCIPAL_LENGTHS: readonly number[] = [27, LONGEST_TEXT];

const VALUES = BASE32_ANY_CASE;
const bytes = new Uint8Array(40);

/** The same without their hyphens. */
export const BARE_PRINCIPAL_LENGTHS: readonly number[] = PRINCIPAL_LENGTHS.map(
  (length) => length - Math.floor(length / GROUP_WITH_HYPHEN),
);

/** Whether the text is a principal whose hyphens have been left out. */
export function isBarePrincipal(text: string, start: number, end: number): boolean {
  // Bits of the last character that fill no byte are zero, which most text fails at once.
  const leftOver = ((end - start) * 5) % 8;
  if (((VALUES[text.charCodeAt(end - 1)] ?? 255) & ((1 << leftOver) - 1)) !== 0) return false;
  let buffer = 0;
  let bits = 0;
  let byteCount = 0;
  for (let index = start; index < end; index += 1) {
    const value = VALUES[text.charCodeAt(index)] ?? 255;
    if (value > HIGHEST_VALUE) return false;
    buffer = ((buffer << 5) | value) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes[byteCount] = buffer >> bits;
    byteCount += 1;
  }
  return crc32(bytes, CHECKSUM_BYTES, byteCount) === statedChecksum();
}

/** As the Internet Computer writes it. */
export function withHyphens(barePrincipal: string): string {
  return (
    barePrincipal
      .toLowerCase()
      .match(/.{1,5}/g)
      ?.join('-') ?? ''
  );
}

/** Whether the text from `start` to `end` is a principal of the Internet Computer: base32 in groups of five, a CRC-32 in front. */
export function isPrincipal(text: string, start: number, end: number): boolean {
  const length = end - start;
  if (length < SHORTEST_TEXT || length > LONGEST_TEXT) return false;
  let buffer = 0;
  let bits = 0;
  let byteCount = 0;
  for (let offset = 0; offset < length; offset += 1) {
    const code = text.charCodeAt(start + offset);
    if (offset % GROUP_WITH_HYPHEN === GROUP_WITH_HYPHEN - 1) {
      if (code !== HYPHEN) return false;
      continue;
    }
    const value = VALUES[code] ?? 255;
    if (value > HIGHEST_VALUE) return false;
    buffer = ((buffer << 5) | value) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes[byteCount] = buffer >> bits;
    byteCount += 1;
  }
  const hasRest = bits >= 5 || (buffer & ((1 << bits) - 1)) !== 0;
  return !hasRest && crc32(bytes, CHECKSUM_BYTES, byteCount) === statedChecksum();
}

function statedChecksum(): number {
  const high = ((bytes[0] ?? 0) << 24) | ((bytes[1] ?? 0) << 16);
  return (high | ((bytes[2] ?? 0) << 8) | (bytes[3] ?? 0)) >>> 0;
}
