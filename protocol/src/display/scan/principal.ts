import { hasCrcInFront } from './checksums.ts';
import { BASE32_ANY_CASE, decodeBits, endsEvenly } from './decode.ts';

const HYPHEN = 0x2d;
/** Five characters and a hyphen. */
const GROUP_WITH_HYPHEN = 6;
const SHORTEST_TEXT = 9;
const LONGEST_TEXT = 63;
/** Texts of the principals in use, of 10 bytes (canisters) and of 29 (keys); the network has handed out no others. */
const PRINCIPAL_LENGTHS: readonly number[] = [27, LONGEST_TEXT];

/** The same without their hyphens. */
export const BARE_PRINCIPAL_LENGTHS: readonly number[] = PRINCIPAL_LENGTHS.map(
  (length) => length - Math.floor(length / GROUP_WITH_HYPHEN),
);

/** Whether the text is a principal whose hyphens have been left out. */
export function isBarePrincipal(text: string, start: number, end: number): boolean {
  // Most text fails at its last character already.
  if (!endsEvenly(text, start, end, BASE32_ANY_CASE, 5)) return false;
  return hasCrcInFront(decodeBits(text, start, end, BASE32_ANY_CASE, 5));
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
  for (let index = start + GROUP_WITH_HYPHEN - 1; index < end; index += GROUP_WITH_HYPHEN) {
    if (text.charCodeAt(index) !== HYPHEN) return false;
  }
  const bare = text.slice(start, end).replaceAll('-', '');
  return isBarePrincipal(bare, 0, bare.length);
}
