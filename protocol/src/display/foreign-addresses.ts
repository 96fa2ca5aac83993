import type { Issue } from '../issues.ts';
import { createIssueList, incompleteWalkIssue } from './issue-list.ts';
import { type EffortLimit, effort, isBeyond } from './scan/decode.ts';
import { confirmAddress, type FoundAddress, identitiesOfText } from './scan/identities.ts';
import { siftJoined } from './scan/joined.ts';
import { type ScanFormat, SHORTEST } from './scan/rules.ts';
import { siftText } from './scan/runs.ts';
import { type JsonNode, walkJson } from './walk.ts';

export type { FoundAddress } from './scan/identities.ts';

/** Addresses that text may show: the texts themselves in any spelling, or a function that decides. */
export type AllowedAddresses = ReadonlySet<string> | ((found: FoundAddress) => boolean);

const ASCII = /^[\x00-\x7f]*$/;
const LETTER_OR_DIGIT = /[A-Za-z0-9]/;
/** Latin letters that are made of a plain one and marks. */
const ACCENTED = /[\u00c0-\u024f\u1e00-\u1eff]/;
const INVISIBLE = /\p{M}|\p{Default_Ignorable_Code_Point}/gu;
const NO_FORMS: readonly string[] = [];
const SHOWN_AT_EACH_END = 8;
/** Of runs that are joined over blanks and the like; list items may have one character. */
const SHORTEST_PIECE = 2;
const SHORTEST_ITEM = 1;
/** As many as the walk visits. */
const MOST_ITEMS = 100_000;
/** Longer than the longest address with a link behind every second character. */
const REACH = 300;
/** Between the ends of a long item: no piece goes across it. */
const GAP = '\0';
/** Candidates that one scan hashes: far more than ordinary text has, and all together a fraction of a millisecond's work. */
const HASHED_AT_MOST = 100;
/** Decodings of base58, which ordinary text needs half of at most. */
const DECODED_PER_CHARACTER = 0.3;
const DECODED_AT_LEAST = 2_048;

/** One issue for each text and member name below `value` that shows a valid address other than the allowed ones; `value` may itself be a text. */
export function findForeignAddresses(value: unknown, rootPath: string, allowed: AllowedAddresses): Issue[] {
  const list = createIssueList();
  const scan = createAddressScan(allowed);
  const end = walkJson(value, rootPath, (node) => {
    // What would not be listed any more is not searched either: this bounds the work a hostile text can cause.
    if (!list.isFull('risk_foreign_address')) for (const issue of scan(node)) list.add(issue);
  });
  list.add(incompleteWalkIssue(end));
  return list.issues;
}

/** A function that judges one value at a time, with its name, and remembers what it has seen. */
export function createAddressScan(allowed: AllowedAddresses): (node: JsonNode) => readonly Issue[] {
  const isAllowed = typeof allowed === 'function' ? allowed : allowAddresses(allowed);
  const verdicts = new Map<string, FoundAddress | undefined>();
  const judge: Judge = (candidate, formats) => {
    const key = `${formats[0]} ${candidate}`;
    if (!verdicts.has(key)) {
      const found = confirmAddress(candidate, formats);
      verdicts.set(key, found === undefined || isAllowed(found) ? undefined : found);
    }
    return verdicts.get(key);
  };
  // What this scan may still do. The counters themselves are shared by all scans.
  const left = { hashed: HASHED_AT_MOST, decoded: DECODED_AT_LEAST };
  let hasGivenUp = false;
  return ({ key, value, path }) => {
    // Said already, and what was not looked at is refused rather than trusted.
    if (hasGivenUp) return NO_ISSUES;
    if (isShort(key) && (typeof value === 'string' ? isShort(value) : !Array.isArray(value)))
      return NO_ISSUES;
    const issues: Issue[] = [];
    const limit = { hashed: effort.hashed + left.hashed, decoded: effort.decoded + left.decoded };
    const look = (text: string, place: 'name' | 'text') => {
      limit.decoded += DECODED_PER_CHARACTER * text.length;
      const found = firstInText(text, judge, limit);
      if (found !== undefined) issues.push(foreignAddressIssue(found, path, place));
    };
    if (key !== undefined) look(key, 'name');
    if (typeof value === 'string') look(value, 'text');
    if (Array.isArray(value)) {
      for (const { item, found } of acrossItems(value, judge, limit))
        issues.push(foreignAddressIssue(found, `${path}[${item}]`, 'text'));
    }
    left.hashed = limit.hashed - effort.hashed;
    left.decoded = limit.decoded - effort.decoded;
    hasGivenUp = isBeyond(limit);
    if (hasGivenUp) issues.push(tooManyCandidatesIssue(path));
    return issues;
  };
}

/**
 * Whether a text or name below `value` shows a valid address, or not all of it could be looked at: for callers that look
 * the allowed ones up only then.
 */
export function mayShowAddress(value: unknown): boolean {
  return findForeignAddresses(value, '', NONE_ALLOWED).length > 0;
}

const NONE_ALLOWED: ReadonlySet<string> = new Set();

const NO_ISSUES: readonly Issue[] = [];

