import { keccak_256 } from '@noble/hashes/sha3.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { checker, isOneCase, needHex, refuse } from './checker.ts';

const HEX_DIGITS = 40;

/**
 * EVM address. Hex of one case carries no checksum and is accepted; mixed case is the EIP-55 checksum and must
 * match. Stored in EIP-55 form either way, so that equal addresses are equal texts.
 */
export const checkEvmAddress = checker((text) => {
  if (!text.startsWith('0x'))
    refuse(
      text.endsWith('.eth')
        ? 'A name is not an address; find the address (0x…) behind it and enter that.'
        : 'The address must begin with 0x.',
    );
  const digits = text.slice(2);
  if (digits.length !== HEX_DIGITS)
    refuse(`The address needs ${HEX_DIGITS} hex digits after 0x; this has ${digits.length}.`);
  needHex(digits, 2);
  const checksummed = toEip55(digits.toLowerCase());
  if (!isOneCase(digits) && checksummed !== text)
    refuse(
      'The mix of upper and lower case is the checksum (EIP-55) and does not match: a character is wrong. Copy the address again.',
    );
  return checksummed;
});

function toEip55(lowerDigits: string): string {
  const hash = keccak_256(utf8ToBytes(lowerDigits));
  return `0x${upperCaseByNibbles(lowerDigits, hash)}`;
}

/** Upper-cases each hex letter whose nibble in `hash` is 8 or more. */
export function upperCaseByNibbles(lowerDigits: string, hash: Uint8Array): string {
  let text = '';
  for (let index = 0; index < lowerDigits.length; index += 1) {
    const byte = hash[index >> 1] ?? 0;
    const nibble = index % 2 === 0 ? byte >> 4 : byte & 15;
    const digit = lowerDigits.charAt(index);
    text += nibble >= 8 ? digit.toUpperCase() : digit;
  }
  return text;
}
