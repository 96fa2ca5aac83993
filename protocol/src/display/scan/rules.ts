import { base58 } from '@scure/base';
import type { AddressKind } from '../../addresses/kinds.ts';
import { bech32Checksum, hasCashChecksum } from '../../addresses/polymod.ts';
import {
  BYRON_HEAD,
  base58CheckSieve,
  isAccountIdentifier,
  isAlgorand,
  isByron,
  isEip55,
  isFilecoin,
  isFilecoinDelegated,
  isPolkadotSs58,
  isStrKey,
  isTon,
  type Sieve,
} from './checksums.ts';

/** What a piece of text may be. Two formats are no payees of their network, yet wallets know how to pay them. */
export type ScanFormat = AddressKind | 'stellar_contract' | 'xrpl_x_address';

export interface ScanRule {
  /** The text begins with one of these; an empty list allows any beginning. */
  readonly prefixes: readonly string[];
  readonly shortest: number;
  readonly longest: number;
  readonly sieve: Sieve;
  readonly formats: readonly ScanFormat[];
  /** The case that means the same to anyone who types the address in; undefined where case is part of it. */
  readonly anyCaseAs?: 'upper' | 'lower';
}

const LEGACY = { shortest: 26, longest: 35 } as const;
const TON_LENGTH = 48;
const TON_PREFIXES: readonly string[] = ['EQ', 'UQ', 'Ef', 'Uf'];

/** Prefix and length of every format with a checksum; nothing is decoded or hashed that does not have both. */
export const RULES: readonly ScanRule[] = [
  exactly(42, ['0x'], isEip55, ['evm']),
  strKeyRule(56, 'G', 'stellar'),
  strKeyRule(69, 'M', 'stellar'),
  strKeyRule(56, 'C', 'stellar_contract'),
  { ...LEGACY, prefixes: ['1'], sieve: base58CheckSieve('bitcoin', 21, [0]), formats: ['bitcoin'] },
  {
    ...LEGACY,
    prefixes: ['3'],
    sieve: base58CheckSieve('bitcoin', 21, [5]),
    formats: ['bitcoin', 'litecoin'],
  },
  {
    ...LEGACY,
    prefixes: ['L', 'M'],
    sieve: base58CheckSieve('bitcoin', 21, [48, 50]),
    formats: ['litecoin'],
  },
  {
    ...LEGACY,
    prefixes: ['D', '9', 'A'],
    sieve: base58CheckSieve('bitcoin', 21, [30, 22]),
    formats: ['dogecoin'],
  },
  {
    shortest: 25,
    longest: 35,
    prefixes: ['r'],
    sieve: base58CheckSieve('ripple', 21, [0]),
    formats: ['xrpl'],
  },
  exactly(47, ['X'], base58CheckSieve('ripple', 31, [5]), ['xrpl_x_address']),
  bech32Rule('bc', 14, 90, 'bitcoin'),
  bech32Rule('ltc', 15, 90, 'litecoin'),
  bech32Rule('addr', 58, 140, 'cardano'),
  bech32Rule('cosmos', 45, 65, 'cosmos'),
  {
    ...exactly(42, ['q', 'p', 'z', 'r', 'Q', 'P', 'Z', 'R'], hasCashChecksum, ['bitcoin_cash']),
    anyCaseAs: 'lower',
  },
  { ...exactly(61, ['p', 'r', 'P', 'R'], hasCashChecksum, ['bitcoin_cash']), anyCaseAs: 'lower' },
  { shortest: 36, longest: 48, prefixes: ['1'], sieve: isPolkadotSs58, formats: ['polkadot'] },
  exactly(36, ['tz1', 'tz2', 'tz3', 'tz4'], base58CheckSieve('bitcoin', 23, [6]), ['tezos']),
  exactly(36, ['KT1'], base58CheckSieve('bitcoin', 23, [2]), ['tezos']),
  { ...exactly(41, ['f1', 'f2'], isFilecoin, ['filecoin']), anyCaseAs: 'lower' },
  { ...exactly(86, ['f3'], isFilecoin, ['filecoin']), anyCaseAs: 'lower' },
  { ...exactly(44, ['f410f'], isFilecoinDelegated, ['filecoin']), anyCaseAs: 'lower' },
  exactly(TON_LENGTH, TON_PREFIXES, isTon, ['ton']),
];

export const ALGORAND: ScanRule = { ...exactly(58, [], isAlgorand, ['algorand']), anyCaseAs: 'upper' };

