import { SHORTEST } from './rules.ts';

export const ASCII = /^[\x00-\x7f]*$/;
const LETTER_OR_DIGIT = /[A-Za-z0-9]/;
/** Latin letters that are made of a plain one and marks. */
const ACCENTED = /[\u00c0-\u024f\u1e00-\u1eff]/;
const INVISIBLE = /\p{M}|\p{Default_Ignorable_Code_Point}/gu;
const NO_FORMS: readonly string[] = [];

/**
 * NFKC turns full-width letters into plain ones; marks and invisible characters would cut an address that is read as a
 * whole. A second form takes the accents off letters that have one. Text without Latin letters has no form at all.
 */
export function comparableForms(text: string): readonly string[] {
  if (ASCII.test(text)) return text.length < SHORTEST ? NO_FORMS : [text];
  const normal = text.normalize('NFKC');
  const hasAccents = ACCENTED.test(normal);
  if (!hasAccents && !LETTER_OR_DIGIT.test(normal)) return NO_FORMS;
  const composed = normal.replace(INVISIBLE, '');
  return hasAccents ? [composed, composed.normalize('NFD').replace(INVISIBLE, '')] : [composed];
}
