import { CONFUSABLE_LETTERS } from './confusable-letters.ts';

const ASCII = /^[\x00-\x7f]*$/;
const INVISIBLE = /\p{M}|\p{Default_Ignorable_Code_Point}/gu;

const letterOf: ReadonlyMap<string, string> = new Map(
  Object.entries(CONFUSABLE_LETTERS).flatMap(([letter, distances]) => {
    let code = 0;
    return distances.split(' ').map((distance) => {
      code += Number.parseInt(distance, 36);
      const character = String.fromCodePoint(code);
      // A capital stays one, so that a word that begins with it is still found.
      return [character, character === character.toLowerCase() ? letter : letter.toUpperCase()] as const;
    });
  }),
);

/** The text with lookalike letters replaced by Latin ones, and without accents and invisible characters. */
export function foldConfusables(text: string): string {
  if (ASCII.test(text)) return text;
  const bare = text.normalize('NFKD').replace(INVISIBLE, '');
  return Array.from(bare, (character) => letterOf.get(character) ?? character).join('');
}
