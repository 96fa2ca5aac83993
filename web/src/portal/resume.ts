import { isApiError } from '@payassent/sdk';
import { useEffect } from 'react';
import { merchantClient } from './client.ts';
import { cannotReach, currentSession, enter, leave, onSuspectedChange } from './session.ts';

/** Restores the session of the browser's cookie, if it has one. */
export async function resumeSession(): Promise<void> {
  try {
    enter(await merchantClient.sessions.resume());
  } catch (error) {
    const { place } = currentSession();
    if (isApiError(error) && error.httpStatus === 401) {
      if (place === 'unknown' || place === 'unreachable') leave('new');
    } else if (place === 'unknown') cannotReach(error);
  }
}

/**
 * At the start, whenever someone comes back to this window, and when another window announces a change: there they may
 * have signed in, signed out or changed the organization, and this one must not show or change what is no longer
 * theirs.
 */
export function useResumedSession(): void {
  useEffect(() => {
    if (currentSession().place === 'unknown') void resumeSession();
    const onReturn = () => {
      if (document.visibilityState === 'visible') void resumeSession();
    };
    document.addEventListener('visibilitychange', onReturn);
    addEventListener('focus', onReturn);
    const forget = onSuspectedChange(() => void resumeSession());
    return () => {
      document.removeEventListener('visibilitychange', onReturn);
      removeEventListener('focus', onReturn);
      forget();
    };
  }, []);
}
