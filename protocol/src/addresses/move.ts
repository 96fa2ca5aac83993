import { checker, needHex, refuse } from './checker.ts';

const HEX_DIGITS = 64;

/** Sui: 32 bytes in hex. No checksum; the full length is demanded, because a cut address must not become another one. */
export const checkSuiAddress = checker((text) => {
  if (text.startsWith('suiprivkey1'))
    refuse(
      'This is a private key, which must never be shown to anyone: move its funds and enter the address (0x…).',
    );
  return `0x${hexDigits(text, 'Sui')}`;
});

/**
 * Aptos: 32 bytes in hex, as AIP-40 reads them: the full form, and the one-digit form only for the addresses 0x0 to
 * 0xf, which are also stored in it.
 */
export const checkAptosAddress = checker((text) => {
  if (/^0x[0-9a-fA-F]$/.test(text)) return text.toLowerCase();
  const digits = hexDigits(text, 'Aptos');
  const isSpecial = digits.startsWith('0'.repeat(HEX_DIGITS - 1));
  return isSpecial ? `0x${digits.charAt(HEX_DIGITS - 1)}` : `0x${digits}`;
});

function hexDigits(text: string, chain: string): string {
  if (!text.startsWith('0x')) refuse(`The ${chain} address must begin with 0x.`);
  const digits = text.slice(2);
  if (digits.length > HEX_DIGITS || digits.length === 0)
    refuse(`A ${chain} address has ${HEX_DIGITS} hex digits after 0x; this has ${digits.length}.`);
  needHex(digits, 2);
  if (digits.length < HEX_DIGITS)
    refuse(
      `A ${chain} address has ${HEX_DIGITS} hex digits after 0x; this has ${digits.length}. If the leading zeros were left out, put them back.`,
    );
  return digits.toLowerCase();
}
