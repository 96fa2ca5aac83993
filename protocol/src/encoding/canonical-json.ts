import { ExactNumber } from './exact-json.ts';

/**
 * Canonical JSON as RFC 8785 defines it: members ordered by UTF-16 code units, numbers and strings written as
 * ECMAScript writes them, no space. Equal values give equal bytes, so a digest over them means something.
 *
 * What has no canonical form is refused instead of repaired: lone surrogates, NaN and infinities, undefined,
 * BigInt, and objects that are not plain data.
 */
const MAX_DEPTH = 512;

export function canonicalJson(value: unknown): string {
  return write(value, 0);
}

/** Of an object with these members only. */
export function canonicalJsonOf(value: object, names: readonly string[]): string {
  return writeMembers(value as Readonly<Record<string, unknown>>, names.slice(), 0);
}

export function canonicalJsonBytes(value: unknown): Uint8Array {
  return new TextEncoder().encode(canonicalJson(value));
}

function write(value: unknown, depth: number): string {
  if (depth > MAX_DEPTH) throw new TypeError('canonical JSON: nested too deeply or cyclic');
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return writeString(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError('canonical JSON: number is not finite');
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) {
    let items = '';
    // A hole reads as undefined, which is refused below.
    for (let index = 0; index < value.length; index += 1)
      items += `${index === 0 ? '' : ','}${write(value[index], depth + 1)}`;
    return `[${items}]`;
  }
  if (value instanceof ExactNumber) return value.canonical();
  if (isPlainObject(value)) return writeMembers(value, Object.keys(value), depth);
  throw new TypeError(`canonical JSON: cannot write ${typeof value}`);
}

function writeMembers(value: Readonly<Record<string, unknown>>, names: string[], depth: number): string {
  let members = '';
  // Without a function, sort compares by code units.
  for (const name of names.sort())
    members += `${members === '' ? '' : ','}${writeString(name)}:${write(value[name], depth + 1)}`;
  return `{${members}}`;
}

/** Printable ASCII without quote and backslash needs no escaping; nearly all names and most values are such text. */
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

function writeString(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  if (hasLoneSurrogate(text)) throw new TypeError('canonical JSON: lone surrogate');
  return JSON.stringify(text);
}

/**
 * The `u` flag reads pairs as one character, so only a surrogate without its partner can match. Most text has none at
 * all, which the first expression finds out ten times as fast.
 */
export function hasLoneSurrogate(text: string): boolean {
  return /[\ud800-\udfff]/.test(text) && /\p{Surrogate}/u.test(text);
}

/** Plain in any realm: no prototype, or one that ends the chain as Object.prototype does. */
function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
