import { readBase58Check } from './base58check.ts';
import { checker, equalBytes, refuse } from './checker.ts';

/** Leading bytes that make the base58 text begin with these letters (Octez, `src/lib_crypto/base58.ml`). */
const PREFIXES: ReadonlyMap<string, Uint8Array> = new Map([
  ['tz1', Uint8Array.of(6, 161, 159)],
  ['tz2', Uint8Array.of(6, 161, 161)],
  ['tz3', Uint8Array.of(6, 161, 164)],
  ['tz4', Uint8Array.of(6, 161, 166)],
  ['KT1', Uint8Array.of(2, 90, 121)],
]);
const TEXT_LENGTH = 36;
const PREFIX_LENGTH = 3;
const HASH_LENGTH = 20;

/**
 * Tezos accounts of the four key kinds and contracts. Smart rollups (sr1…) are refused although their checksum is
 * real: the protocol lets a transfer to them carry no tez.
 */
export const checkTezosAddress = checker((text) => {
  const prefix = text.slice(0, PREFIX_LENGTH);
  const prefixBytes = PREFIXES.get(prefix);
  if (prefixBytes === undefined) refusePrefix(prefix);
  if (text.includes('%'))
    refuse(
      'The address names an entry point after "%"; a payment goes to the contract itself, so leave that part out.',
    );
  if (text.length !== TEXT_LENGTH)
    refuse(`A Tezos address has ${TEXT_LENGTH} characters; this has ${text.length}. Copy it whole.`);
  const payload = readBase58Check(text);
  const isRightLength = payload.length === PREFIX_LENGTH + HASH_LENGTH;
  if (!isRightLength || !equalBytes(payload.subarray(0, PREFIX_LENGTH), prefixBytes))
    refuse(`The text begins like a ${prefix} address but holds something else; copy it again.`);
  return text;
});

function refusePrefix(prefix: string): never {
  if (prefix === 'sr1')
    refuse(
      'The prefix sr1 names a smart rollup, which cannot receive tez; enter an address that begins with tz1, tz2, tz3, tz4 or KT1.',
    );
  const isOtherKey = /^tz\d$/.test(prefix);
  const beginning = isOtherKey ? `Addresses of the kind ${prefix} cannot be used here. ` : '';
  refuse(`${beginning}A Tezos address begins with tz1, tz2, tz3, tz4 or KT1.`);
}
