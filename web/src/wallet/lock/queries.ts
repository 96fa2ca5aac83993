import { queryOptions, useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { refresh } from '../../ui/queries.ts';
import { useOtherPages } from '../session/other-pages.ts';
import { openedVault, readLock } from './stored-lock.ts';

export function lockQuery() {
  return queryOptions({ queryKey: ['lock'], queryFn: async () => (await readLock()) ?? null });
}

const readAgain = () => void refresh('lock');

/** Undefined while it is being read, null where there is none. */
export function useLock() {
  useOtherPages(readAgain);
  return useQuery(lockQuery()).data;
}

/** Whether the key in this browser waits for a PIN; also while that is not known yet. */
export function useIsShut(): boolean {
  const lock = useLock();
  const openId = useSyncExternalStore(openedVault.subscribe, openedVault.lockId);
  return lock === undefined || (lock?.kind === 'pin' && lock.id !== openId);
}
