import { base64urlnopad, hex } from '@scure/base';
import { checker, needAlphabet, needHex, refuse } from './checker.ts';
import { crc16Xmodem } from './crc.ts';

const BASE64_ALPHABETS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/';
const FRIENDLY_LENGTH = 48;
const CHECKSUM_START = 34;
const BOUNCEABLE_TAG = 0x11;
const NON_BOUNCEABLE_TAG = 0x51;
const TESTNET_FLAG = 0x80;
const MASTERCHAIN_BYTE = 0xff;
const ACCOUNT_DIGITS = 64;

/**
 * TON account in its raw form (`0:` and 64 hex digits, without a checksum) or in its user-friendly form (TEP-2),
 * stored as sent except for spelling: hex in lower case, base64 in its URL alphabet. The bounceable flag is kept,
 * because the wallet needs it while the account is not deployed yet.
 */
export const checkTonAddress = checker((text) => {
  if (text.includes(':')) return readRaw(text);
  if (text.length !== FRIENDLY_LENGTH)
    refuse(
      `A TON address has ${FRIENDLY_LENGTH} characters, or is 0: and ${ACCOUNT_DIGITS} hex digits; this has ${text.length} characters. Copy it whole.`,
    );
  needAlphabet(text, BASE64_ALPHABETS, 'base64');
  if (/[-_]/.test(text) && /[+/]/.test(text))
    refuse('The address mixes the two base64 alphabets: it has - or _ and also + or /.');
  const urlText = text.replaceAll('+', '-').replaceAll('/', '_');
  const bytes = base64urlnopad.decode(urlText);
  const checksum = ((bytes[CHECKSUM_START] ?? 0) << 8) | (bytes[CHECKSUM_START + 1] ?? 0);
  if (crc16Xmodem(bytes, 0, CHECKSUM_START) !== checksum)
    refuse('The checksum does not match: a character is wrong. Copy the address again.');
  judgeHeader(bytes[0] ?? 0, bytes[1] ?? 0);
  return urlText;
});

/** Workchain and account of an address that `checkTonAddress` accepts: equal for every spelling of one account. */
export function tonAccountOf(address: string): string {
  if (address.includes(':')) return address.toLowerCase();
  const bytes = base64urlnopad.decode(address.replaceAll('+', '-').replaceAll('/', '_'));
  const workchain = bytes[1] === MASTERCHAIN_BYTE ? '-1' : '0';
  return `${workchain}:${hex.encode(bytes.subarray(2, CHECKSUM_START))}`;
}

function judgeHeader(tag: number, workchain: number): void {
  if ((tag & TESTNET_FLAG) !== 0)
    refuse('This is an address of the TON testnet; enter its mainnet form, which begins with EQ or UQ.');
  if (tag !== BOUNCEABLE_TAG && tag !== NON_BOUNCEABLE_TAG)
    refuse('The first byte is neither the bounceable (EQ…) nor the non-bounceable (UQ…) tag.');
  if (workchain !== 0 && workchain !== MASTERCHAIN_BYTE)
    refuse(`The address names workchain ${workchain}; TON has the workchains 0 and -1.`);
}

function readRaw(text: string): string {
  const separator = text.indexOf(':');
  const workchain = text.slice(0, separator);
  const account = text.slice(separator + 1);
  if (workchain !== '0' && workchain !== '-1')
    refuse('A raw TON address begins with 0: or -1:, the workchain of the account.');
  if (account.length !== ACCOUNT_DIGITS)
    refuse(
      `A raw TON address has ${ACCOUNT_DIGITS} hex digits after the colon; this has ${account.length}. Copy it whole.`,
    );
  needHex(account, separator + 1);
  return text.toLowerCase();
}
