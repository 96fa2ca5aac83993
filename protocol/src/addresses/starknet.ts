import { keccak_256 } from '@noble/hashes/sha3.js';
import { hexToBytes } from '@noble/hashes/utils.js';
import { checker, isOneCase, needHex, refuse } from './checker.ts';
import { upperCaseByNibbles } from './evm.ts';

const HEX_DIGITS = 64;
/** Addresses are hashes: shorter than this without leading zeros happens once in 32,768, a cut text far more often. */
const SHORTEST_WITHOUT_ZEROS = 60;
/** Contract addresses are taken modulo 2²⁵¹ − 256, which is below the field's prime. */
const ADDRESS_BOUND = 2n ** 251n - 256n;

/**
 * Starknet: a field element in hex, stored in lower case with all 64 digits. Mixed case is the checksum that Starknet
 * wallets write and must match; one case carries none.
 */
export const checkStarknetAddress = checker((text) => {
  if (!text.startsWith('0x')) refuse('The Starknet address must begin with 0x.');
  const digits = text.slice(2);
  if (digits.length === 0 || digits.length > HEX_DIGITS)
    refuse(`A Starknet address has at most ${HEX_DIGITS} hex digits after 0x; this has ${digits.length}.`);
  needHex(digits, 2);
  const isShort = digits.length < HEX_DIGITS;
  if (isShort && (digits.startsWith('0') || digits.length < SHORTEST_WITHOUT_ZEROS))
    refuse(
      `The address has ${digits.length} hex digits and seems to be cut. If it is whole, write it with leading zeros to ${HEX_DIGITS} digits.`,
    );
  const padded = digits.toLowerCase().padStart(HEX_DIGITS, '0');
  const value = BigInt(`0x${padded}`);
  if (value === 0n || value >= ADDRESS_BOUND)
    refuse('The number is outside the range of Starknet addresses; a character is wrong or added.');
  if (!isOneCase(digits) && !checksummedDigits(padded).endsWith(digits))
    refuse(
      'The mix of upper and lower case does not match the Starknet checksum. If the source does not use it, enter the address in lower case.',
    );
  return `0x${padded}`;
});

/** As starknet.js has it: Keccak-256 over the number's bytes without leading zero bytes. */
function checksummedDigits(padded: string): string {
  const significant = padded.replace(/^(00)+/, '');
  return upperCaseByNibbles(padded, keccak_256(hexToBytes(significant)));
}
