import type { Issue } from '../issues.ts';
import { foldConfusables } from './latin-letters.ts';

/**
 * The names of merchants, agents and payees. Their owners choose them, and others read them next to a payment: what a name
 * may be when it is set, and whether one that was set earlier may be shown, is stated here and nowhere else.
 */

/** What a name may not have, for forms that word it in their own language. */
type NameFault = 'blank' | 'line_end' | 'link' | 'at_sign' | 'claimed_domain';

const FAULTS: Readonly<Record<NameFault, string>> = {
  blank: 'must not be blank.',
  line_end: 'must be one line; remove the line ends.',
  link: 'must not contain "://" or "www."; a bare domain such as shop.example is fine.',
  at_sign: 'must not contain "@".',
  claimed_domain:
    'must not contain "verified" or "official" next to a domain; wallets show the domain that was verified.',
};

const LINE_END = /[\n\v\f\r\u0085\u2028\u2029]/;
/** A dot between letters or digits, and a last part of letters, as in `shop.example` and `xn--bcher-kva.example`. */
const DOMAIN = /[\p{L}\p{N}]\.(?:[\p{L}\p{N}-]+\.)*(?:xn--[a-z0-9-]+|\p{L}{2,})/u;
const DOTS = /[\u3002\uff0e\uff61]/g;

/** The first error in a name; undefined for a valid one. */
export function nameFault(name: string): NameFault | undefined {
  if (name.trim() === '') return 'blank';
  if (LINE_END.test(name)) return 'line_end';
  const plain = folded(name.replace(DOTS, '.'));
  if (plain.includes('://') || plain.includes('www.')) return 'link';
  if (plain.includes('@')) return 'at_sign';
  if (CHECKED.test(lettersOf(plain)) && DOMAIN.test(plain)) return 'claimed_domain';
  return undefined;
}

/** What is wrong with a name that someone wants to set. */
export function findNameIssues(name: string | undefined, field: string): Issue[] {
  const fault = name === undefined ? undefined : nameFault(name);
  return fault === undefined ? [] : [{ field, code: 'invalid_format', message: `${field} ${FAULTS[fault]}` }];
}

/** Marks that pages use to show that something was checked. */
const MARKS =
  /[\u2705\u2611\u2610\u2713\u2714\u2717\u2718\u221a\u2b50\u2605\u{1f5f8}\u{1f512}\u{1f510}\u{1f6e1}\u{1f396}\u{1f3c5}\u{1f947}\u{1f4af}\u{1f197}\u{1f44d}\u{2b55}]/u;
/** Words about a payee that are reserved for the page itself. */
const WORDS = anyOf(
  ...['verif', 'approved', 'trusted', 'official', 'secure', 'confirmed', 'refund', 'payassent'],
  ...['bestatigt', 'gepruft', 'freigegeben', 'offiziell', 'erstattung'],
);
const CHECKED = anyOf('verified', 'official');
/** Abbreviations that follow a number in the names of firms, and are no asset. */
const FIRM = '(?!(?:LLC|LLP|INC|LTD|PLC|CORP|GMBH|GBR|OHG|SARL|EURL|BVBA|PTY|USA)\\b)';
/** A number with a fraction, or next to the sign of a currency or an asset. */
const AMOUNT = new RegExp(
  `\\d[.,]\\d|[$€£¥₿]\\s?\\d|\\d\\s?[$€£¥₿]|\\d\\s?${FIRM}[A-Z]{3,5}\\b|\\b${FIRM}[A-Z]{3,5}\\s?\\d`,
  'u',
);
/** Letters that are read as Latin ones next to others, although the standard does not count them as drawn alike. */
const READ_AS: Readonly<Record<string, string>> = { ε: 'e', τ: 't' };

/**
 * Whether a name makes a claim that is reserved for the page: that something was checked, or how much is paid. A shop
 * whose real name does so is shown next to payments by its domain, which was checked.
 */
export function makesClaims(name: string): boolean {
  const plain = withoutMarks(name);
  return MARKS.test(name) || MARKS.test(plain) || WORDS.test(lettersOf(folded(name))) || AMOUNT.test(plain);
}

/** Takes the place of a name that is not shown, where the text is English. Pages have their own words. */
export const NAME_NOT_SHOWN = '(name not shown)';

/**
 * The name as others may read it; undefined where it must not be shown. Names that were set under older rules are judged
 * here like new ones.
 */
export function shownName(name: string): string | undefined {
  return nameFault(name) === undefined && !makesClaims(name) ? name : undefined;
}

/** Whether the eye cannot tell one name from the other: letters of another script, accents and signs make no difference. */
export function looksLikeName(name: string, other: string): boolean {
  return name === other || (drawnAs(name) !== '' && drawnAs(name) === drawnAs(other));
}

function drawnAs(name: string): string {
  return folded(name)
    .replaceAll(/[1l|]/g, 'i')
    .replaceAll('0', 'o')
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** Without accents and invisible characters. */
function withoutMarks(name: string): string {
  return name.normalize('NFKD').replace(/[\p{M}\p{Cf}]/gu, '');
}

/** In lower case, with Latin letters for those that are drawn like them. */
function folded(name: string): string {
  const latin = foldConfusables(withoutMarks(name)).toLowerCase();
  return [...latin].map((letter) => READ_AS[letter] ?? letter).join('');
}

/** Its letters alone, with one for those that cannot be distinguished by eye. */
function lettersOf(text: string): string {
  return text.replaceAll(/[1l]/g, 'i').replace(/[^\p{L}]/gu, '');
}

function anyOf(...words: string[]): RegExp {
  return new RegExp(words.map(lettersOf).join('|'));
}
