import { review } from '../../texts/wallet.ts';
import { ForeignText } from '../../ui/foreign-text.tsx';

/** More entries than anybody reads; a record of 64 KiB may hold thousands. */
const MOST_ENTRIES = 200;

interface Line {
  depth: number;
  name: string;
  /** Undefined where only a name stands, with its members below. */
  value: string | undefined;
}

/** Free-form data as lines of text, names as foreign as values. However long it is, its box keeps its size. */
export function SaidWords({ content, label }: { content: Record<string, unknown>; label: string }) {
  const lines = linesOf(content);
  const hidden = lines.length - MOST_ENTRIES;
  return (
    // The box scrolls, so it has to be reachable with the keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <section className="said-words" tabIndex={0} aria-label={label}>
      {lines.slice(0, MOST_ENTRIES).map((line, index) => (
        // Lines have no identity but their place, and the data never changes.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <div key={index} className={line.depth > 0 ? 'said-entry said-nested' : 'said-entry'}>
          <span className="said-name">
            <ForeignText inline>{line.name}</ForeignText>
          </span>
          {line.value === undefined ? null : <ForeignText lines>{line.value}</ForeignText>}
        </div>
      ))}
      {hidden > 0 ? <p className="soft">{review.said.cut(hidden)}</p> : null}
    </section>
  );
}

function linesOf(content: Record<string, unknown>): Line[] {
  const lines: Line[] = [];
  const visit = (name: string, value: unknown, depth: number) => {
    if (typeof value === 'object' && value !== null) {
      lines.push({ depth, name, value: undefined });
      for (const [member, inner] of Object.entries(value))
        visit(Array.isArray(value) ? `${name} ${Number(member) + 1}` : member, inner, depth + 1);
      return;
    }
    lines.push({ depth, name, value: typeof value === 'string' ? value : JSON.stringify(value) });
  };
  for (const [name, value] of Object.entries(content)) visit(name, value, 0);
  return lines;
}
