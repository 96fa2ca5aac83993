import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { common } from '../texts/common.ts';
import { Button } from './button.tsx';
import { ErrorNote } from './error-note.tsx';
import { Progress } from './notes.tsx';

/** The three faces of something that is fetched: on its way, refused (with a way to try again), there. */
export function QueryView<T>({
  query,
  children,
}: {
  query: UseQueryResult<T>;
  children: (value: T) => ReactNode;
}) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError)
    return (
      <div className="stack">
        <ErrorNote error={query.error} />
        <div>
          <Button onClick={() => query.refetch()}>{common.tryAgain}</Button>
        </div>
      </div>
    );
  return <Progress>{common.loading}</Progress>;
}
