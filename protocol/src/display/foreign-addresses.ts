import type { Issue } from '../issues.ts';
import { createIssueList, incompleteWalkIssue } from './issue-list.ts';
import { type EffortLimit, effort, isBeyond } from './scan/decode.ts';
import { ASCII, comparableForms } from './scan/forms.ts';
import { confirmAddress, type FoundAddress, identitiesOfText } from './scan/identities.ts';
import { siftJoined } from './scan/joined.ts';
import { type ScanFormat, SHORTEST } from './scan/rules.ts';
import { siftText } from './scan/runs.ts';
import { createSpreadTexts, type Judge } from './scan/spread.ts';
import { type JsonNode, walkJson } from './walk.ts';

export type { FoundAddress } from './scan/identities.ts';

/** Addresses that text may show: the texts themselves in any spelling, or a function that decides. */
export type AllowedAddresses = ReadonlySet<string> | ((found: FoundAddress) => boolean);

const SHOWN_AT_EACH_END = 8;
/** Candidates that one scan hashes: far more than ordinary text has, and all together a fraction of a millisecond's work. */
const HASHED_AT_MOST = 100;
/** Besides, across values: twice what lists of several hundred short values with numbers need. */
const HASHED_ACROSS = 600;
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
  if (!list.isFull('risk_foreign_address')) for (const issue of scan.acrossValues()) list.add(issue);
  list.add(incompleteWalkIssue(end));
  return list.issues;
}

interface AddressScan {
  /** Judges one value with its name. */
  (node: JsonNode): readonly Issue[];
  /** Addresses that are spread over several of the values and names so far. */
  acrossValues(): readonly Issue[];
}

/** A scan remembers what it has seen, and how much work that was. */
export function createAddressScan(allowed: AllowedAddresses): AddressScan {
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
  const spread = createSpreadTexts();
  let hasGivenUp = false;
  let lastPath = '';
  const limited = (path: string, work: (limit: EffortLimit, issues: Issue[]) => void): readonly Issue[] => {
    const issues: Issue[] = [];
    const limit = { hashed: effort.hashed + left.hashed, decoded: effort.decoded + left.decoded };
    work(limit, issues);
    left.hashed = limit.hashed - effort.hashed;
    left.decoded = limit.decoded - effort.decoded;
    hasGivenUp = isBeyond(limit);
    if (hasGivenUp) issues.push(tooManyCandidatesIssue(path));
    return issues;
  };
  const scan = ({ key, value, path }: JsonNode) => {
    // Already reported; the text that was not scanned is refused rather than trusted.
    if (hasGivenUp) return NO_ISSUES;
    lastPath = path;
    spread.add(key, value, path);
    if (isShort(key) && (typeof value !== 'string' || isShort(value))) return NO_ISSUES;
    return limited(path, (limit, issues) => {
      const look = (text: string, place: 'name' | 'text') => {
        limit.decoded += DECODED_PER_CHARACTER * text.length;
        const found = firstInText(text, judge, limit);
        if (found !== undefined) issues.push(foreignAddressIssue(found, path, place));
      };
      if (key !== undefined) look(key, 'name');
      if (typeof value === 'string') look(value, 'text');
    });
  };
  const acrossValues = () => {
    if (hasGivenUp) return NO_ISSUES;
    return limited(lastPath, (limit, issues) => {
      limit.hashed += HASHED_ACROSS;
      limit.decoded += DECODED_PER_CHARACTER * spread.length();
      for (const { path, found } of spread.search(judge, limit))
        issues.push(foreignAddressIssue(found, path, 'text'));
    });
  };
  return Object.assign(scan, { acrossValues });
}

/**
 * Whether a text or name below `value` contains a valid address, or the scan could not cover all of it. Callers load
 * the allowed addresses only when this is true.
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

function firstInText(text: string, judge: Judge, limit: EffortLimit): FoundAddress | undefined {
  let foreign: FoundAddress | undefined;
  const onCandidate = (candidate: string, formats: readonly ScanFormat[]): boolean => {
    foreign = judge(candidate, formats);
    return foreign !== undefined;
  };
  for (const form of comparableForms(text)) {
    if (siftText(form, limit, onCandidate)) break;
    if (siftJoined(form, limit, onCandidate)) break;
  }
  return foreign;
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
