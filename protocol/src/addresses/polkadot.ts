import { blake2b } from '@noble/hashes/blake2.js';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { base58 } from '@scure/base';
import { type AddressChecker, accepted, refused } from './result.ts';
import { BASE58_ALPHABET, equalBytes, foreignCharacter } from './text.ts';

const POLKADOT_PREFIX = 0;
const ACCOUNT_LENGTH = 32;
const CHECKSUM_LENGTH = 2;
/** 35 bytes (one prefix byte) to 36 bytes (two prefix bytes); base58 text of that is never longer. */
const LONGEST_TEXT = 50;
const CHECKSUM_DOMAIN = utf8ToBytes('SS58PRE');

/** Names for the prefixes people paste most often (ss58-registry). */
const NETWORKS_BY_PREFIX: ReadonlyMap<number, string> = new Map([
  [2, 'Kusama'],
  [5, 'Astar'],
  [8, 'Karura'],
  [10, 'Acala'],
  [36, 'Centrifuge'],
  [42, 'the generic Substrate form'],
  [63, 'Hydration'],
  [66, 'Crust'],
]);

/** Polkadot account in SS58 form, prefix 0. Other prefixes spell the same keys for other networks and are refused by name. */
export const checkPolkadotAddress: AddressChecker = (text) => {
  if (text.startsWith('0x'))
    return refused('This is a public key in hex; write the address in SS58 form, which begins with 1.');
  if (text.length > LONGEST_TEXT) {
    return refused(`A Polkadot address has 47 or 48 characters; this one has ${text.length}.`);
  }
  const foreign = foreignCharacter(text, BASE58_ALPHABET, 'base58');
  if (foreign !== undefined) return refused(foreign);
  const bytes = base58.decode(text);
  const network = readPrefix(bytes);
  if (network === undefined)
    return refused('The address begins with a reserved SS58 prefix; a Polkadot address begins with 1.');
  const expectedLength = network.length + ACCOUNT_LENGTH + CHECKSUM_LENGTH;
  if (bytes.length !== expectedLength) {
    return refused(
      `The address holds ${bytes.length} bytes instead of ${expectedLength}: characters are missing or added. Copy it whole.`,
    );
  }
  const signed = bytes.subarray(0, -CHECKSUM_LENGTH);
  const expected = blake2b(concatBytes(CHECKSUM_DOMAIN, signed)).subarray(0, CHECKSUM_LENGTH);
  if (!equalBytes(bytes.subarray(-CHECKSUM_LENGTH), expected)) {
    return refused('The checksum does not match: at least one character is wrong.');
  }
  if (network.prefix !== POLKADOT_PREFIX) return refused(otherNetworkReason(network.prefix));
  return accepted(text);
};

/** One byte up to 63, two bytes (with the bits shuffled) from 64 to 16383; higher first bytes are reserved. */
function readPrefix(bytes: Uint8Array): { prefix: number; length: number } | undefined {
  const first = bytes[0] ?? 0xff;
  if (first < 64) return { prefix: first, length: 1 };
  const second = bytes[1];
  if (first >= 128 || second === undefined) return undefined;
  const low = ((first & 0x3f) << 2) | (second >> 6);
  return { prefix: low | ((second & 0x3f) << 8), length: 2 };
}

function otherNetworkReason(prefix: number): string {
  const network = NETWORKS_BY_PREFIX.get(prefix) ?? 'another network';
  return `The address has SS58 prefix ${prefix} (${network}); Polkadot has prefix 0. Ask its owner for the form that begins with 1.`;
}
