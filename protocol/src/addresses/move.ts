import { type AddressCheck, type AddressChecker, accepted, refused } from './result.ts';
import { foreignCharacter, HEX_ALPHABET } from './text.ts';

const HEX_DIGITS = 64;

/** Sui: 32 bytes in hex. No checksum; the full length is demanded, because a cut address must not become another one. */
export const checkSuiAddress: AddressChecker = (text) => {
  if (text.startsWith('suiprivkey1')) {
    return refused(
      'This is a private key, which must never be shown to anyone: move its funds and enter the address (0x…).',
    );
  }
  const digits = hexDigits(text, 'Sui');
  return typeof digits === 'string' ? accepted(`0x${digits}`) : digits;
};

/**
 * Aptos: 32 bytes in hex, as AIP-40 reads them: the full form, and the one-digit form only for the addresses 0x0 to
 * 0xf, which are also stored in it.
 */
export const checkAptosAddress: AddressChecker = (text) => {
  if (/^0x[0-9a-fA-F]$/.test(text)) return accepted(text.toLowerCase());
  const digits = hexDigits(text, 'Aptos');
  if (typeof digits !== 'string') return digits;
  const isSpecial = digits.startsWith('0'.repeat(HEX_DIGITS - 1));
  return accepted(isSpecial ? `0x${digits.charAt(HEX_DIGITS - 1)}` : `0x${digits}`);
};

function hexDigits(text: string, chain: string): string | AddressCheck {
  if (!text.startsWith('0x')) return refused(`The ${chain} address must begin with 0x.`);
  const digits = text.slice(2);
  if (digits.length > HEX_DIGITS || digits.length === 0) {
    return refused(`A ${chain} address has ${HEX_DIGITS} hex digits after 0x; this has ${digits.length}.`);
  }
  const foreign = foreignCharacter(digits, HEX_ALPHABET, 'hex', 2);
  if (foreign !== undefined) return refused(foreign);
  if (digits.length < HEX_DIGITS) {
    return refused(
      `A ${chain} address has ${HEX_DIGITS} hex digits after 0x; this has ${digits.length}. If the leading zeros were left out, put them back.`,
    );
  }
  return digits.toLowerCase();
}
