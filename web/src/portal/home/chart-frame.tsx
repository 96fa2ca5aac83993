import { type ReactNode, useId } from 'react';
import { charts } from '../../texts/portal/charts.ts';
import { Table } from '../parts/lists.tsx';
import './charts.css';

/** A drawing with what it covers in words, and the same numbers as a table for those who would rather read. */
export function ChartFrame({
  title,
  covers,
  heads,
  rows,
  children,
}: {
  title: string;
  covers: string;
  heads: readonly string[];
  rows: ReadonlyArray<readonly [string, ...(string | number)[]]>;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section className="card stack chart-card" aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      {children}
      <p className="soft">{covers}</p>
      <details>
        <summary>{charts.table}</summary>
        <Table label={title} heads={heads}>
          {rows.map(([name, ...cells]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {cells.map((cell, index) => (
                <td key={heads[index + 1]}>{cell}</td>
              ))}
            </tr>
          ))}
        </Table>
      </details>
    </section>
  );
}

interface LegendEntry {
  group: string;
  label: string;
}

export function Legend({ entries }: { entries: readonly LegendEntry[] }) {
  return (
    <ul className="chart-legend">
      {entries.map(({ group, label }) => (
        <li key={group}>
          <span className="chart-key" data-group={group} aria-hidden="true" />
          {label}
        </li>
      ))}
    </ul>
  );
}
