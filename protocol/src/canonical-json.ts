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
    // Array.from visits holes as undefined, which is refused below.
    return `[${Array.from(value, (item) => write(item, depth + 1)).join(',')}]`;
  }
  if (isPlainObject(value)) {
    const members = Object.keys(value)
      .sort(byCodeUnits)
      .map((key) => `${writeString(key)}:${write(value[key], depth + 1)}`);
    return `{${members.join(',')}}`;
  }
  throw new TypeError(`canonical JSON: cannot write ${typeof value}`);
}

function writeString(text: string): string {
  if (hasLoneSurrogate(text)) throw new TypeError('canonical JSON: lone surrogate');
  return JSON.stringify(text);
}

function byCodeUnits(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The `u` flag reads pairs as one character, so only a surrogate without its partner can match. */
export function hasLoneSurrogate(text: string): boolean {
  return /\p{Surrogate}/u.test(text);
}

/** Plain in any realm: no prototype, or one that ends the chain as Object.prototype does. */
function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
