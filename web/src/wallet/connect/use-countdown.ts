import { useEffect, useState } from 'react';
import { serverNow } from '../session/server-clock.ts';

const SECOND_MS = 1_000;

/** The minutes and seconds that are left by the service's clock, or undefined when the time has passed. */
export function useCountdown(expiresAt: string): string | undefined {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  const left = Math.ceil((new Date(expiresAt).getTime() - now) / SECOND_MS);
  if (left <= 0) return undefined;
  return `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
}
