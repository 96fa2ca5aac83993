/** Why a body was refused; the text goes to the caller. */
export class JsonFault extends Error {}

const MAX_DEPTH = 32;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Strict JSON: UTF-8 without a byte order mark, no duplicate keys, bounded depth, no U+0000, no lone surrogates,
 * no number that overflows. The platform's parser builds the value; the scan below only looks for what it forgives.
 */
export function parseStrictJson(bytes: Uint8Array): unknown {
  const text = decode(bytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new JsonFault('The body is not valid JSON.');
  }
  scan(text);
  return value;
}

function decode(bytes: Uint8Array): string {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw new JsonFault('The body is not valid UTF-8.');
  }
  if (text.charCodeAt(0) === 0xfeff)
    throw new JsonFault('The body begins with a byte order mark; send plain UTF-8.');
  return text;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Walks text that is known to be valid JSON. `keys` holds one set per open object, `undefined` per open array. */
function scan(text: string): void {
  const open: Array<Set<string> | undefined> = [];
  let expectKey = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    switch (character) {
      case 0x7b: // {
        open.push(new Set());
        expectKey = true;
        refuseDeep(open.length);
        break;
      case 0x5b: // [
        open.push(undefined);
        expectKey = false;
        refuseDeep(open.length);
        break;
      case 0x7d: // }
      case 0x5d: // ]
        open.pop();
        expectKey = false;
        break;
      case 0x2c: // ,
        expectKey = open.at(-1) !== undefined;
        break;
      case QUOTE: {
        const end = stringEnd(text, at);
        const content = readString(text, at, end);
        if (expectKey) {
          refuseDuplicate(open.at(-1), content);
          expectKey = false;
        }
        at = end;
        break;
      }
      default:
        if (character === 0x2d || (character >= 0x30 && character <= 0x39)) at = skipNumber(text, at);
    }
  }
}

function refuseDeep(depth: number): void {
  if (depth > MAX_DEPTH) throw new JsonFault(`The body is nested deeper than ${MAX_DEPTH} levels.`);
}

function refuseDuplicate(keys: Set<string> | undefined, key: string): void {
  if (keys?.has(key))
    throw new JsonFault(`The key ${JSON.stringify(key.slice(0, 80))} appears twice in one object.`);
  keys?.add(key);
}

function stringEnd(text: string, start: number): number {
  let at = start + 1;
  while (text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}

function readString(text: string, start: number, end: number): string {
  const raw = text.slice(start + 1, end);
  // Without an escape the decoder has already proved it well formed, and JSON allows no raw control character.
  if (!raw.includes('\\')) return raw;
  const value: string = JSON.parse(text.slice(start, end + 1));
  if (value.includes('\u0000')) throw new JsonFault('A string contains U+0000.');
  if (/\p{Surrogate}/u.test(value)) throw new JsonFault('A string contains a lone surrogate.');
  return value;
}

function skipNumber(text: string, start: number): number {
  let at = start;
  while (at + 1 < text.length && /[0-9eE+.-]/.test(text.charAt(at + 1))) at += 1;
  if (!Number.isFinite(Number(text.slice(start, at + 1)))) throw new JsonFault('A number is too large.');
  return at;
}
