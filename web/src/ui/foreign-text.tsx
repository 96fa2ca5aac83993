/**
 * Words that somebody else wrote. They are shown as they are, never as markup, and cannot reach out of their box:
 * direction, height and stacking are isolated. Invisible and direction-changing characters are made visible, so that
 * nothing can hide.
 */
export function ForeignText({ children, inline = false }: { children: string; inline?: boolean }) {
  const Tag = inline ? 'span' : 'div';
  // A box that scrolls must be reachable with the keyboard.
  return (
    <Tag
      className="foreign-text"
      data-inline={inline}
      tabIndex={!inline && mayScroll(children) ? 0 : undefined}
    >
      {showHidden(children)}
    </Tag>
  );
}

/** On a narrow phone eight lines fit into the box, and a line holds little more than twenty wide letters. */
function mayScroll(text: string): boolean {
  return text.length > 160 || text.split('\n').length > 6;
}

const HIDDEN = /[\p{Cf}\p{Cc}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/gu;

export function showHidden(text: string): string {
  return text.replace(HIDDEN, (character) => {
    if (character === '\n' || character === '\t') return character;
    return `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`;
  });
}
