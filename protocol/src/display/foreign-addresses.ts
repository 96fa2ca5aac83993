import type { Issue } from '../issues.ts';
import { createIssueList, incompleteWalkIssue } from './issue-list.ts';
import { confirmAddress, type FoundAddress, identitiesOfText } from './scan/identities.ts';
import { siftText } from './scan/runs.ts';
import { type JsonNode, walkJson } from './walk.ts';

export type { FoundAddress } from './scan/identities.ts';

/** Addresses that text may show: the texts themselves in any spelling, or a function that decides. */
export type AllowedAddresses = ReadonlySet<string> | ((found: FoundAddress) => boolean);

const ASCII = /^[\x00-\x7f]*$/;
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;
const SHOWN_AT_EACH_END = 8;

/** One issue for each text below `value` that shows a valid address other than the allowed ones; `value` may itself be a text. */
export function findForeignAddresses(value: unknown, rootPath: string, allowed: AllowedAddresses): Issue[] {
  const list = createIssueList();
  const scan = createAddressScan(allowed);
  const end = walkJson(value, rootPath, (node) => {
    // What would not be listed any more is not searched either: this bounds the work a hostile text can cause.
    if (!list.isFull('risk_foreign_address')) list.add(scan(node));
  });
  list.add(incompleteWalkIssue(end));
  return list.issues;
}

/** A function that judges one value at a time and remembers what it has seen. */
export function createAddressScan(allowed: AllowedAddresses): (node: JsonNode) => Issue | undefined {
  const isAllowed = typeof allowed === 'function' ? allowed : allowAddresses(allowed);
  const verdicts = new Map<string, FoundAddress | undefined>();
  return ({ value, path }) => {
    if (typeof value !== 'string') return undefined;
    let foreign: FoundAddress | undefined;
    siftText(comparableText(value), (candidate, formats) => {
      if (!verdicts.has(candidate)) {
        const found = confirmAddress(candidate, formats);
        verdicts.set(candidate, found === undefined || isAllowed(found) ? undefined : found);
      }
      foreign = verdicts.get(candidate);
      return foreign !== undefined;
    });
    return foreign === undefined ? undefined : foreignAddressIssue(foreign, path);
  };
}

/** Every valid address in the texts below `value`, once each: for callers that look the allowed ones up elsewhere. */
export function listAddresses(value: unknown): FoundAddress[] {
  const found = new Map<string, FoundAddress>();
  walkJson(value, '', (node) => {
    if (typeof node.value !== 'string') return;
    siftText(comparableText(node.value), (candidate, formats) => {
      const address = found.has(candidate) ? undefined : confirmAddress(candidate, formats);
      if (address !== undefined) found.set(candidate, address);
      return false;
    });
  });
  return [...found.values()];
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

/** NFKC turns full-width letters into plain ones; invisible characters would cut an address that is read as a whole. */
function comparableText(text: string): string {
  return ASCII.test(text) ? text : text.normalize('NFKC').replace(IGNORABLE, '');
}

function foreignAddressIssue(found: FoundAddress, path: string): Issue {
  const { text } = found;
  const isLong = text.length > 2 * SHOWN_AT_EACH_END + 1;
  const shown = isLong ? `${text.slice(0, SHOWN_AT_EACH_END)}…${text.slice(-SHOWN_AT_EACH_END)}` : text;
  const kind = found.kind.replaceAll('_', ' ');
  return {
    field: path,
    code: 'risk_foreign_address',
    message: `The text shows ${shown}, a valid address (${kind}) that is not the payee. Remove it: the wallet shows the payee's address itself.`,
  };
}
