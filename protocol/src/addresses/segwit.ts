import { bech32, bech32m } from '@scure/base';
import { type AddressCheck, accepted, refused } from './result.ts';
import { BECH32_ALPHABET, foreignCharacter } from './text.ts';

const LONGEST_SEGWIT = 90;
const HIGHEST_WITNESS_VERSION = 16;

/**
 * Checks a native segregated witness address (BIP-173, BIP-350) and stores it in lower case. Every version up to
 * 16 is accepted, as BIP-350 asks, so that an address of a later soft fork is not refused here.
 */
export function checkSegwitAddress(text: string, prefix: string): AddressCheck {
  if (text.length > LONGEST_SEGWIT) {
    return refused(`A ${prefix}1 address has at most ${LONGEST_SEGWIT} characters; this has ${text.length}.`);
  }
  const lower = text.toLowerCase();
  if (text !== lower && text !== text.toUpperCase()) {
    return refused(`A ${prefix}1 address is all lower case or all upper case, never mixed.`);
  }
  if (!lower.startsWith(`${prefix}1`)) return refused(`The address must begin with ${prefix}1.`);
  const data = lower.slice(prefix.length + 1);
  const foreign = foreignCharacter(data, BECH32_ALPHABET, 'bech32', prefix.length + 1);
  if (foreign !== undefined) return refused(foreign);
  const plain = bech32.decodeUnsafe(lower);
  const decoded = plain || bech32m.decodeUnsafe(lower);
  if (!decoded) {
    return refused(
      'The checksum does not match: a character is wrong, missing or added. Copy the address again.',
    );
  }
  const reason = witnessProblem(decoded.words, plain !== undefined);
  return reason === undefined ? accepted(lower) : refused(reason);
}

function witnessProblem(words: readonly number[], isBech32: boolean): string | undefined {
  const version = words[0];
  if (version === undefined) return 'The address is empty after its prefix; copy it whole.';
  if (version > HIGHEST_WITNESS_VERSION) return `Witness version ${version} does not exist (0 to 16 do).`;
  if ((version === 0) !== isBech32) {
    return version === 0
      ? 'The checksum is of the kind bech32m, but an address of witness version 0 uses bech32.'
      : `The checksum is of the kind bech32, but an address of witness version ${version} uses bech32m. The wallet that made it is out of date.`;
  }
  const program = bech32.fromWordsUnsafe(words.slice(1));
  if (!program) return 'The last character carries surplus bits; copy the address again.';
  const isRightLength =
    version === 0
      ? program.length === 20 || program.length === 32
      : program.length >= 2 && program.length <= 40;
  if (!isRightLength) {
    return `The address holds ${program.length} bytes, which witness version ${version} does not allow; copy it whole.`;
  }
  return undefined;
}
