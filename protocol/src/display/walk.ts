import { ExactNumber } from '../encoding/exact-json.ts';

/** One value met on the way through free-form JSON; `key` is the member name, absent for the root and list items. */
export interface JsonNode {
  readonly path: string;
  readonly key: string | undefined;
  /** Containers around the value plus the value itself; the root is 1. */
  readonly depth: number;
  readonly value: unknown;
}

export type WalkEnd =
  | { readonly complete: true }
  | {
      readonly complete: false;
      readonly path: string;
      readonly problem: 'too_deep' | 'too_large' | 'unreadable';
    };

/** Far above what a request may carry (depth 32 and 64 KiB), so that only objects made in memory meet these limits. */
const DEEPEST = 64;
const MOST_NODES = 100_000;
const LONGEST_SHOWN_KEY = 128;

interface Frame {
  readonly container: object;
  /** Member names, or undefined for a list. */
  readonly keys: readonly string[] | undefined;
  readonly length: number;
  readonly path: string;
  next: number;
}

/**
 * Visits every value in document order without recursion, so that no input overflows the stack. Values that cannot be
 * visited are reported instead of skipped: a caller that checks for forbidden content must not take an incomplete walk
 * for a clean one.
 */
export function walkJson(root: unknown, rootPath: string, visit: (node: JsonNode) => void): WalkEnd {
  visit({ path: rootPath, key: undefined, depth: 1, value: root });
  const stack: Frame[] = [];
  if (!enter(stack, root, rootPath)) return { complete: false, path: rootPath, problem: 'unreadable' };
  let nodes = 1;
  for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
    if (frame.next >= frame.length) {
      stack.pop();
      continue;
    }
    const position = frame.next;
    frame.next += 1;
    const key = frame.keys?.[position];
    const path = key === undefined ? `${frame.path}[${position}]` : joinPath(frame.path, key);
    const depth = stack.length + 1;
    nodes += 1;
    if (nodes > MOST_NODES) return { complete: false, path, problem: 'too_large' };
    const read = readMember(frame.container, key ?? position);
    if (read === undefined) return { complete: false, path, problem: 'unreadable' };
    visit({ path, key, depth, value: read.value });
    if (depth > DEEPEST && isContainer(read.value)) return { complete: false, path, problem: 'too_deep' };
    if (!enter(stack, read.value, path)) return { complete: false, path, problem: 'unreadable' };
  }
  return { complete: true };
}

function joinPath(parent: string, key: string): string {
  const shown = key.length > LONGEST_SHOWN_KEY ? `${key.slice(0, LONGEST_SHOWN_KEY)}…` : key;
  return parent === '' ? shown : `${parent}.${shown}`;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !isExactNumber(value);
}

/** A revoked proxy refuses even this question; it is met as a container that cannot be read. */
function isExactNumber(value: object): boolean {
  try {
    return value instanceof ExactNumber;
  } catch {
    return false;
  }
}

/** False when the members of `value` cannot be listed: getters and proxies may throw anything. */
function enter(stack: Frame[], value: unknown, path: string): boolean {
  if (!isContainer(value)) return true;
  try {
    const keys = Array.isArray(value) ? undefined : Object.keys(value);
    const length = keys === undefined ? Number(Reflect.get(value, 'length')) : keys.length;
    stack.push({ container: value, keys, length, path, next: 0 });
    return true;
  } catch {
    return false;
  }
}

function readMember(container: object, key: string | number): { value: unknown } | undefined {
  try {
    return { value: Reflect.get(container, key) };
  } catch {
    return undefined;
  }
}
