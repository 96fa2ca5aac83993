/** Controls, formats, ends of lines, and letters without a shape. */
const HIDDEN = /[\p{Cf}\p{Cc}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/gu;
/** The same, and every other blank: spaces of every width, and characters that are drawn as nothing. */
const BLANKS = /[\p{Cf}\p{Cc}\p{Z}\u115f\u1160\u3164\uffa0\u2800\u{13441}\u{13442}\u{1d159}]+/gu;
const ONE_SPACE = /^\p{Zs}$/u;
const SYMBOLS: Readonly<Record<string, string>> = { '\n': '⏎', '\t': '⇥', ' ': '␣' };

/**
 * For one flow of text: a space between words is a space, every other blank is written out and counted, so that no
 * number of them moves the text after it.
 */
export function showHidden(text: string): string {
  return text.replace(BLANKS, (blanks) =>
    ONE_SPACE.test(blanks)
      ? ' '
      : blanks.replace(/(.)\1*/gsu, (run, blank: string) => written(blank, run.length / blank.length)),
  );
}

/** For text that keeps its lines. */
export function showHiddenInLines(text: string): string {
  return text.replace(HIDDEN, (character) =>
    character === '\n' || character === '\t' ? character : written(character, 1),
  );
}

function written(character: string, times: number): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `⟨${SYMBOLS[character] ?? `U+${code}`}${times > 1 ? ` ×${times}` : ''}⟩`;
}
