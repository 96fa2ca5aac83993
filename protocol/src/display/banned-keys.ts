import type { Issue } from '../issues.ts';
import { createIssueList, incompleteWalkIssue } from './issue-list.ts';
import { type JsonNode, walkJson } from './walk.ts';

type Topic = 'address' | 'memo' | 'token' | 'payee' | 'fact';

const ADVICE: Readonly<Record<Topic, string>> = {
  address:
    'For a place use a longer name such as "shipping_address"; where the money goes is fixed by the Recipient.',
  memo: 'For a text to the buyer use "note", for a number of yours "order_number"; the memo is fixed by the Recipient.',
  token:
    'Remove it: contract and issuer of the asset are fixed by the Recipient. An agreement can be "agreement_number".',
  payee: 'Remove it, or use "customer" or "deliver_to" for a person; the payee is fixed by the Recipient.',
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

/** Every forbidden member name below `value`, with its exact path. `topLevel` says that the names of `value` itself are top-level ones. */
export function findBannedKeys(value: unknown, rootPath: string, options: { topLevel: boolean }): Issue[] {
  const list = createIssueList();
  const end = walkJson(value, rootPath, (node) => list.add(bannedKeyIssue(node, options.topLevel)));
  list.add(incompleteWalkIssue(end));
  return list.issues;
}

/** The issue of one value's name. Names of the root's own members stand at depth 2. */
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

function topicOf(key: string, isTopLevel: boolean): Topic | undefined {
  for (const name of comparableForms(key)) {
    const topic = BANNED.get(name) ?? (isTopLevel ? BANNED_AT_TOP.get(name) : undefined);
    if (topic !== undefined) return topic;
  }
  return undefined;
}

/**
 * The name after NFKC, case folding and dropping everything but letters and digits; a second time with accents taken
 * off, because "mémo" is read as "memo" by everyone but a computer. Invisible characters that Unicode counts as letters
 * (Hangul fillers) are dropped too.
 */
function comparableForms(key: string): readonly string[] {
  if (ASCII.test(key)) return [key.toLowerCase().replace(/[^a-z0-9]/g, '')];
  return (['NFKC', 'NFKD'] as const).map((form) =>
    foldCase(key.normalize(form)).normalize(form).replace(NEITHER_LETTER_NOR_DIGIT, ''),
  );
}

/** Full case folding, which the language lacks: through upper case, so that "ß" becomes "ss". */
function foldCase(text: string): string {
  return text.toLowerCase().toUpperCase().toLowerCase();
}
