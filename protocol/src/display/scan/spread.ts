import type { EffortLimit } from './decode.ts';
import { ASCII, comparableForms } from './forms.ts';
import type { FoundAddress } from './identities.ts';
import { GAP, siftJoined } from './joined.ts';
import type { ScanFormat } from './rules.ts';

export type Judge = (candidate: string, formats: readonly ScanFormat[]) => FoundAddress | undefined;

/** Longer than the longest address with three other characters after each character. */
const REACH = 600;

/** Texts in the order in which a reader meets them, as one text. */
interface Sequence {
  joined: string;
  /** Where each text begins, and whose it is. */
  starts: number[];
  paths: string[];
}

/**
 * Finds addresses that are spread over neighbouring values: the items of a list, two members, a name and its value.
 * Values are read one after the other, once without their names and once with them.
 */
export function createSpreadTexts() {
  const values: Sequence = { joined: '', starts: [], paths: [] };
  const named: Sequence = { joined: '', starts: [], paths: [] };
  let hasNames = false;
  return {
    add(key: string | undefined, value: unknown, path: string): void {
      if (key !== undefined) {
        hasNames = true;
        append(named, path, endText(key));
      }
      if (typeof value === 'object' && value !== null) return;
      // Another value between two texts is read between them.
      const text = typeof value === 'string' ? endText(value) : GAP;
      append(values, path, text);
      append(named, path, text);
    },
    length: () => values.joined.length + named.joined.length,
    *search(judge: Judge, limit: EffortLimit): Generator<{ path: string; found: FoundAddress }> {
      const known = new Set<string>();
      for (const sequence of hasNames ? [values, named] : [values]) {
        for (const each of searchSequence(sequence, judge, limit)) {
          if (known.has(each.path)) continue;
          known.add(each.path);
          yield each;
        }
      }
    },
  };
}

function append(sequence: Sequence, path: string, text: string): void {
  if (text === '') return;
  sequence.starts.push(sequence.joined.length);
  sequence.paths.push(path);
  sequence.joined += `${text}\n`;
}

function searchSequence({ joined, starts, paths }: Sequence, judge: Judge, limit: EffortLimit) {
  const all: { path: string; found: FoundAddress }[] = [];
  if (starts.length < 2) return all;
  siftJoined(joined, limit, (candidate, formats, from, to) => {
    const index = lastAtMost(starts, from);
    // An address within one text is found by the scan of that text.
    if (to <= (starts[index + 1] ?? Infinity)) return false;
    const found = judge(candidate, formats);
    if (found !== undefined) all.push({ path: paths[index] ?? '', found });
    return false;
  });
  return all;
}

/** Where the last of these ascending numbers is that is not above `limit`. */
function lastAtMost(ascending: readonly number[], limit: number): number {
  let low = 0;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((ascending[middle] ?? 0) <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** In the last form, which has no accents; short texts count here, because they may continue in the next one. */
function endText(text: string): string {
  const ends = endsOf(text);
  return endsOf(ASCII.test(ends) ? ends : (comparableForms(ends).at(-1) ?? '')).trim();
}

/** Only the ends of a text can be part of an address that continues in the next one. */
function endsOf(text: string): string {
  return text.length > 2 * REACH ? `${text.slice(0, REACH)}${GAP}${text.slice(-REACH)}` : text;
}
