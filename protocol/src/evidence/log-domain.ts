/** Lower-case letters, digits and hyphens inside, as DNS has host names. */
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const MAX_BYTES = 253;
const A_LABEL = 'xn--';

/**
 * Whether a domain is written as the log has it: lower-case A-labels without a final dot. The owner of a domain finds
 * its payees by comparing bytes, so a second spelling of the name would hide one.
 */
export function isLogDomain(domain: string): boolean {
  return domain.length <= MAX_BYTES && domain.split('.').every(isLabel);
}

function isLabel(label: string): boolean {
  if (!LABEL.test(label)) return false;
  // Hyphens at the third and fourth place are reserved: all but one prefix have no meaning.
  if (label.slice(2, 4) !== '--') return true;
  const decoded = label.startsWith(A_LABEL) ? decodePunycode(label.slice(A_LABEL.length)) : undefined;
  return decoded !== undefined && decoded.normalize('NFC') === decoded;
}

const BASE = 36;
const T_MAX = 26;
const DAMP = 700;
const SKEW = 38;

/** RFC 3492; undefined for what no encoder writes. */
function decodePunycode(text: string): string | undefined {
  const delimiter = text.lastIndexOf('-');
  if (delimiter === 0) return undefined;
  const points = [...text.slice(0, Math.max(0, delimiter))].map((character) => character.charCodeAt(0));
  let place = 0;
  let point = 0x80;
  let bias = 72;
  for (let at = delimiter + 1; at < text.length; ) {
    const before = place;
    let weight = 1;
    for (let k = BASE; ; k += BASE) {
      const digit = digitAt(text, at);
      if (digit === undefined) return undefined;
      at += 1;
      place += digit * weight;
      const threshold = Math.min(T_MAX, Math.max(1, k - bias));
      if (digit < threshold) break;
      weight *= BASE - threshold;
    }
    const length = points.length + 1;
    bias = adapt(place - before, length, before === 0);
    point += Math.floor(place / length);
    if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) return undefined;
    place %= length;
    points.splice(place, 0, point);
    place += 1;
  }
  return String.fromCodePoint(...points);
}

function digitAt(text: string, at: number): number | undefined {
  const digit = 'abcdefghijklmnopqrstuvwxyz0123456789'.indexOf(text[at] ?? ' ');
  return digit < 0 ? undefined : digit;
}

function adapt(delta: number, length: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? DAMP : 2));
  rest += Math.floor(rest / length);
  let k = 0;
  for (; rest > ((BASE - 1) * T_MAX) / 2; k += BASE) rest = Math.floor(rest / (BASE - 1));
  return k + Math.floor((BASE * rest) / (rest + SKEW));
}
