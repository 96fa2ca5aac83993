import { blake2b } from '@noble/hashes/blake2.js';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { readBase58 } from './base58check.ts';
import { checker, equalBytes, refuse } from './checker.ts';

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
export const checkPolkadotAddress = checker((text) => {
  if (text.startsWith('0x'))
    refuse('This is a public key in hex; write the address in SS58 form, which begins with 1.');
  if (text.length > LONGEST_TEXT)
    refuse(`A Polkadot address has 47 or 48 characters; this one has ${text.length}.`);
  const bytes = readBase58(text);
  const network = readPrefix(bytes);
  if (network === undefined)
    refuse('The address begins with a reserved SS58 prefix; a Polkadot address begins with 1.');
  const expectedLength = network.length + ACCOUNT_LENGTH + CHECKSUM_LENGTH;
  if (bytes.length !== expectedLength)
    refuse(
      `The address holds ${bytes.length} bytes instead of ${expectedLength}: characters are missing or added. Copy it whole.`,
    );
  const signed = bytes.subarray(0, -CHECKSUM_LENGTH);
  const expected = blake2b(concatBytes(CHECKSUM_DOMAIN, signed)).subarray(0, CHECKSUM_LENGTH);
  if (!equalBytes(bytes.subarray(-CHECKSUM_LENGTH), expected))
    refuse('The checksum does not match: at least one character is wrong.');
  if (network.prefix !== POLKADOT_PREFIX) refuse(otherNetworkReason(network.prefix));
  return text;
});

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
  return `The address has SS58 prefix ${prefix} (${network}); Polkadot has prefix 0. Request the form that begins with 1 from its owner.`;
}
