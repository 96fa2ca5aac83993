import { useEffect } from 'react';

/** All pages of this browser share one credential: anyone who changes it tells the others. What it is, they read themselves. */
const channel = new BroadcastChannel('payassent-wallet');

export function tellOtherPages(): void {
  channel.postMessage('device changed');
}

export function useOtherPages(onChange: () => void): void {
  useEffect(() => {
    channel.addEventListener('message', onChange);
    return () => channel.removeEventListener('message', onChange);
  }, [onChange]);
}
