import { blake2b } from '@noble/hashes/blake2.js';
import { BASE32_ALPHABET, checker, decodeBase32, equalBytes, needAlphabet, refuse } from './checker.ts';

const LOWER_BASE32 = BASE32_ALPHABET.toLowerCase();
const CHECKSUM_LENGTH = 4;
/** f3 is the longest at 86 characters; more than this is never decoded. */
const LONGEST_TEXT = 100;
const DELEGATED_PREFIX = 'f410f';
const DELEGATED_NAMESPACE = 10;
/** Ethereum-style addresses that only wrap an actor id: 0xff and eleven zero bytes. They have no f410 form. */
const WRAPPED_ID = Uint8Array.from([0xff, ...new Uint8Array(11)]);

/** How long the payload is: a secp256k1 key, an actor, a BLS key. */
const PAYLOAD_LENGTHS: Readonly<Record<string, number>> = { 1: 20, 2: 20, 3: 48 };

/**
 * Filecoin mainnet: f1, f2, f3 and the delegated f410 addresses. Actor ids (f0…) are refused: they carry no checksum, so that
 * one wrong digit silently names another account.
 */
export const checkFilecoinAddress = checker((text) => {
  if (text.length > LONGEST_TEXT)
    refuse(`The address has ${text.length} characters, which no Filecoin address has.`);
  if (!text.startsWith('f')) refuseNetwork(text);
  if (text.startsWith('f0'))
    refuse(
      'An actor id (f0…) carries no checksum and can change after a reorganisation; enter the f1, f2, f3 or f410 address of the account.',
    );
  if (text.startsWith('f4')) return readDelegated(text);
  const protocol = text.charAt(1);
  const length = PAYLOAD_LENGTHS[protocol];
  if (length === undefined) refuse('After f a Filecoin address continues with 1, 2, 3 or 410f.');
  judgeChecksum([Number(protocol)], decodePayload(text, 2, length));
  return text;
});

function readDelegated(text: string): string {
  if (!text.startsWith(DELEGATED_PREFIX)) refuse('The only delegated addresses in use begin with f410f.');
  const bytes = decodePayload(text, DELEGATED_PREFIX.length, 20);
  if (equalBytes(bytes.subarray(0, WRAPPED_ID.length), WRAPPED_ID))
    refuse('This address only wraps an actor id; enter the f1, f2, f3 or f410 address of the account.');
  judgeChecksum([4, DELEGATED_NAMESPACE], bytes);
  return text;
}

/** The checksum is over what names the protocol and the payload. */
function judgeChecksum(head: readonly number[], bytes: Uint8Array): void {
  const covered = Uint8Array.of(...head, ...bytes.subarray(0, -CHECKSUM_LENGTH));
  if (!equalBytes(blake2b(covered, { dkLen: CHECKSUM_LENGTH }), bytes.subarray(-CHECKSUM_LENGTH)))
    refuse('The checksum does not match: a character is wrong. Copy the address again.');
}

/** Payload and checksum. */
function decodePayload(text: string, start: number, payloadLength: number): Uint8Array {
  const data = text.slice(start);
  const expected = Math.ceil(((payloadLength + CHECKSUM_LENGTH) * 8) / 5);
  if (data.length !== expected)
    refuse(
      `An address that begins with ${text.slice(0, start)} has ${start + expected} characters; this has ${text.length}. Copy it whole.`,
    );
  needAlphabet(data, LOWER_BASE32, 'Filecoin base32 (a–z, 2–7)', start);
  const bytes = decodeBase32(data.toUpperCase());
  return bytes ?? refuse('The last character carries surplus bits; copy the address again.');
}

function refuseNetwork(text: string): never {
  if (/^t[0-4]/.test(text))
    refuse('This is an address of a Filecoin testnet (t…); a mainnet address begins with f.');
  if (text.startsWith('0x')) refuse('Enter the Filecoin form of this address, which begins with f410f.');
  if (text.startsWith('F')) refuse('A Filecoin address is written in lower case.');
  refuse('A Filecoin address begins with f1, f2, f3 or f410f.');
}
