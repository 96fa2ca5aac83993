import type { Issue } from '../issues.ts';
import { createIssueList, incompleteWalkIssue } from './issue-list.ts';
import { foldConfusables } from './latin-letters.ts';
import { foldCase, topicOfWords } from './name-words.ts';
import { type JsonNode, walkJson } from './walk.ts';

type Topic = 'address' | 'memo' | 'token' | 'payee' | 'fact';

const ADVICE: Readonly<Record<Topic, string>> = {
  address:
    'For a place use a longer name such as "shipping_address"; where the money goes is fixed by the Recipient.',
  memo: 'For a text to the buyer use "note", for a number of yours "order_number"; the memo is fixed by the Recipient.',
  token:
    'Remove it: contract and issuer of the asset are fixed by the Recipient. An agreement can be "agreement_number".',
  payee:
    'Remove it, or use "customer" or "deliver_to" for a person and "refund_iban" for an account of the customer; the payee is fixed by the Recipient.',
  fact: 'Put it one level deeper (for a journey {"trip": {"from": "…", "to": "…"}}) or rename it; the payment facts are fixed by the Recipient.',
};

/** Refused at any depth. */
const BANNED: ReadonlyMap<string, Topic> = new Map([
  ['address', 'address'],
  ['toaddress', 'address'],
  ['paymentaddress', 'address'],
  ['walletaddress', 'address'],
  ['destinationaddress', 'address'],
  ['recipientaddress', 'address'],
  ['memo', 'memo'],
  ['memotype', 'memo'],
  ['destinationtag', 'memo'],
  ['contract', 'token'],
  ['contractaddress', 'token'],
  ['tokencontract', 'token'],
  ['issuer', 'token'],
  ['assetissuer', 'token'],
  ['recipient', 'payee'],
  ['recipientid', 'payee'],
  ['recipientversionid', 'payee'],
  ['payee', 'payee'],
  ['payto', 'payee'],
  ['beneficiary', 'payee'],
  ['iban', 'payee'],
]);

/** Refused at the top level only: deeper they are ordinary words, as in {"from": "NYC", "to": "LIS"}. */
const BANNED_AT_TOP: ReadonlyMap<string, Topic> = new Map([
  ['to', 'fact'],
  ['destination', 'fact'],
  ['network', 'fact'],
  ['asset', 'fact'],
  ['chainid', 'fact'],
  ['rail', 'fact'],
  ['decimals', 'fact'],
]);

const TOP_DEPTH = 2;
const ASCII = /^[\x00-\x7f]*$/;
const NEITHER_LETTER_NOR_DIGIT = /[^\p{L}\p{Nd}]|\p{Default_Ignorable_Code_Point}/gu;
const LONGEST_QUOTED_KEY = 40;

/**
 * Every forbidden member name below `value`, with its exact path. `topLevel`: the names of `value` itself count as
 * top-level.
 */
export function findBannedKeys(value: unknown, rootPath: string, options: { topLevel: boolean }): Issue[] {
  const list = createIssueList();
  const end = walkJson(value, rootPath, (node) => list.add(bannedKeyIssue(node, options.topLevel)));
  list.add(incompleteWalkIssue(end));
  return list.issues;
}

/** The issue of one value's name. Names of the root's members are at depth 2. */
export function bannedKeyIssue({ key, path, depth }: JsonNode, hasTopLevel: boolean): Issue | undefined {
  if (key === undefined) return undefined;
  const topic = topicOf(key, hasTopLevel && depth === TOP_DEPTH);
  if (topic === undefined) return undefined;
  const quoted = JSON.stringify(
    key.length > LONGEST_QUOTED_KEY ? `${key.slice(0, LONGEST_QUOTED_KEY)}…` : key,
  );
  return {
    field: path,
    code: 'display_override_forbidden',
    message: `The name ${quoted} could be taken for a payment fact. ${ADVICE[topic]}`,
  };
}

interface Verdict {
  anywhere: Topic | undefined;
  atTop: Topic | undefined;
}

/** Callers use the same few names again and again. Long ones are not kept, and no more than fit into some kilobytes. */
const verdicts = new Map<string, Verdict>();
const LONGEST_KEPT_KEY = 40;
const MOST_KEPT_KEYS = 2_000;

function topicOf(key: string, isTopLevel: boolean): Topic | undefined {
  let verdict = verdicts.get(key);
  if (verdict === undefined) {
    verdict = judge(key);
    if (verdicts.size >= MOST_KEPT_KEYS) verdicts.clear();
    if (key.length <= LONGEST_KEPT_KEY) verdicts.set(key, verdict);
  }
  return verdict.anywhere ?? (isTopLevel ? verdict.atTop : undefined);
}

function judge(key: string): Verdict {
  const names = comparableForms(key);
  const first = (list: ReadonlyMap<string, Topic>) =>
    names.map((name) => list.get(name)).find((topic) => topic !== undefined);
  return { anywhere: first(BANNED) ?? topicOfWords(key), atTop: first(BANNED_AT_TOP) };
}

/**
 * The name after NFKC, case folding and dropping everything but letters and digits; a second time without accents,
 * because people read "mémo" as "memo"; a third time with letters of other scripts replaced by the Latin ones that they
 * resemble. Invisible characters that Unicode counts as letters (Hangul fillers) are dropped too.
 */
function comparableForms(key: string): readonly string[] {
  if (ASCII.test(key)) return [key.toLowerCase().replace(/[^a-z0-9]/g, '')];
  const forms = (['NFKC', 'NFKD'] as const).map((form) => foldCase(key.normalize(form)).normalize(form));
  return [...forms, foldCase(foldConfusables(key))].map((form) => form.replace(NEITHER_LETTER_NOR_DIGIT, ''));
}
