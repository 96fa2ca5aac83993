import { shownName } from '@payassent/protocol';
import { common } from '../texts/common.ts';
import { showHidden, showHiddenInLines } from './hidden-characters.ts';

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
      tabIndex={(inline ? shown.length > LONG : mayScroll(shown)) ? 0 : undefined}
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

/** The name of a merchant, agent or payee, wherever it is drawn: one that may not be shown is shown nowhere. */
export function PartyName({ children, inline = false }: { children: string; inline?: boolean }) {
  const shown = shownName(children);
  if (shown === undefined) return <span className="soft">{common.nameNotShown}</span>;
  return <ForeignText inline={inline}>{shown}</ForeignText>;
}

/** The same for labels, which are text alone. */
export function partyNameText(name: string): string {
  const shown = shownName(name);
  return shown === undefined ? common.nameNotShown : showHidden(shown);
}
