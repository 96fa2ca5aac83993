import { useEffect } from 'react';

/** All pages of this browser share one credential: the page that changes it notifies the others, which read it themselves. */
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