/** Shorter than any address, and nothing in it can become longer. */
function isShort(text: string | undefined): boolean {
  return text === undefined || (text.length < SHORTEST && ASCII.test(text));
}

type Judge = (candidate: string, formats: readonly ScanFormat[]) => FoundAddress | undefined;

function firstInText(text: string, judge: Judge, limit: EffortLimit): FoundAddress | undefined {
  let foreign: FoundAddress | undefined;
  const onCandidate = (candidate: string, formats: readonly ScanFormat[]): boolean => {
    foreign = judge(candidate, formats);
    return foreign !== undefined;
  };
  for (const form of comparableForms(text)) {
    if (siftText(form, limit, onCandidate)) break;
    if (siftJoined(form, SHORTEST_PIECE, limit, onCandidate)) break;
  }
  return foreign;
}

/** Addresses that are spread over neighbouring texts of a list, by the item that they begin in. */
function acrossItems(
  list: readonly unknown[],
  judge: Judge,
  limit: EffortLimit,
): { item: number; found: FoundAddress }[] {
  const all: { item: number; found: FoundAddress }[] = [];
  for (const { first, texts } of neighbouringTexts(list)) {
    const starts: number[] = [];
    let joined = '';
    for (const text of texts) {
      starts.push(joined.length);
      if (text !== '') joined += `${text}\n`;
    }
    siftJoined(joined, SHORTEST_ITEM, limit, (candidate, formats, from, to) => {
      const item = starts.findLastIndex((start) => start <= from);
      // Inside of one item it is found when that item is looked at.
      if (to <= (starts[item + 1] ?? Infinity)) return false;
      const found = judge(candidate, formats);
      const at = first + item;
      if (found !== undefined && all.at(-1)?.item !== at) all.push({ item: at, found });
      return false;
    });
  }
  return all;
}

/** Runs of at least two texts. */
function neighbouringTexts(list: readonly unknown[]): { first: number; texts: string[] }[] {
  const runs: { first: number; texts: string[] }[] = [];
  let texts: string[] = [];
  const length = Math.min(list.length, MOST_ITEMS);
  for (let index = 0; index <= length; index += 1) {
    const item = index < length ? itemOf(list, index) : undefined;
    if (typeof item === 'string') {
      texts.push(itemText(item));
      continue;
    }
    if (texts.length > 1) runs.push({ first: index - texts.length, texts });
    texts = [];
  }
  return runs;
}

/** The last form, which has no accents; short ones count here, because they may go on in the next item. */
function itemText(item: string): string {
  const ends = endsOf(item);
  return endsOf(ASCII.test(ends) ? ends : (comparableForms(ends).at(-1) ?? '')).trim();
}

/** Only the ends of an item can be part of an address that goes on in the next one. */
function endsOf(text: string): string {
  return text.length > 2 * REACH ? `${text.slice(0, REACH)}${GAP}${text.slice(-REACH)}` : text;
}

/** Getters and proxies may throw anything; the walk says so. */
function itemOf(list: readonly unknown[], index: number): unknown {
  try {
    return list[index];
  } catch {
    return undefined;
  }
}

/** Allows these addresses in all of their spellings. They are read when the first address is met, which is rarely. */
export function allowAddresses(texts: Iterable<string>): (found: FoundAddress) => boolean {
  let identities: Set<string> | undefined;
  return (found) => {
    identities ??= new Set([...texts].flatMap(identitiesOfText));
    const known = identities;
    return found.identities.some((identity) => known.has(identity));
  };
}

/**
 * NFKC turns full-width letters into plain ones; marks and invisible characters would cut an address that is read as a
 * whole. A second form takes the accents off letters that have one. Text without Latin letters has no form at all.
 */
function comparableForms(text: string): readonly string[] {
  if (ASCII.test(text)) return text.length < SHORTEST ? NO_FORMS : [text];
  const normal = text.normalize('NFKC');
  const hasAccents = ACCENTED.test(normal);
  if (!hasAccents && !LETTER_OR_DIGIT.test(normal)) return NO_FORMS;
  const composed = normal.replace(INVISIBLE, '');
  return hasAccents ? [composed, composed.normalize('NFD').replace(INVISIBLE, '')] : [composed];
}

function foreignAddressIssue(found: FoundAddress, path: string, place: 'text' | 'name'): Issue {
  const { text } = found;
  const isLong = text.length > 2 * SHOWN_AT_EACH_END + 1;
  const shown = isLong ? `${text.slice(0, SHOWN_AT_EACH_END)}…${text.slice(-SHOWN_AT_EACH_END)}` : text;
  const kind = found.kind.replaceAll('_', ' ');
  return {
    field: path,
    code: 'risk_foreign_address',
    message: `The ${place} shows ${shown}, a valid address (${kind}) that is not the payee. Remove it: the wallet shows the payee's address itself.`,
  };
}

function tooManyCandidatesIssue(path: string): Issue {
  return {
    field: path,
    code: 'risk_foreign_address',
    message:
      'Too much of the text resembles addresses to check all of it, or its groups could be joined to addresses in too many ways. Write it with other punctuation, or leave it out.',
  };
}
