import type { Issue } from '../issues.ts';
import { createIssueList, incompleteWalkIssue } from './issue-list.ts';
import { effort } from './scan/decode.ts';
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
/** Ordinary text costs half of this at most. */
const EFFORT_PER_CHARACTER = 0.3;
const EFFORT_AT_LEAST = 2_048;

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
  let patience = EFFORT_AT_LEAST;
  return ({ key, value, path }) => {
    // Said already, and what was not looked at is refused rather than trusted.
    if (patience < 0) return NO_ISSUES;
    if (isShort(key) && (typeof value === 'string' ? isShort(value) : !Array.isArray(value)))
      return NO_ISSUES;
    const issues: Issue[] = [];
    const look = (text: string, place: 'name' | 'text') => {
      patience += EFFORT_PER_CHARACTER * text.length;
      const { found, spent } = firstInText(text, judge, patience);
      patience -= spent;
      if (found !== undefined) issues.push(foreignAddressIssue(found, path, place));
    };
    if (key !== undefined) look(key, 'name');
    if (typeof value === 'string') look(value, 'text');
    if (Array.isArray(value)) {
      const { all, spent } = acrossItems(value, judge, patience);
      patience -= spent;
      for (const { item, found } of all) issues.push(foreignAddressIssue(found, `${path}[${item}]`, 'text'));
    }
    if (patience < 0) issues.push(tooManyGroupsIssue(path));
    return issues;
  };
}

/** Every valid address in the texts and names below `value`, once each: for callers that look the allowed ones up elsewhere. */
export function listAddresses(value: unknown): FoundAddress[] {
  const found = new Map<string, FoundAddress>();
  const scan = createAddressScan((address) => {
    found.set(address.text, address);
    return true;
  });
  walkJson(value, '', scan);
  return [...found.values()];
}

const NO_ISSUES: readonly Issue[] = [];

/** Shorter than any address, and nothing in it can become longer. */
function isShort(text: string | undefined): boolean {
  return text === undefined || (text.length < SHORTEST && ASCII.test(text));
}

type Judge = (candidate: string, formats: readonly ScanFormat[]) => FoundAddress | undefined;

/** `spent` is what the groups cost; unbroken runs are never more than the text has room for. */
function firstInText(
  text: string,
  judge: Judge,
  patience: number,
): { found: FoundAddress | undefined; spent: number } {
  let spent = 0;
  let foreign: FoundAddress | undefined;
  const onCandidate = (candidate: string, formats: readonly ScanFormat[]): boolean => {
    foreign = judge(candidate, formats);
    return foreign !== undefined;
  };
  for (const form of comparableForms(text)) {
    if (siftText(form, onCandidate)) break;
    const before = effort.spent;
    const isOver = siftJoined(form, SHORTEST_PIECE, before + patience - spent, onCandidate);
    spent += effort.spent - before;
    if (isOver) break;
  }
  return { found: foreign, spent };
}

/** Addresses that are spread over neighbouring texts of a list, by the item that they begin in. */
function acrossItems(
  list: readonly unknown[],
  judge: Judge,
  patience: number,
): { all: { item: number; found: FoundAddress }[]; spent: number } {
  const before = effort.spent;
  const all: { item: number; found: FoundAddress }[] = [];
  for (const { first, texts } of neighbouringTexts(list)) {
    const starts: number[] = [];
    let joined = '';
    for (const text of texts) {
      starts.push(joined.length);
      if (text !== '') joined += `${text}\n`;
    }
    siftJoined(joined, SHORTEST_ITEM, before + patience, (candidate, formats, from, to) => {
      const item = starts.findLastIndex((start) => start <= from);
      // Inside of one item it is found when that item is looked at.
      if (to <= (starts[item + 1] ?? Infinity)) return false;
      const found = judge(candidate, formats);
      const at = first + item;
      if (found !== undefined && all.at(-1)?.item !== at) all.push({ item: at, found });
      return false;
    });
  }
  return { all, spent: effort.spent - before };
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

function tooManyGroupsIssue(path: string): Issue {
  return {
    field: path,
    code: 'risk_foreign_address',
    message:
      'The text is made of groups that could be put together to addresses in too many ways to look at all of them. Write it with other punctuation, or leave it out.',
  };
}
