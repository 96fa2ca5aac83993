import { bech32, bech32m } from '@scure/base';
import { BECH32_ALPHABET, foreignCharacter } from './text.ts';

type Bech32Reading =
  | { ok: true; prefix: string; bytes: Uint8Array; canonical: string }
  | { ok: false; reason: string };

const CHECKSUM_LENGTH = 6;

/**
 * Reads bech32 without the limit of 90 characters, which Cardano and Cosmos both lift. The prefix is left to the
 * caller, who knows the networks and can name the one that was meant.
 */
export function readLongBech32(text: string): Bech32Reading {
  const canonical = text.toLowerCase();
  if (text !== canonical && text !== text.toUpperCase()) {
    return { ok: false, reason: 'The address mixes upper and lower case; write all of it in lower case.' };
  }
  const separator = canonical.lastIndexOf('1');
  const data = canonical.slice(separator + 1);
  if (separator < 1 || data.length < CHECKSUM_LENGTH) {
    return {
      ok: false,
      reason: 'The address is cut short: a prefix, "1" and at least six characters follow each other.',
    };
  }
  const foreign = foreignCharacter(data, BECH32_ALPHABET, 'bech32', separator + 1);
  if (foreign !== undefined) return { ok: false, reason: foreign };
  const decoded = bech32.decodeUnsafe(canonical, false);
  if (!decoded) return { ok: false, reason: checksumReason(canonical) };
  const bytes = bech32.fromWordsUnsafe(decoded.words);
  if (!bytes)
    return {
      ok: false,
      reason: 'The address carries left-over bits after its last byte; copy it again from its source.',
    };
  return { ok: true, prefix: decoded.prefix, bytes, canonical };
}

function checksumReason(text: string): string {
  if (bech32m.decodeUnsafe(text, false)) {
    return 'The address carries a bech32m checksum; this network uses bech32.';
  }
  return 'The checksum does not match: at least one character is wrong or missing.';
}
