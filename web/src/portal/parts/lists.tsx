import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { Children, isValidElement, type ReactNode, useEffect, useRef, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { lists, statusWords } from '../../texts/portal/status.ts';
import { Button } from '../../ui/button.tsx';
import { Badge, EmptyState, type Tone } from '../../ui/notes.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { SelectField } from '../../ui/select-field.tsx';
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

interface PagesOptions<Page> {
  /** Names the list and its filters: another key begins at the newest page again. */
  key: readonly unknown[];
  read(cursor: { cursor?: string }, signal: AbortSignal): Promise<Page>;
  /** How often the shown page is read again while the window is visible. */
  everyMs?: number;
}

interface Pages<Page> {
  query: UseQueryResult<Page>;
  number: number;
  older: (() => void) | undefined;
  newer: (() => void) | undefined;
}

/**
 * A list, one page at a time: what is polled stays one small read however far one has gone back. The polling pauses by
 * itself while the window is hidden.
 */
export function usePages<Page extends { next_cursor: string | null }>({
  key,
  read,
  everyMs,
}: PagesOptions<Page>): Pages<Page> {
  const name = JSON.stringify(key);
  const [place, setPlace] = useState<{ name: string; cursors: string[] }>({ name, cursors: [] });
  const cursors = place.name === name ? place.cursors : [];
  const cursor = cursors.at(-1);
  const query = useQuery({
    queryKey: [...key, cursor ?? null],
    queryFn: ({ signal }) => read(cursor === undefined ? {} : { cursor }, signal),
    placeholderData: keepPreviousData,
    ...(everyMs === undefined ? {} : { refetchInterval: everyMs }),
  });
  const following = query.data === undefined || query.isPlaceholderData ? null : query.data.next_cursor;
  return {
    query,
    number: cursors.length + 1,
    older: following === null ? undefined : () => setPlace({ name, cursors: [...cursors, following] }),
    newer: cursor === undefined ? undefined : () => setPlace({ name, cursors: cursors.slice(0, -1) }),
  };
}

export function PageSteps<Page>({ pages }: { pages: Pages<Page> }) {
  if (pages.older === undefined && pages.newer === undefined) return null;
  return (
    <nav className="row" aria-label={lists.pages}>
      <Button onClick={pages.newer} disabled={pages.newer === undefined}>
        {lists.newer}
      </Button>
      <span className="soft" role="status">
        {lists.page(pages.number)}
      </span>
      <Button onClick={pages.older} disabled={pages.older === undefined}>
        {lists.older}
      </Button>
    </nav>
  );
}

interface TableTexts {
  table: string;
  heads: Readonly<Record<string, string>>;
  empty: { title: string; text: string };
}

interface PagedTableProps<Page, Item> {
  pages: Pages<Page>;
  texts: TableTexts;
  rows(page: Page): readonly Item[];
  /** Where there is nothing; the words of the catalogue unless given. */
  empty?: ReactNode;
  /** The row of one. */
  children(item: Item): ReactNode;
}

/** A list as every page of the portal shows it: on its way, refused, empty, or a table with its pages. */
export function PagedTable<Page, Item>({ pages, texts, rows, empty, children }: PagedTableProps<Page, Item>) {
  return (
    <QueryView query={pages.query}>
      {(page) =>
        rows(page).length === 0 ? (
          emptyOr(empty, texts.empty)
        ) : (
          <div className="stack">
            <Table label={texts.table} heads={Object.values(texts.heads)}>
              {rows(page).map(children)}
            </Table>
            <PageSteps pages={pages} />
          </div>
        )
      }
    </QueryView>
  );
}

function emptyOr(empty: ReactNode, { title, text }: TableTexts['empty']): ReactNode {
  return empty === undefined ? <EmptyState title={title}>{text}</EmptyState> : empty;
}

/** A row of a table: each child is a cell, if it is none already. */
export function Row({ children }: { children: ReactNode }) {
  const isCell = (child: ReactNode) => isValidElement(child) && (child.type === 'td' || child.type === 'th');
  return <tr>{Children.map(children, (child) => (isCell(child) ? child : <td>{child}</td>))}</tr>;
}

const TONES: Record<string, Tone> = {
  pending: 'warn',
  pending_verification: 'warn',
  intent_created: 'warn',
  paused: 'warn',
  draft: 'warn',
  signed: 'accent',
  broadcasted: 'accent',
  confirmed: 'good',
  active: 'good',
  delivered: 'good',
  failed: 'bad',
};

export function StatusBadge({ status }: { status: string }) {
  return <Badge tone={TONES[status] ?? 'plain'}>{statusWord(status)}</Badge>;
}

export function statusWord(status: string): string {
  return statusWords[status] ?? status;
}

/** One status, or every one (undefined). */
export function StatusFilter<Status extends string>({
  label,
  statuses,
  value,
  onChange,
}: {
  label: string;
  statuses: readonly Status[];
  value: NoInfer<Status> | undefined;
  onChange(status: NoInfer<Status> | undefined): void;
}) {
  const choices = [
    { value: '', label: lists.anyStatus },
    ...statuses.map((status) => ({ value: status, label: statusWord(status) })),
  ];
  return (
    <div className="filter">
      <SelectField
        label={label}
        choices={choices}
        value={value ?? ''}
        onValue={(value) => onChange(statuses.find((status) => status === value))}
      />
    </div>
  );
}

type Filters = Readonly<Record<string, string | undefined>>;

/** Filters stand in the address: they survive a reload, a link that is passed on, and the way back. */
export function useUrlFilters(): [URLSearchParams, (filters: Filters) => void] {
  // The router says that the address has changed; its own reading of it decodes twice.
  useSearch();
  const query = new URLSearchParams(location.search);
  const [path, navigate] = useLocation();
  const choose = (filters: Filters) => {
    for (const [name, value] of Object.entries(filters))
      if (value) query.set(name, value);
      else query.delete(name);
    navigate(query.size === 0 ? path : `${path}?${query}`, { replace: true });
  };
  return [query, choose];
}

/** One of some values, or none. */
export function useUrlFilter<Value extends string>(
  name: string,
  values: readonly Value[],
): [Value | undefined, (value: Value | undefined) => void] {
  const [query, choose] = useUrlFilters();
  return [values.find((value) => value === query.get(name)), (value) => choose({ [name]: value })];
}
