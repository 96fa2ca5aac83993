import { hasLoneSurrogate } from './canonical-json.ts';
import { isOrdinaryNumber, parseExactJson } from './exact-json.ts';

/**
 * JSON in which nothing can be read in two ways: no repeated keys, no U+0000, no lone surrogates, no number
 * beyond what a double holds (unless the caller takes numbers as they are written), bounded depth (the outermost object
 * or list is depth 1). Used where bytes are signed or stored.
 */
export type StrictJsonFault =
  | 'malformed'
  | 'too_deep'
  | 'duplicate_key'
  | 'forbidden_character'
  | 'number_overflow';

type StrictJson =
  | {
      ok: true;
      value: unknown;
      /** The value with every number digit for digit; absent where it would be the same. */
      exact?: unknown;
    }
  | { ok: false; reason: StrictJsonFault };

interface StrictJsonOptions {
  /** Numbers may be larger than a double; `exact` has them as they were written, `value` as JavaScript reads them. */
  keepsNumbers?: boolean;
}

export function parseStrictJson(text: string, maxDepth = 32, options: StrictJsonOptions = {}): StrictJson {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, reason: 'malformed' };
  }
  if (hasLoneSurrogate(text)) return { ok: false, reason: 'forbidden_character' };
  const { keepsNumbers = false } = options;
  const found = walkTokens(text, maxDepth, keepsNumbers);
  if (found === 'exact_numbers') return { ok: true, value, exact: parseExactJson(text) };
  return found === undefined ? { ok: true, value } : { ok: false, reason: found };
}

/** UTF-8 without tolerance: a byte order mark or a broken sequence is refused. */
export function parseStrictJsonBytes(
  bytes: Uint8Array,
  maxDepth = 32,
  options: StrictJsonOptions = {},
): StrictJson {
  let text: string;
  try {
    text = UTF8.decode(bytes);
  } catch {
    return { ok: false, reason: 'malformed' };
  }
  return parseStrictJson(text, maxDepth, options);
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Walks text that JSON.parse has accepted, so it only has to find strings and brackets. One pass; every
 * object keeps the set of its keys, a list keeps nothing.
 */
function walkTokens(
  text: string,
  maxDepth: number,
  keepsNumbers: boolean,
): StrictJsonFault | 'exact_numbers' | undefined {
  const open: (Set<string> | undefined)[] = [];
  let hasExactNumbers = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charCodeAt(index);
    if (character === OPEN_OBJECT || character === OPEN_LIST) {
      if (open.length >= maxDepth) return 'too_deep';
      open.push(character === OPEN_OBJECT ? new Set() : undefined);
    } else if (character === CLOSE_OBJECT || character === CLOSE_LIST) {
      open.pop();
    } else if (character === QUOTE) {
      const end = endOfString(text, index);
      const raw = text.slice(index + 1, end);
      // Only by an escape can a character come in that the text as a whole does not show.
      const content = raw.includes('\\') ? String(JSON.parse(`"${raw}"`)) : raw;
      if (content !== raw && (content.includes('\0') || hasLoneSurrogate(content)))
        return 'forbidden_character';
      const keys = open.at(-1);
      if (keys !== undefined && isKey(text, end)) {
        if (keys.has(content)) return 'duplicate_key';
        keys.add(content);
      }
      index = end;
    } else if (character === MINUS || (character >= ZERO && character <= NINE)) {
      const end = endOfNumber(text, index);
      const token = text.slice(index, end);
      if (keepsNumbers) hasExactNumbers ||= !isOrdinaryNumber(token);
      else if (!Number.isFinite(Number(token))) return 'number_overflow';
      index = end - 1;
    }
  }
  return hasExactNumbers ? 'exact_numbers' : undefined;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const COLON = 0x3a;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;

function endOfString(text: string, start: number): number {
  let index = start + 1;
  while (text.charCodeAt(index) !== QUOTE) index += text.charCodeAt(index) === BACKSLASH ? 2 : 1;
  return index;
}

/** In valid JSON a number ends at a bracket, a comma or white space. */
function endOfNumber(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && !/[\]},\s]/.test(text.charAt(index))) index += 1;
  return index;
}

/** In valid JSON only a key is followed by a colon. */
function isKey(text: string, end: number): boolean {
  let index = end + 1;
  while (text.charCodeAt(index) <= 0x20) index += 1;
  return text.charCodeAt(index) === COLON;
}
