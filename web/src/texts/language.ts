import { type Language, languageOf } from '@payassent/protocol';

/**
 * The language of the pages, chosen once at the start. The catalogues are in English and define their shape; another
 * language is one file for each page, loaded before anything is drawn and written over the English texts in place. So
 * every reference to a part of a catalogue is translated, and a reader of English loads nothing else.
 */
const STORAGE_NAME = 'payassent-language';

/** Empty in tests that run without a browser. */
const asked: readonly string[] = typeof document === 'undefined' ? [] : navigator.languages;

/** The language that was chosen here, or else the first of the browser's languages that the pages support. */
export const language: Language =
  [storedChoice(), ...asked].map(languageOf).find((known) => known !== undefined) ?? 'en';

/** For dates and counts: the language of the page, in the regional form that the browser prefers. */
export const locale: string = asked.find((tag) => languageOf(tag) === language) ?? language;

export const otherLanguage: Language = language === 'en' ? 'de' : 'en';

function storedChoice(): string {
  try {
    return localStorage.getItem(STORAGE_NAME) ?? '';
  } catch {
    return '';
  }
}

/** Reloads the page: nothing on it may stay in the previous language. */
export function chooseLanguage(chosen: Language): void {
  localStorage.setItem(STORAGE_NAME, chosen);
  location.reload();
}

type Words = { readonly [name: string]: unknown };

const catalogues = new Map<string, Words>();
let words: Words = {};

/**
 * Around each English catalogue. Its name is that of the export, which the other languages have too.
 *
 * @__NO_SIDE_EFFECTS__
 */
export function translated<const Catalogue extends object>(name: string, english: Catalogue): Catalogue {
  catalogues.set(name, english as Words);
  overwrite(english as Words, words[name]);
  return english;
}

/** Called before anything is drawn. Without its file, as offline, a page is in English rather than not shown at all. */
export async function startLanguage(german: () => Promise<object>): Promise<void> {
  if (language === 'en') return;
  try {
    words = { ...(await german()) };
  } catch {
    return;
  }
  for (const [name, english] of catalogues) overwrite(english, words[name]);
  document.documentElement.lang = language;
}

function overwrite(english: Words, other: unknown): void {
  for (const [key, value] of Object.entries((other ?? {}) as Words)) {
    if (typeof value === 'object') overwrite(english[key] as Words, value);
    else (english as Record<string, unknown>)[key] = value;
  }
}
