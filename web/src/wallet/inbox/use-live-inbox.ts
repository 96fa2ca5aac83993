import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { isDeviceGone, useWallet } from '../session/session.tsx';

export type InboxState = 'live' | 'lost' | 'gone';

const RETRY_MS = 4_000;

/** Follows the inbox for as long as the page is open; each arrival makes the lists read anew. */
export function useLiveInbox(): InboxState {
  const client = useWallet();
  const cache = useQueryClient();
  const [state, setState] = useState<InboxState>('live');
  useEffect(() => {
    const ending = new AbortController();
    const follow = async () => {
      for await (const _arrival of client.paymentRequests.inbox({ signal: ending.signal })) {
        setState('live');
        void cache.invalidateQueries({ queryKey: ['payments'] });
      }
    };
    const keepFollowing = async () => {
      while (!ending.signal.aborted) {
        try {
          await follow();
        } catch (error) {
          if (ending.signal.aborted) return;
          if (isDeviceGone(error)) return setState('gone');
          setState('lost');
          await pause(RETRY_MS, ending.signal);
        }
      }
    };
    void keepFollowing();
    return () => ending.abort();
  }, [client, cache]);
  useEffect(() => {
    const observe = cache.getQueryCache().subscribe(({ query }) => {
      if (query.state.status === 'error' && isDeviceGone(query.state.error)) setState('gone');
      if (query.state.status === 'success') setState((former) => (former === 'lost' ? 'live' : former));
    });
    return observe;
  }, [cache]);
  return state;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
