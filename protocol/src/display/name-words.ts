import { foldConfusables } from './latin-letters.ts';

/** What the words of a name claim to be. */
type WordTopic = 'memo' | 'address' | 'payee';

const ASCII = /^[\x00-\x7f]*$/;
const NO_LETTER = /[^\p{L}]+/u;

const MEMO = skeletonOf('memo');
const ADDRESS = skeletonOf('address');
const TO = skeletonOf('to');
/** Next to one of these, an address is one that money goes to. */
const PAID_AT = 'payment deposit wallet destination receiver recipient payee beneficiary crypto send pay'
  .split(' ')
  .map(skeletonOf);
const PAYING = 'send pay transfer deposit remit wire'.split(' ').map(skeletonOf);

/** No one reads the words of a longer name one by one, and splitting 64 KiB takes 40 ms: it is judged by its letters. */
const LONGEST_SPLIT = 1_000;

/** The payment topic that the words of a member name refer to; undefined for nearly every name. */
export function topicOfWords(key: string): WordTopic | undefined {
  const name = foldConfusables(key);
  const possible = topicOfLetters(name);
  if (possible === undefined || name.length > LONGEST_SPLIT) return possible;
  for (const spelled of new Set([name, withoutDigits(name)])) {
    for (const split of [spelled, splitCamelCase(spelled), splitAtCapitals(spelled)]) {
      // As a whole: a name can have thousands of words, and what parts them stays as it is.
      const words = new Set(skeletonOf(split).split(NO_LETTER));
      const topic = topicOf((word) => words.has(word));
      if (topic !== undefined) return topic;
    }
  }
  return undefined;
}

/** Full case folding, which the language lacks: through upper case, so that "ß" becomes "ss". */
export function foldCase(text: string): string {
  return ASCII.test(text) ? text.toLowerCase() : text.toLowerCase().toUpperCase().toLowerCase();
}

function topicOf(has: (word: string) => boolean): WordTopic | undefined {
  if (has(MEMO)) return 'memo';
  if (has(ADDRESS) && PAID_AT.some(has)) return 'address';
  if (has(TO) && PAYING.some(has)) return 'payee';
  return undefined;
}

/** A word in which what cannot be distinguished by eye is equal. The standard does the same with m and rn, I and l. */
function skeletonOf(word: string): string {
  return foldCase(word).replaceAll('rn', 'm').replaceAll('vv', 'w').replaceAll('i', 'l');
}

/**
 * The topic of any word that occurs anywhere in the name, wherever it would be split: a cheap check that settles most
 * names.
 */
function topicOfLetters(name: string): WordTopic | undefined {
  const letters = foldCase(withoutDigits(name)).replaceAll('i', 'l');
  const skeleton = skeletonOf(letters);
  return topicOf((word) => letters.includes(word) || skeleton.includes(word));
}

/** Digits in the place of letters; others only part words. */
function withoutDigits(name: string): string {
  return name.replaceAll('0', 'o').replace(/[1|]/g, 'l');
}

/** `payTo`, `payTO` and `PAYTo` → `pay To` … */
function splitCamelCase(name: string): string {
  return name.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2');
}

/**
 * `MEMOtext` → `MEMO text`. Two capitals are enough: a run of any length would be matched again from each of them,
 * which takes quadratic time.
 */
function splitAtCapitals(name: string): string {
  return name.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').replace(/(\p{Lu}\p{Lu})(\p{Ll})/gu, '$1 $2');
}
