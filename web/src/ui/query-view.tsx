import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { common } from '../texts/common.ts';
import { Button } from './button.tsx';
import { ErrorNote } from './error-note.tsx';
import { Note, Progress } from './notes.tsx';

/** The states of a query: loading, failed (with a way to retry), loaded, loaded but perhaps out of date. */
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
  return (
    <div className="coming">
      <Progress>{common.loading}</Progress>
    </div>
  );
}

function Outdated({ retry }: { retry(): void }) {
  return (
    <Note kind="warn">
      <span role="status">{common.errors.outdated}</span>
      <Button onClick={retry}>{common.tryAgain}</Button>
    </Note>
  );
}
