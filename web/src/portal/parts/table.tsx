import type { ReactNode } from 'react';
import { lists } from '../../texts/portal/status.ts';
import './parts.css';

/** A table that scrolls inside its own frame; the frame can be reached and scrolled with the keyboard. */
export function Table({
  label,
  heads,
  children,
}: {
  label: string;
  heads: readonly string[];
  children: ReactNode;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a pointer
    <section className="table-frame" aria-label={lists.table(label)} tabIndex={0}>
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
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}
