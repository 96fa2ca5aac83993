import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { lists } from '../../texts/portal/status.ts';
import { Button } from '../../ui/button.tsx';

interface PagesOptions<Page> {
  /** Names the list and its filters: another key begins at the newest page again. */
  key: readonly unknown[];
  read(cursor: { cursor?: string }, signal: AbortSignal): Promise<Page>;
  next(page: Page): string | null;
  /** How often the shown page is read again while the window is visible. */
  everyMs?: number;
}

export interface Pages<Page> {
  query: UseQueryResult<Page>;
  number: number;
  older: (() => void) | undefined;
  newer: (() => void) | undefined;
}

/**
 * A list, one page at a time: what is polled stays one small read however far one has gone back. The polling pauses by
 * itself while the window is hidden.
 */
export function usePages<Page>({ key, read, next, everyMs }: PagesOptions<Page>): Pages<Page> {
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
  const following = query.data === undefined || query.isPlaceholderData ? null : next(query.data);
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
