import type { Settlement } from '@payassent/sdk';
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { Children, isValidElement, type ReactNode, useEffect, useRef } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { lists, statusWords } from '../../texts/portal/status.ts';
import { settlement as settlementTexts } from '../../texts/settlement.ts';
import { Button } from '../../ui/button.tsx';
import { Badge, EmptyState, type Tone } from '../../ui/notes.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import './parts.css';

/**
 * A table that scrolls inside its own frame; the frame can be reached and scrolled with the keyboard. On a phone every
 * row is a card, in which each cell shows the name of its column.
 */
export function Table({
  label,
  heads,
  sums = [],
  children,
}: {
  label: string;
  heads: readonly string[];
  /** The heads over columns of sums. */
  sums?: readonly string[];
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
              <th key={head} scope="col" data-sums={sums.includes(head)}>
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
  /** Returns to the newest page: where the pages between are not known. */
  newest: (() => void) | undefined;
}

/** The page before each page, as far as this window has seen it; the first one has no cursor. */
const pagesBefore = new Map<string, string | undefined>();

/**
 * A list, one page at a time: a poll stays one small read however far back the reader is. Polling pauses while the
 * window is hidden. The page is in the address, as filters are; another filter begins at the newest page.
 */
export function usePages<Page extends { next_cursor: string | null }>({
  key,
  read,
  everyMs,
}: PagesOptions<Page>): Pages<Page> {
  const [address, choose] = useUrlFilters();
  const cursor = address.get('cursor') ?? undefined;
  const number = cursor === undefined ? 1 : Math.max(2, Number.parseInt(address.get('page') ?? '', 10) || 2);
  const query = useQuery({
    queryKey: [...key, cursor ?? null],
    queryFn: ({ signal }) => read(cursor === undefined ? {} : { cursor }, signal),
    placeholderData: keepPreviousData,
    ...(everyMs === undefined ? {} : { refetchInterval: everyMs }),
  });
  const following = query.data === undefined || query.isPlaceholderData ? null : query.data.next_cursor;
  const goTo = (place: string | undefined, page: number) => () => {
    if (page > number) pagesBefore.set(place ?? '', cursor);
    choose({ cursor: place, page: place === undefined ? undefined : String(page) }, 'step');
  };
  const isBeforeKnown = cursor !== undefined && pagesBefore.has(cursor);
  return {
    query,
    number,
    older: following === null ? undefined : goTo(following, number + 1),
    newer: isBeforeKnown ? goTo(pagesBefore.get(cursor), number - 1) : undefined,
    newest: cursor === undefined || isBeforeKnown ? undefined : goTo(undefined, 1),
  };
}

export function PageSteps<Page>({ pages }: { pages: Pages<Page> }) {
  const { older, newer, newest } = pages;
  if (older === undefined && newer === undefined && newest === undefined) return null;
  return (
    <nav className="row" aria-label={lists.pages}>
      <Button onClick={newest ?? newer} disabled={newer === undefined && newest === undefined}>
        {newest === undefined ? lists.newer : lists.newest}
      </Button>
      <span className="soft" role="status">
        {lists.page(pages.number)}
      </span>
      <Button onClick={older} disabled={older === undefined}>
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

/** Where records exist, but none matches the filters. */
export function NoMatch<Page>({ pages }: { pages: Pages<Page> }) {
  const { title, text, older } = lists.noMatch;
  return <EmptyState title={title}>{pages.older === undefined ? text : older}</EmptyState>;
}

interface PagedTableProps<Page, Item> {
  pages: Pages<Page>;
  texts: TableTexts;
  rows(page: Page): readonly Item[];
  /** Where there is nothing; the words of the catalogue unless given. */
  empty?: ReactNode;
  /** Whether filters apply: a record that is absent from the list may exist. */
  isFiltered?: boolean;
  /** The heads over columns of sums. */
  sums?: readonly string[];
  /** The row of one. */
  children(item: Item): ReactNode;
}

/** A list as every page of the portal shows it: on its way, refused, empty, or a table with its pages. */
export function PagedTable<Page, Item>({
  pages,
  texts,
  rows,
  empty,
  isFiltered = false,
  sums = [],
  children,
}: PagedTableProps<Page, Item>) {
  return (
    <QueryView query={pages.query}>
      {(page) =>
        rows(page).length === 0 ? (
          <div className="stack">
            {isFiltered ? <NoMatch pages={pages} /> : emptyOr(empty, texts.empty)}
            <PageSteps pages={pages} />
          </div>
        ) : (
          <div className="stack">
            <Table label={texts.table} heads={Object.values(texts.heads)} sums={sums}>
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

/** The link of a row: a click anywhere in the row follows it. */
export function RowLink({ href, name, children }: { href: string; name?: string; children: ReactNode }) {
  return (
    <Link href={href} className="row-link" aria-label={name}>
      {children}
    </Link>
  );
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
  active: 'good',
  delivered: 'good',
  failed: 'bad',
};

export function StatusBadge({ status }: { status: string }) {
  return <Badge tone={TONES[status] ?? 'plain'}>{statusWord(status)}</Badge>;
}

interface PaymentState {
  status: string;
  settlement?: { state: Settlement['state'] } | null | undefined;
}

/** Of a payment that its wallet reported as paid, only the chain shows whether it was. */
const SETTLED: Partial<Record<Settlement['state'], Tone>> = {
  final: 'good',
  mismatch: 'bad',
  failed_on_chain: 'bad',
};

export function PaymentBadge({ payment: { status, settlement } }: { payment: PaymentState }) {
  const state = status === 'confirmed' ? settlement?.state : undefined;
  const tone = state && SETTLED[state];
  if (state === undefined || tone === undefined) return <StatusBadge status={status} />;
  return <Badge tone={tone}>{settlementTexts.states[state]}</Badge>;
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
/** What a change of the address is: another choice begins at the newest page, and only a step is a way back. */
type Change = 'choice' | 'step' | 'panel';

/** Filters are part of the address: they survive a reload, a shared link, and the back button. */
export function useUrlFilters(): [URLSearchParams, (filters: Filters, change?: Change) => void] {
  // The router only triggers the update; its own parsing decodes the address twice.
  useSearch();
  const query = new URLSearchParams(location.search);
  const [path, navigate] = useLocation();
  const choose = (filters: Filters, change: Change = 'choice') => {
    if (change === 'choice') for (const name of ['cursor', 'page']) query.delete(name);
    for (const [name, value] of Object.entries(filters))
      if (value) query.set(name, value);
      else query.delete(name);
    navigate(query.size === 0 ? path : `${path}?${query}`, { replace: change !== 'step' });
  };
  return [query, choose];
}

/** The address of the list as it is, with one record open next to it: the way back closes it. */
export function usePanelHref(): (opened: Readonly<Record<string, string>>) => string {
  const [query] = useUrlFilters();
  const [path] = useLocation();
  return (opened) => {
    const others = [...query].filter(([name]) => !(name in opened));
    return `${path}?${new URLSearchParams([...others, ...Object.entries(opened)])}`;
  };
}

/** One of some values, or none. */
export function useUrlFilter<Value extends string>(
  name: string,
  values: readonly Value[],
): [Value | undefined, (value: Value | undefined) => void] {
  const [query, choose] = useUrlFilters();
  return [values.find((value) => value === query.get(name)), (value) => choose({ [name]: value })];
}
