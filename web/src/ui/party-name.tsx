import { shownName } from '@payassent/protocol';
import { common } from '../texts/common.ts';
import { ForeignText } from './foreign-text.tsx';
import { showHidden } from './hidden-characters.ts';

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
