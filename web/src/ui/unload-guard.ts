import { useEffect } from 'react';

/** Closing or reloading the page asks first. */
export function useUnloadGuard(isNeeded = true): void {
  useEffect(() => {
    if (!isNeeded) return;
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', onUnload);
    return () => removeEventListener('beforeunload', onUnload);
  }, [isNeeded]);
}
