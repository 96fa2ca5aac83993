import { type ReactNode, useEffect, useRef } from 'react';
import { lists } from '../../texts/portal/status.ts';
import './parts.css';

/**
 * A table that scrolls inside its own frame; the frame can be reached and scrolled with the keyboard. On a phone every
 * row is a card, in which each cell says the name of its column.
 */
export function Table({
  label,
  heads,
  children,
}: {
  label: string;
  heads: readonly string[];
  children: ReactNode;
}) {
  const body = useRef<HTMLTableSectionElement>(null);
  useEffect(() => {
    for (const row of body.current?.rows ?? [])
      for (const cell of row.cells) cell.dataset['label'] = heads[cell.cellIndex] ?? '';
  });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a pointer
    <section className="table-frame cards-when-narrow" aria-label={lists.table(label)} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body}>{children}</tbody>
      </table>
    </section>
  );
}
