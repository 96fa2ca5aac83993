import { base32nopad } from '@scure/base';

/** A family checker's result: the form to store, or a sentence for the person who has to correct the address. */
export type AddressCheck = { ok: true; address: string } | { ok: false; reason: string };

/**
 * A checker never throws, and checks the length before it decodes or hashes: it is also called on text that merely
 * resembles an address.
 */
export type AddressChecker = (text: string) => AddressCheck;

/** Ends a reading with a sentence for people; known to `checker` and `attempt` alone. */
class Refusal {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

export function refuse(reason: string): never {
  throw new Refusal(reason);
}

/** A checker made of a reading, which returns the form to store or refuses. */
export function checker(read: (text: string) => string): AddressChecker {
  return (text) => {
    try {
      return { ok: true, address: read(text) };
    } catch (error) {
      if (error instanceof Refusal) return { ok: false, reason: error.reason };
      throw error;
    }
  };
}

/** What a reading gives; undefined where it refuses, for texts that may be something else. */
export function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** No supported format is longer; anything above is refused before a decoder sees it. */
const LONGEST_ADDRESS = 200;

export const BASE58_ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
export const BASE32_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
export const BECH32_ALPHABET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const HEX_ALPHABET = '0123456789abcdefABCDEF';

/** Refuses what no format has a use for: nothing there, spaces pasted along, letters of other scripts, a wall of text. */
export function needPlainText(text: string): void {
  if (text.length === 0) refuse('The address is empty.');
  if (text.length > LONGEST_ADDRESS)
    refuse(`The address has ${text.length} characters; no address is longer than ${LONGEST_ADDRESS}.`);
  if (text.trim() !== text) refuse('The address begins or ends with a space; remove it.');
  const foreign = firstOutside(text, (code) => code > 0x20 && code < 0x7f);
  if (foreign !== undefined)
    refuse(
      `Character ${foreign.position} (${foreign.shown}) does not occur in addresses; it may be a space or a look-alike of another script.`,
    );
}

/** Refuses the first character outside `alphabet`. `offset` counts the characters in front of `text`, `hint` is added. */
export function needAlphabet(text: string, alphabet: string, name: string, offset = 0, hint = ''): void {
  // The loop over characters is the fast path: it runs for every candidate when text is scanned for addresses.
  let index = 0;
  while (index < text.length && alphabet.includes(text.charAt(index))) index += 1;
  if (index === text.length) return;
  const foreign = firstOutside(text, (code) => alphabet.includes(String.fromCodePoint(code)));
  if (foreign === undefined) return;
  const { position, shown } = foreign;
  refuse(`Character ${position + offset} (${shown}) is not part of the ${name} alphabet.${hint}`);
}

export function needHex(digits: string, offset = 0): void {
  needAlphabet(digits, HEX_ALPHABET, 'hex', offset);
}

export function isOneCase(text: string): boolean {
  return text === text.toLowerCase() || text === text.toUpperCase();
}

/** Strictly, of upper-case text; undefined when a bit is left over. */
export function decodeBase32(text: string): Uint8Array | undefined {
  try {
    return base32nopad.decode(text);
  } catch {
    return undefined;
  }
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
