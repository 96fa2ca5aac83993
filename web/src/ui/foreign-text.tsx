interface ForeignTextProps {
  children: string;
  /** Beside other words instead of in a box of its own. */
  inline?: boolean;
  /** For descriptions: their writers may part them into lines. Names and memos are one flow of text. */
  lines?: boolean;
}

/**
 * Words that somebody else wrote. They are shown as they are, never as markup, and cannot reach out of their box:
 * direction, height and stacking are isolated. What cannot be seen, or would push the words around it away, is written
 * out, so that nothing can hide and nothing can be laid out like the page itself.
 */
export function ForeignText({ children, inline = false, lines = false }: ForeignTextProps) {
  const Tag = inline ? 'span' : 'div';
  const shown = lines ? showHiddenInLines(children) : showHidden(children);
  return (
    <Tag
      className="foreign-text"
      data-inline={inline}
      data-lines={lines}
      data-is-long={shown.length > LONG}
      // A box that scrolls must be reachable with the keyboard.
      tabIndex={!inline && mayScroll(shown) ? 0 : undefined}
    >
      {shown}
    </Tag>
  );
}

/** What is longer needs smaller letters where there is little room. */
const LONG = 60;

/** On a narrow phone eight lines fit into the box, and a line holds little more than twenty wide letters. */
function mayScroll(text: string): boolean {
  return text.length > 160 || text.split('\n').length > 6;
}

/** Controls, formats, ends of lines, and letters without a shape. */
const HIDDEN = /[\p{Cf}\p{Cc}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/gu;
/** The same, and whatever else leaves an empty place: spaces of every width, and signs that are drawn as nothing. */
const BLANKS = /[\p{Cf}\p{Cc}\p{Z}\u115f\u1160\u3164\uffa0\u2800\u{13441}\u{13442}\u{1d159}]+/gu;
const ONE_SPACE = /^\p{Zs}$/u;
const SYMBOLS: Readonly<Record<string, string>> = { '\n': '⏎', '\t': '⇥', ' ': '␣' };

/**
 * For one flow of text: a space between words is a space, every other blank is written out and counted, so that no
 * number of them moves what follows.
 */
export function showHidden(text: string): string {
  return text.replace(BLANKS, (blanks) =>
    ONE_SPACE.test(blanks)
      ? ' '
      : blanks.replace(/(.)\1*/gsu, (run, blank: string) => written(blank, run.length / blank.length)),
  );
}

function showHiddenInLines(text: string): string {
  return text.replace(HIDDEN, (character) =>
    character === '\n' || character === '\t' ? character : written(character, 1),
  );
}

function written(character: string, times: number): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `⟨${SYMBOLS[character] ?? `U+${code}`}${times > 1 ? ` ×${times}` : ''}⟩`;
}
