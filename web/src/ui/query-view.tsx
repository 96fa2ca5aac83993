import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { common } from '../texts/common.ts';
import { Button } from './button.tsx';
import { ErrorNote } from './error-note.tsx';
import { Note, Progress } from './notes.tsx';

/** The faces of something that is fetched: on its way, refused (with a way to try again), there, there but perhaps old. */
export function QueryView<T>({
  query,
  children,
}: {
  query: UseQueryResult<T>;
  children: (value: T) => ReactNode;
}) {
  if (query.data !== undefined)
    return (
      <>
        {query.isRefetchError ? <Outdated retry={() => query.refetch()} /> : null}
        {children(query.data)}
      </>
    );
  if (query.isError)
    return (
      <div className="stack">
        <ErrorNote error={query.error} />
        <Button onClick={() => query.refetch()}>{common.tryAgain}</Button>
      </div>
    );
  return <Progress>{common.loading}</Progress>;
}

function Outdated({ retry }: { retry(): void }) {
  return (
    <Note kind="warn">
      <span role="status">{common.errors.outdated}</span>
      <Button onClick={retry}>{common.tryAgain}</Button>
    </Note>
  );
}
