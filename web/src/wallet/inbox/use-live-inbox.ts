import { useEffect, useRef, useState } from 'react';
import { queries, refresh } from '../../ui/queries.ts';
import { isTokenRefused, useSession } from '../session/session.tsx';

type InboxState = 'live' | 'lost' | 'gone';

const RETRY_MS = 4_000;
/** Pending payments arrive page by page: the lists are read once for a whole page, not once for each. */
const GATHER_MS = 100;

/** Follows the inbox for as long as the page is open; each arrival makes the lists read again. */
export function useLiveInbox(): InboxState {
  const { client, isGone } = useSession();
  const [state, setState] = useState<InboxState>('live');
  const followed = useRef(client);
  useEffect(() => {
    const ending = new AbortController();
    let isGathering = false;
    const readListsSoon = async () => {
      if (isGathering) return;
      isGathering = true;
      await pause(GATHER_MS, ending.signal);
      isGathering = false;
      if (!ending.signal.aborted) await refresh('payments');
    };
    const follow = async () => {
      for await (const _arrival of client.paymentRequests.inbox({ signal: ending.signal })) {
        setState('live');
        void readListsSoon();
      }
    };
    const keepFollowing = async () => {
      while (!ending.signal.aborted) {
        try {
          await follow();
        } catch (error) {
          if (ending.signal.aborted) return;
          if (isTokenRefused(error) && (await isGone())) return setState('gone');
          setState('lost');
          await pause(RETRY_MS, ending.signal);
        }
      }
    };
    // Another client has another token: calls that failed with the previous one are made again.
    if (followed.current !== client) {
      followed.current = client;
      setState('live');
      void refresh();
    }
    void keepFollowing();
    return () => ending.abort();
  }, [client, isGone]);
  useEffect(
    () =>
      queries.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated') return;
        const { action } = event;
        if (action.type === 'success') setState((former) => (former === 'lost' ? 'live' : former));
        if (action.type !== 'error' || !isTokenRefused(action.error)) return;
        void isGone().then((gone) => (gone ? setState('gone') : undefined));
      }),
    [isGone],
  );
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
