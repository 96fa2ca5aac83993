import { type ReactNode, useSyncExternalStore } from 'react';
import { common } from '../texts/common.ts';

export type Tone = 'plain' | 'good' | 'warn' | 'bad' | 'accent';

export function Note({
  kind = 'plain',
  texts,
  children,
}: {
  kind?: 'plain' | 'good' | 'warn' | 'bad';
  texts?: { title: string; text: string };
  children?: ReactNode;
}) {
  return (
    <div className="note stack-tight" data-kind={kind} role={kind === 'bad' ? 'alert' : undefined}>
      {texts === undefined ? null : (
        <>
          <strong>{texts.title}</strong>
          <span>{texts.text}</span>
        </>
      )}
      {children}
    </div>
  );
}

export function Badge({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span className="badge" data-tone={tone}>
      {children}
    </span>
  );
}

/** In place of an empty list: what would be here, and the one thing to do next. */
export function EmptyState({
  title,
  children,
  action,
}: {
  title: string;
  children: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      <p className="soft">{children}</p>
      {action}
    </div>
  );
}

export function Progress({ children }: { children: ReactNode }) {
  return (
    <p className="progress" role="status">
      {children}
    </p>
  );
}

/** The outline of a page that is loading; the HTML files begin with the same. */
export function Skeleton() {
  return (
    <div className="skeleton" role="status">
      <h1 className="visually-hidden">{common.loading}</h1>
      <div className="skeleton-bar" data-size="title" />
      <div className="skeleton-bar" />
      <div className="skeleton-bar" />
      <div className="skeleton-bar" />
    </div>
  );
}

function subscribe(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}

/** The browser knows that it is offline long before a call has failed. */
export function useOnline(): boolean {
  return useSyncExternalStore(subscribe, () => navigator.onLine);
}
