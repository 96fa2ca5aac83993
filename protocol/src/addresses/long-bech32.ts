import { bech32, bech32m } from '@scure/base';
import { BECH32_ALPHABET, isOneCase, needAlphabet, refuse } from './checker.ts';

const CHECKSUM_LENGTH = 6;

/**
 * Reads bech32 without the limit of 90 characters, which Cardano and Cosmos both lift. The prefix is left to the
 * caller, who knows the networks and can name the one that was meant.
 */
export function readLongBech32(text: string): { bytes: Uint8Array; canonical: string } {
  const canonical = text.toLowerCase();
  if (!isOneCase(text)) refuse('The address mixes upper and lower case; write all of it in lower case.');
  const separator = canonical.lastIndexOf('1');
  const data = canonical.slice(separator + 1);
  if (separator < 1 || data.length < CHECKSUM_LENGTH)
    refuse('The address is cut short: a prefix, "1" and at least six characters follow each other.');
  needAlphabet(data, BECH32_ALPHABET, 'bech32', separator + 1);
  const decoded = bech32.decodeUnsafe(canonical, false);
  if (!decoded)
    refuse(
      bech32m.decodeUnsafe(canonical, false)
        ? 'The address carries a bech32m checksum; this network uses bech32.'
        : 'The checksum does not match: at least one character is wrong or missing.',
    );
  const bytes = bech32.fromWordsUnsafe(decoded.words);
  if (!bytes)
    refuse('The address carries left-over bits after its last byte; copy it again from its source.');
  return { bytes, canonical };
}
