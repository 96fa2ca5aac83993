/** The members that agents use for the purpose of a payment, in order of precedence. */
export const PURPOSE_MEMBERS = [
  'purpose',
  'title',
  'headline',
  'name',
  'description',
  'summary',
  'note',
  'text',
] as const;

/** The purpose of the payment in the agent's words; undefined when the agent gives none. */
export function purposeOf(words: Readonly<Record<string, unknown>> | undefined): string | undefined {
  return firstText(words, PURPOSE_MEMBERS);
}

/** The first of these members that holds words. */
export function firstText(
  words: Readonly<Record<string, unknown>> | undefined,
  names: readonly string[],
): string | undefined {
  for (const name of names) {
    const value = words?.[name];
    if (typeof value === 'string' && value.trim() !== '') return value;
  }
  return undefined;
}