/** Formats whose text may begin with anything, by their one length. */
const RULES_BY_LENGTH: ReadonlyMap<number, ScanRule> = new Map([
  [58, ALGORAND],
  [64, exactly(64, [], isAccountIdentifier, ['internet_computer'])],
]);

export const SHORTEST_BYRON = 52;
export const LONGEST_BYRON = 138;
/** log 58 / log 256 */
const BYTES_PER_BASE58_CHARACTER = 0.7322476;
const byronStartsByLength = new Map<number, readonly string[]>();

const RULES_BY_FIRST = Array.from({ length: 128 }, (_, code) => {
  const first = String.fromCharCode(code);
  return RULES.filter(({ prefixes }) => prefixes.some((prefix) => prefix.startsWith(first)));
});

export const SHORTEST = Math.min(...RULES.map(({ shortest }) => shortest));

/** The formats whose checksum the run from `start` to `end` has; undefined for nearly everything. */
export function siftRun(text: string, start: number, end: number): readonly ScanFormat[] | undefined {
  const length = end - start;
  if (length < SHORTEST) return undefined;
  let formats: ScanFormat[] | undefined;
  for (const rule of RULES_BY_FIRST[text.charCodeAt(start)] ?? []) {
    if (length < rule.shortest || length > rule.longest) continue;
    if (!rule.prefixes.some((prefix) => text.startsWith(prefix, start))) continue;
    if (rule.sieve(text, start, end)) formats = [...(formats ?? []), ...rule.formats];
  }
  if (length >= SHORTEST_BYRON && length <= LONGEST_BYRON && siftByron(text, start, end))
    formats = [...(formats ?? []), 'cardano'];
  const byLength = RULES_BY_LENGTH.get(length);
  if (byLength?.sieve(text, start, end)) formats = [...(formats ?? []), ...byLength.formats];
  return formats;
}

export function siftByron(text: string, start: number, end: number): boolean {
  return (
    byronStarts(end - start).some((prefix) => text.startsWith(prefix, start)) && isByron(text, start, end)
  );
}

/** TON text may contain - _ + /, so wider runs are scanned for it too. */
export function isTonAt(text: string, start: number): boolean {
  return (
    TON_PREFIXES.some((prefix) => text.startsWith(prefix, start)) && isTon(text, start, start + TON_LENGTH)
  );
}

export { TON_LENGTH };

function exactly(
  length: number,
  prefixes: readonly string[],
  sieve: Sieve,
  formats: readonly ScanFormat[],
): ScanRule {
  return { prefixes, shortest: length, longest: length, sieve, formats };
}

/** The version byte gives the first letter and leaves four for the second. */
function strKeyRule(length: number, first: string, format: ScanFormat): ScanRule {
  const prefixes = Array.from('ABCD', (second) => `${first}${second}`);
  return { ...exactly(length, prefixes, isStrKey, [format]), anyCaseAs: 'upper' };
}

function bech32Rule(prefix: string, shortest: number, longest: number, kind: AddressKind): ScanRule {
  const hasChecksum = bech32Checksum(prefix);
  return {
    prefixes: [`${prefix}1`, `${prefix.toUpperCase()}1`],
    shortest,
    longest,
    sieve: (text, start, end) => hasChecksum(text, start + prefix.length + 1, end),
    formats: [kind],
    anyCaseAs: 'lower',
  };
}

/**
 * The first bytes of a Byron address are fixed and so are, for each length, its first letters: "Ae2tdPwUPEZ" for one kind, "DdzFF" for
 * another, and others where the checksum is a small number, which anyone can search for. Found when a length is first met.
 */
export function byronStarts(textLength: number): readonly string[] {
  const known = byronStartsByLength.get(textLength);
  if (known !== undefined) return known;
  const starts: string[] = [];
  const roughly = Math.round(textLength * BYTES_PER_BASE58_CHARACTER);
  for (let length = roughly - 1; length <= roughly + 1; length += 1) {
    const lowest = base58.encode(new Uint8Array(length).map((_, index) => BYRON_HEAD[index] ?? 0));
    const highest = base58.encode(new Uint8Array(length).map((_, index) => BYRON_HEAD[index] ?? 255));
    if (lowest.length === textLength) starts.push(commonStart(lowest, highest));
  }
  byronStartsByLength.set(textLength, starts);
  return starts;
}

function commonStart(left: string, right: string): string {
  let length = 0;
  while (length < left.length && left[length] === right[length]) length += 1;
  return left.slice(0, length);
}
