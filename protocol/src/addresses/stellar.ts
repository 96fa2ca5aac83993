import { base32nopad } from '@scure/base';
import { BASE32_ALPHABET, checker, decodeBase32, needAlphabet, refuse } from './checker.ts';
import { crc16Xmodem } from './crc.ts';

/** The first byte of a StrKey (SEP-23) encodes its kind, and thereby determines its first letter: G, M or S. */
const STRKEY_VERSIONS = { account: 6 << 3, muxed: 12 << 3, seed: 18 << 3 } as const;
type StrKeyKind = keyof typeof STRKEY_VERSIONS;

const CHECKSUM_BYTES = 2;
const ACCOUNT_LENGTH = 56;
const MUXED_LENGTH = 69;

/** The other StrKey kinds of SEP-23 by first letter, so that the error can name what was entered. */
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
export const checkStellarAddress = checker((text) => {
  if (text.startsWith('M')) return readStrKey(text, STRKEY_VERSIONS.muxed, MUXED_LENGTH);
  return readStellarAccount(text);
});

/** An issuer, or any place where only a plain account (G…) makes sense. */
export const checkStellarAccount = checker(readStellarAccount);

export function readStellarAccount(text: string): string {
  if (text.startsWith('G')) return readStrKey(text, STRKEY_VERSIONS.account, ACCOUNT_LENGTH);
  return refuseKind(text);
}

export function isMuxedStellarAddress(address: string): boolean {
  return address.startsWith('M');
}

function refuseKind(text: string): never {
  if (text.includes('*'))
    refuse('A federation name is not an address; find the account (G…) behind it and enter that.');
  const first = text.charAt(0);
  if (first === 'S' && text.length === ACCOUNT_LENGTH)
    refuse(
      'This is a secret seed, which must never be shown to anyone: move its funds and enter the public address (G…).',
    );
  if (first === 'M') refuse('A muxed account (M…) cannot be used here; enter the account itself (G…).');
  const kind = OTHER_KINDS[first];
  if (kind !== undefined) refuse(`This StrKey names ${kind}; enter an account (G…).`);
  if (first !== first.toUpperCase()) refuse('A Stellar address is written in upper case.');
  refuse(`A Stellar account begins with G and has ${ACCOUNT_LENGTH} characters.`);
}

function readStrKey(text: string, version: number, length: number): string {
  if (text.length !== length)
    refuse(
      `An address that begins with ${text.charAt(0)} has ${length} characters; this has ${text.length}. Copy it whole.`,
    );
  needAlphabet(text, BASE32_ALPHABET, 'StrKey (A–Z, 2–7)');
  // SEP-23 demands that unused bits are zero.
  const bytes = decodeBase32(text);
  if (bytes === undefined) refuse('The last character carries surplus bits; copy the address again.');
  const checksum = crc16Xmodem(bytes, 0, bytes.length - 2);
  if (bytes.at(-2) !== (checksum & 0xff) || bytes.at(-1) !== checksum >> 8)
    refuse('The checksum does not match: a character is wrong. Copy the address again.');
  if (bytes[0] !== version) refuse('The address names a key algorithm that Stellar does not have.');
  return text;
}

export function encodeStrKey(kind: StrKeyKind, payload: Uint8Array): string {
  const bytes = new Uint8Array(1 + payload.length + CHECKSUM_BYTES);
  bytes[0] = STRKEY_VERSIONS[kind];
  bytes.set(payload, 1);
  const checksum = crc16Xmodem(bytes, 0, bytes.length - CHECKSUM_BYTES);
  bytes.set([checksum & 0xff, checksum >> 8], bytes.length - CHECKSUM_BYTES);
  return base32nopad.encode(bytes);
}

/** What is inside, or nothing when the text is not exactly what `encodeStrKey` would write. */
export function decodeStrKey(kind: StrKeyKind, text: string): Uint8Array | undefined {
  const payload = decodeBase32(text)?.slice(1, -CHECKSUM_BYTES);
  return payload && encodeStrKey(kind, payload) === text ? payload : undefined;
}
