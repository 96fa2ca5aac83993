import { shownName } from '@payassent/protocol';
import { common } from '../texts/common.ts';
import { showHidden, showHiddenInLines } from './hidden-characters.ts';

interface ForeignTextProps {
  children: string;
  /** In the flow of other text instead of in its own box. */
  inline?: boolean;
  /** For descriptions, which may have line breaks. Names and memos are one flow of text. */
  lines?: boolean;
}

/**
 * Text that another party wrote. It is shown as it is, never as markup, and cannot reach out of its box: direction,
 * height and stacking are isolated. Characters that are invisible, or would push the text around it away, are written
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

/** Longer text needs smaller letters on narrow screens. */
const LONG = 60;

/** On a narrow phone eight lines fit into the box, and a line holds little more than twenty wide letters. */
function mayScroll(text: string): boolean {
  return text.length > 160 || text.split('\n').length > 6;
}

/** The name of a merchant, agent or payee, wherever it is drawn: a refused name is shown nowhere. */
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
