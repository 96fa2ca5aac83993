import { useEffect, useRef, useState, useSyncExternalStore } from 'react';

/** Before each look. Sixteen looks in nine minutes: far below 120 changes a minute, which is what an operator has. */
const PAUSES_S = [5, 10, 10, 10, 15, 15, 20, 30, 30, 45, 60, 60, 60, 60, 60, 60];

function subscribe(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}

/** Calls `look` now and then while it is wanted and the page is seen. False: it has given up. */
export function useAutomaticLook(isWanted: boolean, look: () => void): boolean {
  const [looks, setLooks] = useState(0);
  const isSeen = useSyncExternalStore(subscribe, () => document.visibilityState === 'visible');
  const newest = useRef(look);
  useEffect(() => {
    newest.current = look;
  });
  useEffect(() => {
    const pause = PAUSES_S[looks];
    if (!isWanted || !isSeen || pause === undefined) return;
    const timer = setTimeout(() => {
      setLooks(looks + 1);
      newest.current();
    }, pause * 1_000);
    return () => clearTimeout(timer);
  }, [isWanted, isSeen, looks]);
  return isWanted && looks < PAUSES_S.length;
}
