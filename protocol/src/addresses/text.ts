import { type AddressCheck, refused } from './result.ts';

/** No supported format is longer; anything above is refused before a decoder sees it. */
const LONGEST_ADDRESS = 200;

export const BASE58_ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
export const BASE32_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
export const BECH32_ALPHABET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
export const HEX_ALPHABET = '0123456789abcdefABCDEF';

/** Problems that no format has a use for: nothing there, spaces pasted along, letters of other scripts, a wall of text. */
export function checkPlainText(text: string): AddressCheck | undefined {
  if (text.length === 0) return refused('The address is empty.');
  if (text.length > LONGEST_ADDRESS) {
    return refused(
      `The address has ${text.length} characters; no address is longer than ${LONGEST_ADDRESS}.`,
    );
  }
  if (text.trim() !== text) return refused('The address begins or ends with a space; remove it.');
  const foreign = firstOutside(text, (code) => code > 0x20 && code < 0x7f);
  if (foreign === undefined) return undefined;
  return refused(
    `Character ${foreign.position} (${foreign.shown}) does not occur in addresses; it may be a space or a look-alike of another script.`,
  );
}

/** Names the first character of `text` outside `alphabet`, as the beginning of a sentence; undefined when there is none. */
export function foreignCharacter(
  text: string,
  alphabet: string,
  alphabetName: string,
  offset = 0,
): string | undefined {
  // The loop over characters is the fast path: it runs for every candidate when text is scanned for addresses.
  let index = 0;
  while (index < text.length && alphabet.includes(text.charAt(index))) index += 1;
  if (index === text.length) return undefined;
  const foreign = firstOutside(text, (code) => alphabet.includes(String.fromCodePoint(code)));
  if (foreign === undefined) return undefined;
  return `Character ${foreign.position + offset} (${foreign.shown}) is not part of the ${alphabetName} alphabet.`;
}

export function equalBytes(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, index) => byte === right[index]);
}

function firstOutside(
  text: string,
  isAllowed: (codePoint: number) => boolean,
): { position: number; shown: string } | undefined {
  let position = 0;
  for (const character of text) {
    position += 1;
    const code = character.codePointAt(0) ?? 0;
    if (isAllowed(code)) continue;
    const isPrintableAscii = code > 0x20 && code < 0x7f;
    const shown = isPrintableAscii
      ? `"${character}"`
      : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
    return { position, shown };
  }
  return undefined;
}
