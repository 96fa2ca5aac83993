import { base32nopad } from '@scure/base';
import { crc16Xmodem } from './crc.ts';
import { type AddressCheck, type AddressChecker, accepted, refused } from './result.ts';
import { STRKEY_VERSIONS } from './strkey.ts';
import { BASE32_ALPHABET, foreignCharacter } from './text.ts';

const ACCOUNT_LENGTH = 56;
const MUXED_LENGTH = 69;

/** The other StrKey kinds of SEP-23 by first letter, so that a refusal can say what was entered. */
const OTHER_KINDS: Readonly<Record<string, string>> = {
  C: 'a contract, which ordinary payments cannot reach',
  L: 'a liquidity pool',
  B: 'a claimable balance',
  T: 'the hash of a pre-authorised transaction',
  X: 'a hash signer',
  P: 'a signed-payload signer',
};

/**
 * Stellar StrKey (SEP-23). Accounts (G…) and muxed accounts (M…, an account with an id inside) can be paid and are
 * accepted; contracts (C…) are not, because a payment operation cannot name them.
 */
export const checkStellarAddress: AddressChecker = (text) => {
  if (text.startsWith('M')) return checkStrKey(text, STRKEY_VERSIONS.muxed, MUXED_LENGTH);
  return checkStellarAccount(text);
};

/** An issuer, or any place where only a plain account (G…) makes sense. */
export const checkStellarAccount: AddressChecker = (text) => {
  if (text.startsWith('G')) return checkStrKey(text, STRKEY_VERSIONS.account, ACCOUNT_LENGTH);
  return refuseKind(text);
};

export function isMuxedStellarAddress(address: string): boolean {
  return address.startsWith('M');
}

function refuseKind(text: string): AddressCheck {
  if (text.includes('*')) {
    return refused(
      'A federation name is not an address; look up the account (G…) it stands for and enter that.',
    );
  }
  const first = text.charAt(0);
  if (first === 'S' && text.length === ACCOUNT_LENGTH) {
    return refused(
      'This is a secret seed, which must never be shown to anyone: move its funds and enter the public address (G…).',
    );
  }
  if (first === 'M')
    return refused('A muxed account (M…) cannot be used here; enter the account itself (G…).');
  const kind = OTHER_KINDS[first];
  if (kind !== undefined) return refused(`This StrKey names ${kind}; enter an account (G…).`);
  if (first !== first.toUpperCase()) return refused('A Stellar address is written in upper case.');
  return refused(`A Stellar account begins with G and has ${ACCOUNT_LENGTH} characters.`);
}

function checkStrKey(text: string, version: number, length: number): AddressCheck {
  if (text.length !== length) {
    return refused(
      `An address that begins with ${text.charAt(0)} has ${length} characters; this has ${text.length}. Copy it whole.`,
    );
  }
  const foreign = foreignCharacter(text, BASE32_ALPHABET, 'StrKey (A–Z, 2–7)');
  if (foreign !== undefined) return refused(foreign);
  const bytes = decodeStrictly(text);
  if (bytes === undefined) return refused('The last character carries surplus bits; copy the address again.');
  const checksum = crc16Xmodem(bytes, 0, bytes.length - 2);
  if (bytes.at(-2) !== (checksum & 0xff) || bytes.at(-1) !== checksum >> 8) {
    return refused('The checksum does not match: a character is wrong. Copy the address again.');
  }
  if (bytes[0] !== version) return refused('The address names a key algorithm that Stellar does not have.');
  return accepted(text);
}

/** SEP-23 demands that unused bits are zero, and the decoder throws when they are not. */
function decodeStrictly(text: string): Uint8Array | undefined {
  try {
    return base32nopad.decode(text);
  } catch {
    return undefined;
  }
}
