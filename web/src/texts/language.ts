/**
 * The language of the pages, chosen once at the start. English stands in the catalogues and defines their shape; another
 * language is one file for each page, loaded before anything is drawn and written over the English words in place. So
 * everything that refers to a part of a catalogue speaks it, and those who read English load nothing else.
 */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof LANGUAGES;

const STORAGE_NAME = 'payassent-language';

/** None in tests that run without a browser. */
const asked: readonly string[] = typeof document === 'undefined' ? [] : navigator.languages;
const languageOf = (tag: string) =>
  (Object.keys(LANGUAGES) as Language[]).find((known) => known === tag.split('-', 1)[0]);

/** What the person has chosen here, or else the first of the browser's languages that the pages know. */
export const language: Language =
  [storedChoice(), ...asked].map(languageOf).find((known) => known !== undefined) ?? 'en';

/** For dates and counts: the language of the page, as the person's own country writes it. */
export const locale: string = asked.find((tag) => languageOf(tag) === language) ?? language;

export const otherLanguage: Language = language === 'en' ? 'de' : 'en';

function storedChoice(): string {
  try {
    return localStorage.getItem(STORAGE_NAME) ?? '';
  } catch {
    return '';
  }
}

/** The page starts again: nothing that is on it already can stay in the former language. */
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

/** Called before anything is drawn. Without its file, as offline, a page speaks English rather than not at all. */
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
