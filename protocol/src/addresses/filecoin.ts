import { blake2b } from '@noble/hashes/blake2.js';
import { base32nopad } from '@scure/base';
import { type AddressCheck, type AddressChecker, accepted, refused } from './result.ts';
import { BASE32_ALPHABET, equalBytes, foreignCharacter } from './text.ts';

const LOWER_BASE32 = BASE32_ALPHABET.toLowerCase();
const CHECKSUM_LENGTH = 4;
/** f3 is the longest at 86 characters; more than this is never decoded. */
const LONGEST_TEXT = 100;
const DELEGATED_PREFIX = 'f410f';
const DELEGATED_NAMESPACE = 10;
/** Ethereum-style addresses that only wrap an actor id: 0xff and eleven zero bytes. They have no f410 form. */
const WRAPPED_ID = Uint8Array.from([0xff, ...new Uint8Array(11)]);

interface Protocol {
  readonly code: string;
  readonly meaning: string;
  readonly payloadLength: number;
}

const PROTOCOLS: readonly Protocol[] = [
  { code: '1', meaning: 'a secp256k1 key', payloadLength: 20 },
  { code: '2', meaning: 'an actor', payloadLength: 20 },
  { code: '3', meaning: 'a BLS key', payloadLength: 48 },
];

/**
 * Filecoin mainnet: f1, f2, f3 and the delegated f410 addresses. Actor ids (f0…) are refused: they carry no checksum, so that
 * one wrong digit silently names another account.
 */
export const checkFilecoinAddress: AddressChecker = (text) => {
  if (text.length > LONGEST_TEXT) {
    return refused(`The address has ${text.length} characters, which no Filecoin address has.`);
  }
  if (!text.startsWith('f')) return refuseNetwork(text);
  if (text.startsWith('f0')) {
    return refused(
      'An actor id (f0…) carries no checksum and can change after a reorganisation; enter the f1, f2, f3 or f410 address of the account.',
    );
  }
  if (text.startsWith('f4')) return checkDelegated(text);
  const protocol = PROTOCOLS.find(({ code }) => text.charAt(1) === code);
  if (protocol === undefined) return refused('After f a Filecoin address goes on with 1, 2, 3 or 410f.');
  const decoding = decodePayload(text, 2, protocol.payloadLength);
  if (!decoding.ok) return refused(decoding.reason);
  return judgeChecksum(text, Uint8Array.of(Number(protocol.code), ...decoding.payload), decoding.checksum);
};

function checkDelegated(text: string): AddressCheck {
  if (!text.startsWith(DELEGATED_PREFIX)) {
    return refused('The only delegated addresses in use begin with f410f.');
  }
  const decoding = decodePayload(text, DELEGATED_PREFIX.length, 20);
  if (!decoding.ok) return refused(decoding.reason);
  if (equalBytes(decoding.payload.subarray(0, WRAPPED_ID.length), WRAPPED_ID)) {
    return refused(
      'This address only wraps an actor id; enter the f1, f2, f3 or f410 address of the account.',
    );
  }
  return judgeChecksum(text, Uint8Array.of(4, DELEGATED_NAMESPACE, ...decoding.payload), decoding.checksum);
}

function judgeChecksum(text: string, covered: Uint8Array, checksum: Uint8Array): AddressCheck {
  if (equalBytes(blake2b(covered, { dkLen: CHECKSUM_LENGTH }), checksum)) return accepted(text);
  return refused('The checksum does not match: a character is wrong. Copy the address again.');
}

type PayloadDecoding =
  | { ok: true; payload: Uint8Array; checksum: Uint8Array }
  | { ok: false; reason: string };

function decodePayload(text: string, start: number, payloadLength: number): PayloadDecoding {
  const data = text.slice(start);
  const expected = Math.ceil(((payloadLength + CHECKSUM_LENGTH) * 8) / 5);
  if (data.length !== expected) {
    const reason = `An address that begins with ${text.slice(0, start)} has ${start + expected} characters; this has ${text.length}. Copy it whole.`;
    return { ok: false, reason };
  }
  const foreign = foreignCharacter(data, LOWER_BASE32, 'Filecoin base32 (a–z, 2–7)', start);
  if (foreign !== undefined) return { ok: false, reason: foreign };
  try {
    const bytes = base32nopad.decode(data.toUpperCase());
    return {
      ok: true,
      payload: bytes.subarray(0, payloadLength),
      checksum: bytes.subarray(payloadLength),
    };
  } catch {
    return { ok: false, reason: 'The last character carries surplus bits; copy the address again.' };
  }
}

function refuseNetwork(text: string): AddressCheck {
  if (/^t[0-4]/.test(text)) {
    return refused('This is an address of a Filecoin testnet (t…); a mainnet address begins with f.');
  }
  if (text.startsWith('0x')) {
    return refused('Enter the Filecoin form of this address, which begins with f410f.');
  }
  if (text.startsWith('F')) return refused('A Filecoin address is written in lower case.');
  return refused('A Filecoin address begins with f1, f2, f3 or f410f.');
}
