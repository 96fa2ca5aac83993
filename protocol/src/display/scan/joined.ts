import { type EffortLimit, isBeyond } from './decode.ts';
import {
  ACCOUNT_IDENTIFIER_LENGTH,
  isAccountIdentifierAt,
  mayBeAccountIdentifier,
  readHexStretches,
} from './hex-stretches.ts';
import { BARE_PRINCIPAL_LENGTHS, isBarePrincipal, withHyphens } from './principal.ts';
import {
  ALGORAND,
  byronStarts,
  isTonAt,
  LONGEST_BYRON,
  RULES,
  type ScanFormat,
  type ScanRule,
  SHORTEST,
  SHORTEST_BYRON,
  siftByron,
  TON_LENGTH,
} from './rules.ts';
import type { OnCandidate } from './runs.ts';

/**
 * Addresses that are written in groups: "GABC DEFG …", "GABC, DEFG", "G A B C", over two lines, in brackets. Pieces are
 * runs of letters and digits that follow each other with at most a few other characters between them; any stretch of
 * whole pieces may be an address, and also a single piece in a case that its format does not use. The work is linear:
 * only stretches with the right prefix and length are checked, and no stretch is longer than the longest address.
 */
const LONGEST_LINK = 8;
/** Between texts that are not read as one: no piece goes across it. */
export const GAP = '\0';

const LETTERS_AND_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const IN_PIECE = flagsOf(LETTERS_AND_DIGITS);
const TON_JOINERS = flagsOf('-_+/');
const IN_TON_PIECE = flagsOf(`${LETTERS_AND_DIGITS}-_+/`);
const TON: readonly ScanFormat[] = ['ton'];
const INTERNET_COMPUTER: readonly ScanFormat[] = ['internet_computer'];

/** By the first character, in the case as it is written. */
const RULES_BY_FIRST = Array.from({ length: 128 }, (_, code) => {
  const first = String.fromCharCode(code);
  return RULES.filter((rule) => {
    const seen = inCaseOf(rule, first);
    return rule.prefixes.some((prefix) => prefix.startsWith(seen));
  });
});
const NO_RULES: readonly ScanRule[] = [];
const ALGORAND_LENGTH = ALGORAND.longest;
const ACCOUNT_LENGTH = ACCOUNT_IDENTIFIER_LENGTH;
const [CANISTER_LENGTH = 0, USER_LENGTH = 0] = BARE_PRINCIPAL_LENGTHS;
const LONGEST = Math.max(LONGEST_BYRON, ...RULES.map(({ longest }) => longest));

/**
 * Pieces of one chain: their positions in the text, and their positions after everything between them is removed. A
 * single chain is reused for all texts: most texts have many chains, and none of them is an address.
 */
interface Chain {
  joined: string;
  count: number;
  /** Of each piece: its place in the text and the end there, and its place in the joined text. */
  starts: Int32Array;
  stops: Int32Array;
  offsets: Int32Array;
  /** At each place of the joined text where a piece ends: its end in the text; elsewhere 0. */
  ends: Int32Array;
}

const chain: Chain = {
  joined: '',
  count: 0,
  starts: new Int32Array(256),
  stops: new Int32Array(256),
  offsets: new Int32Array(256),
  ends: new Int32Array(1024),
};

/** True when it ended before the end of the text: by `onCandidate`, or because it would go beyond `limit`. */
export function siftJoined(text: string, limit: EffortLimit, onCandidate: OnCandidate): boolean {
  if (eachChain(text, IN_PIECE, () => siftChain(limit, onCandidate))) return true;
  if (!/[EU][^A-Za-z0-9]{0,8}[Qf]/.test(text)) return false;
  return eachChain(text, IN_TON_PIECE, () => siftTonChain(onCandidate));
}

/** True when `visit` ended the scan. */
function eachChain(text: string, inPiece: Uint8Array, visit: () => boolean): boolean {
  chain.count = 0;
  let start = -1;
  for (let index = 0; index <= text.length; index += 1) {
    if (index < text.length && inPiece[text.charCodeAt(index)] === 1) {
      if (start === -1) start = index;
      continue;
    }
    if (start === -1) continue;
    const isLinked = chain.count > 0 && isLink(text, chain.stops[chain.count - 1] ?? 0, start);
    if (!isLinked && closeChain(text, visit)) return true;
    addPiece(start, index);
    start = -1;
  }
  return closeChain(text, visit);
}

function isLink(text: string, from: number, to: number): boolean {
  if (to - from > LONGEST_LINK) return false;
  for (let index = from; index < to; index += 1) if (text.charCodeAt(index) === 0) return false;
  return true;
}

