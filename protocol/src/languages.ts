/** The languages of pages and mails, each named in itself. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof LANGUAGES;

/** Of a tag such as `de-AT`; undefined where no text is in its language. */
export function languageOf(tag: string): Language | undefined {
  const primary = tag.split('-', 1)[0]?.toLowerCase();
  return (Object.keys(LANGUAGES) as Language[]).find((known) => known === primary);
}
