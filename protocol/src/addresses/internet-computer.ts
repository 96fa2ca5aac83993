import { sha224 } from '@noble/hashes/sha2.js';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { hex } from '@scure/base';
import {
  BASE32_ALPHABET,
  checker,
  decodeBase32,
  isOneCase,
  needAlphabet,
  needHex,
  refuse,
} from './checker.ts';
import { crc32 } from './crc.ts';

const ACCOUNT_ID_DIGITS = 64;
const CHECKSUM_LENGTH = 4;
const LONGEST_PRINCIPAL_TEXT = 63;
const LONGEST_PRINCIPAL = 29;
const ANONYMOUS = '2vxsx-fae';
const ACCOUNT_DOMAIN = utf8ToBytes('\x0aaccount-id');
const DEFAULT_SUBACCOUNT = new Uint8Array(32);

/**
 * Account identifier of the ICP ledger (64 hex digits that begin with their CRC-32) or principal in its textual form. The
 * management canister and the anonymous principal are refused: no one in particular owns what they hold.
 */
export const checkInternetComputerAddress = checker((text) => {
  if (!isOneCase(text)) refuse('The address mixes upper and lower case; write all of it in lower case.');
  if (text.includes('-')) return readPrincipal(text);
  if (text.length !== ACCOUNT_ID_DIGITS)
    refuse(
      `An account identifier has ${ACCOUNT_ID_DIGITS} hex digits, a principal is groups of five joined by hyphens; this has ${text.length} characters.`,
    );
  needHex(text);
  const bytes = hex.decode(text);
  if (!hasValidChecksum(bytes))
    refuse('The checksum does not match: a digit is wrong. Copy the account identifier again.');
  return text.toLowerCase();
});

/** The account identifier of a principal's default account: the ledger holds one balance under both names. */
export function defaultAccountIdOf(principalText: string): string | undefined {
  const bytes = decodeBase32(principalText.replaceAll('-', '').toUpperCase());
  if (bytes === undefined) return undefined;
  const hash = sha224(concatBytes(ACCOUNT_DOMAIN, bytes.subarray(CHECKSUM_LENGTH), DEFAULT_SUBACCOUNT));
  return crc32(hash).toString(16).padStart(8, '0') + hex.encode(hash);
}

function readPrincipal(text: string): string {
  if (text.includes('.'))
    refuse(
      'This account names a subaccount after a dot; enter its account identifier (64 hex digits) instead.',
    );
  if (text.length > LONGEST_PRINCIPAL_TEXT)
    refuse(`A principal has at most ${LONGEST_PRINCIPAL_TEXT} characters; this has ${text.length}.`);
  const lower = text.toLowerCase();
  const characters = lower.replaceAll('-', '');
  needAlphabet(lower, `${BASE32_ALPHABET.toLowerCase()}-`, 'base32');
  if (lower !== characters.match(/.{1,5}/g)?.join('-'))
    refuse('A hyphen follows every fifth character of a principal; characters are missing or added.');
  const bytes = decodeBase32(characters.toUpperCase());
  if (bytes === undefined || bytes.length < CHECKSUM_LENGTH)
    refuse('The principal is cut short or its last character is wrong; copy it whole.');
  if (!hasValidChecksum(bytes))
    refuse('The checksum does not match: a character is wrong. Copy the principal again.');
  return judgePrincipal(lower, bytes.length - CHECKSUM_LENGTH);
}

function judgePrincipal(text: string, length: number): string {
  if (length === 0) refuse('This is the management canister, which cannot be paid.');
  if (text === ANONYMOUS) refuse('This is the anonymous principal; it has no owner.');
  if (length > LONGEST_PRINCIPAL) refuse(`A principal holds at most ${LONGEST_PRINCIPAL} bytes.`);
  return text;
}

function hasValidChecksum(bytes: Uint8Array): boolean {
  const [first = 0, second = 0, third = 0, fourth = 0] = bytes;
  const stated = ((first << 24) | (second << 16) | (third << 8) | fourth) >>> 0;
  return stated === crc32(bytes, CHECKSUM_LENGTH);
}