function addPiece(start: number, stop: number): void {
  if (chain.count === chain.starts.length) {
    chain.starts = doubled(chain.starts);
    chain.stops = doubled(chain.stops);
    chain.offsets = doubled(chain.offsets);
  }
  chain.starts[chain.count] = start;
  chain.stops[chain.count] = stop;
  chain.count += 1;
}

function doubled(places: Int32Array): Int32Array {
  const larger = new Int32Array(2 * places.length);
  larger.set(places);
  return larger;
}

/** Visits the chain unless it is too short for any address, and begins another one. */
function closeChain(text: string, visit: () => boolean): boolean {
  const { count, starts, stops, offsets } = chain;
  chain.count = 0;
  // Most chains have a single piece, and most of those cannot be an address in any case.
  if (count === 1 && !mayBeInAnyCase(text, starts[0] ?? 0, stops[0] ?? 0)) return false;
  let length = 0;
  for (let piece = 0; piece < count; piece += 1) {
    offsets[piece] = length;
    length += (stops[piece] ?? 0) - (starts[piece] ?? 0);
  }
  if (length < SHORTEST) return false;
  // What is behind the end stays 0: no stretch reaches further than the longest address.
  const needed = length + LONGEST + 1;
  if (chain.ends.length < needed) chain.ends = new Int32Array(2 * needed);
  chain.ends.fill(0, 0, needed);
  let joined = '';
  for (let piece = 0; piece < count; piece += 1) {
    const stop = stops[piece] ?? 0;
    joined += text.slice(starts[piece], stop);
    chain.ends[joined.length] = stop;
  }
  chain.joined = joined;
  chain.count = count;
  const isOver = visit();
  chain.count = 0;
  return isOver;
}

/** Whether an unbroken run could be an address that is written in a case that its format does not use. */
function mayBeInAnyCase(text: string, start: number, stop: number): boolean {
  const length = stop - start;
  if (length === ALGORAND_LENGTH || length === CANISTER_LENGTH || length === USER_LENGTH) return true;
  for (const rule of RULES_BY_FIRST[text.charCodeAt(start)] ?? NO_RULES)
    if (rule.anyCaseAs !== undefined && length >= rule.shortest && length <= rule.longest) return true;
  return false;
}

function siftChain(limit: EffortLimit, onCandidate: OnCandidate): boolean {
  const { joined, count, offsets, ends } = chain;
  const upper = joined.toUpperCase();
  const lower = joined.toLowerCase();
  let hasReadHex = false;
  const inCase = (rule: ScanRule) =>
    rule.anyCaseAs === undefined ? joined : rule.anyCaseAs === 'upper' ? upper : lower;
  for (let piece = 0; piece < count; piece += 1) {
    if (isBeyond(limit)) return true;
    const at = offsets[piece] ?? 0;
    for (const rule of RULES_BY_FIRST[joined.charCodeAt(at)] ?? NO_RULES) {
      if (rule.shortest === rule.longest && ends[at + rule.longest] === 0) continue;
      const text = inCase(rule);
      if (!startsLike(rule, text, at)) continue;
      if (siftLengths(piece, text, rule, onCandidate)) return true;
    }
    if (ends[at + ALGORAND_LENGTH] !== 0 && siftLengths(piece, upper, ALGORAND, onCandidate)) return true;
    if (ends[at + ACCOUNT_LENGTH] !== 0 && mayBeAccountIdentifier(joined, at)) {
      if (!hasReadHex) readHexStretches(lower);
      hasReadHex = true;
      if (isAccountIdentifierAt(at) && tellOfAccount(piece, lower, onCandidate)) return true;
    }
    if (ends[at + CANISTER_LENGTH] !== 0 && siftPrincipal(piece, CANISTER_LENGTH, onCandidate)) return true;
    if (ends[at + USER_LENGTH] !== 0 && siftPrincipal(piece, USER_LENGTH, onCandidate)) return true;
    if (siftByrons(piece, onCandidate)) return true;
  }
  return false;
}

function startsLike({ prefixes }: ScanRule, text: string, at: number): boolean {
  for (const prefix of prefixes) if (text.startsWith(prefix, at)) return true;
  return false;
}

