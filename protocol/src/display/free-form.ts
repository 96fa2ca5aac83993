import { exactJson } from '../encoding/exact-json.ts';
import type { Issue } from '../issues.ts';
import { bannedKeyIssue } from './banned-keys.ts';
import { type AllowedAddresses, createAddressScan } from './foreign-addresses.ts';
import { createIssueList, incompleteWalkIssue } from './issue-list.ts';
import { riskyTextIssues } from './text-risk.ts';
import { type JsonNode, walkJson } from './walk.ts';

interface FreeFormRules {
  /** The names of the value's own members count as top-level ones. Default: true. */
  readonly topLevel?: boolean;
  /** Highest number of bytes of the compact JSON. */
  readonly maxBytes?: number;
  /** Highest nesting depth, the value itself being 1. */
  readonly maxDepth?: number;
  /** Addresses that may be shown. Without it text is not searched for addresses: the payee is not known yet. */
  readonly allowedAddresses?: AllowedAddresses;
}

interface JsonMeasure {
  /** UTF-8 bytes of the compact JSON; infinite when the value is no JSON. */
  readonly bytes: number;
  /** Nesting depth of objects and lists; the value itself is 1. */
  readonly depth: number;
}

const encoder = new TextEncoder();

/**
 * Applies every rule for `display`, `metadata`, `source` and contexts. Issues are in document order; those of the whole
 * value come first.
 */
export function checkFreeForm(value: unknown, rootPath: string, rules: FreeFormRules): Issue[] {
  const list = createIssueList();
  for (const issue of sizeIssues(value, rootPath, rules)) list.add(issue);
  const hasTopLevel = rules.topLevel ?? true;
  const scan = rules.allowedAddresses === undefined ? undefined : createAddressScan(rules.allowedAddresses);
  const end = walkJson(value, rootPath, (node) => {
    list.add(bannedKeyIssue(node, hasTopLevel));
    for (const issue of riskyTextIssues(node)) list.add(issue);
    if (scan !== undefined && !list.isFull('risk_foreign_address'))
      for (const issue of scan(node)) list.add(issue);
  });
  if (scan !== undefined && !list.isFull('risk_foreign_address'))
    for (const issue of scan.acrossValues()) list.add(issue);
  list.add(incompleteWalkIssue(end));
  return list.issues;
}

export function measureJson(value: unknown): JsonMeasure {
  return measureUpTo(value, 0);
}

/** `bytes` may be an upper bound while it is not above `enough`: counting exactly means writing the JSON, which is expensive. */
function measureUpTo(value: unknown, enough: number): JsonMeasure {
  let depth = 1;
  let most = 0;
  const end = walkJson(value, '', (node) => {
    most += mostBytesOf(node);
    if (node.depth > depth && typeof node.value === 'object' && node.value !== null) depth = node.depth;
  });
  if (!end.complete) return { bytes: Infinity, depth: Infinity };
  return { bytes: most <= enough ? most : jsonBytes(value), depth };
}

/** A character takes six bytes at most, as \u001f does; quotes, colon, comma, brackets and numbers are counted in full. */
function mostBytesOf({ key, value }: JsonNode): number {
  const name = key === undefined ? 1 : 6 * key.length + 4;
  if (typeof value === 'string') return name + 6 * value.length + 2;
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return name + 25;
  return isPlainContainer(value) ? name + 2 : Infinity;
}

/** Others may write themselves in their own way. */
function isPlainContainer(value: unknown): boolean {
  try {
    const prototype = Object.getPrototypeOf(value);
    return prototype === Object.prototype || prototype === Array.prototype;
  } catch {
    return false;
  }
}

function jsonBytes(value: unknown): number {
  try {
    const text: string | undefined = exactJson(value);
    return text === undefined ? Infinity : encoder.encode(text).length;
  } catch {
    return Infinity;
  }
}

function* sizeIssues(value: unknown, path: string, rules: FreeFormRules): Generator<Issue> {
  const { maxBytes = Infinity, maxDepth = Infinity } = rules;
  if (maxBytes === Infinity && maxDepth === Infinity) return;
  const { bytes, depth } = measureUpTo(value, maxBytes);
  if (bytes > maxBytes) {
    const message = `The value has ${bytes} bytes of JSON; at most ${maxBytes} are allowed. Shorten it.`;
    yield { field: path, code: 'too_long', message };
  }
  if (depth > maxDepth) {
    const message = `The value is nested ${depth} levels deep; at most ${maxDepth} are allowed. Make it flatter.`;
    yield { field: path, code: 'out_of_range', message };
  }
}
