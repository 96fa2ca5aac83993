import { useSyncExternalStore } from 'react';
import { common } from '../texts/common.ts';
import { Note } from './notes.tsx';

function subscribe(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}

/** What the browser itself knows at once, long before a call has failed. */
export function useOnline(): boolean {
  return useSyncExternalStore(subscribe, () => navigator.onLine);
}

export function OfflineNote() {
  return <div role="status">{useOnline() ? null : <Note kind="warn">{common.errors.offline}</Note>}</div>;
}