function siftLengths(piece: number, text: string, rule: ScanRule, onCandidate: OnCandidate): boolean {
  const at = chain.offsets[piece] ?? 0;
  const longest = Math.min(rule.longest, text.length - at);
  for (let length = rule.shortest; length <= longest; length += 1) {
    const to = chain.ends[at + length] ?? 0;
    if (to === 0) continue;
    const from = chain.starts[piece] ?? 0;
    // A piece in its original case is an unbroken run, which has been checked already.
    if (to - from === length && (rule.anyCaseAs === undefined || isSame(chain.joined, text, at, length)))
      continue;
    if (!rule.sieve(text, at, at + length)) continue;
    if (onCandidate(text.slice(at, at + length), rule.formats, from, to)) return true;
  }
  return false;
}

function isSame(left: string, right: string, at: number, length: number): boolean {
  return left.slice(at, at + length) === right.slice(at, at + length);
}

function tellOfAccount(piece: number, text: string, onCandidate: OnCandidate): boolean {
  const at = chain.offsets[piece] ?? 0;
  const to = chain.ends[at + ACCOUNT_LENGTH] ?? 0;
  return onCandidate(text.slice(at, at + ACCOUNT_LENGTH), INTERNET_COMPUTER, chain.starts[piece] ?? 0, to);
}

function siftPrincipal(piece: number, length: number, onCandidate: OnCandidate): boolean {
  const at = chain.offsets[piece] ?? 0;
  if (!isBarePrincipal(chain.joined, at, at + length)) return false;
  const spelled = withHyphens(chain.joined.slice(at, at + length));
  return onCandidate(spelled, INTERNET_COMPUTER, chain.starts[piece] ?? 0, chain.ends[at + length] ?? 0);
}

function siftByrons(piece: number, onCandidate: OnCandidate): boolean {
  const at = chain.offsets[piece] ?? 0;
  const from = chain.starts[piece] ?? 0;
  const start = chain.joined.charCodeAt(at) * 128 + chain.joined.charCodeAt(at + 1);
  for (const length of byronLengths(start)) {
    const to = chain.ends[at + length] ?? 0;
    if (to === 0 || to - from === length || !siftByron(chain.joined, at, at + length)) continue;
    if (onCandidate(chain.joined.slice(at, at + length), ['cardano'], from, to)) return true;
  }
  return false;
}

let lengthsByStart: Map<number, number[]> | undefined;
const NO_LENGTHS: readonly number[] = [];

/** Lengths that a Byron address with these two first letters can have: one or two, or none. */
function byronLengths(start: number): readonly number[] {
  if (lengthsByStart === undefined) {
    lengthsByStart = new Map();
    for (let length = SHORTEST_BYRON; length <= LONGEST_BYRON; length += 1) {
      for (const prefix of byronStarts(length)) {
        const key = prefix.charCodeAt(0) * 128 + prefix.charCodeAt(1);
        lengthsByStart.set(key, [...(lengthsByStart.get(key) ?? []), length]);
      }
    }
  }
  return lengthsByStart.get(start) ?? NO_LENGTHS;
}

/** Pieces of TON text may hold - _ + and /, and an address may begin and end next to one of them, as in an unbroken run. */
function siftTonChain(onCandidate: OnCandidate): boolean {
  const { joined, count, starts, offsets, ends } = chain;
  for (let piece = 0; piece < count; piece += 1) {
    const start = offsets[piece] ?? 0;
    const end = piece + 1 < count ? (offsets[piece + 1] ?? 0) : joined.length;
    for (let at = start; at < end; at += 1) {
      if (at > start && TON_JOINERS[joined.charCodeAt(at - 1)] !== 1) continue;
      const after = at + TON_LENGTH;
      const isEnd = (ends[after] ?? 0) !== 0 || TON_JOINERS[joined.charCodeAt(after)] === 1;
      if (!isEnd || after <= end || !isTonAt(joined, at)) continue;
      const from = (starts[piece] ?? 0) + at - start;
      if (onCandidate(joined.slice(at, after), TON, from, textEndOf(after))) return true;
    }
  }
  return false;
}

/** Where the first `after` characters of the joined text end in the original text. */
function textEndOf(after: number): number {
  let piece = chain.count - 1;
  while ((chain.offsets[piece] ?? 0) >= after) piece -= 1;
  return (chain.starts[piece] ?? 0) + after - (chain.offsets[piece] ?? 0);
}

function inCaseOf(rule: ScanRule, text: string): string {
  if (rule.anyCaseAs === undefined) return text;
  return rule.anyCaseAs === 'upper' ? text.toUpperCase() : text.toLowerCase();
}

/** 1 at the code of each of these characters. */
function flagsOf(characters: string): Uint8Array {
  const codes = Array.from(characters, (character) => character.charCodeAt(0));
  const flags = new Uint8Array(Math.max(...codes) + 1);
  for (const code of codes) flags[code] = 1;
  return flags;
}
