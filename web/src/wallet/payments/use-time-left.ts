import { useEffect, useState } from 'react';

const SOON_S = 5 * 60;
const HOUR_S = 3600;
const DAY_S = 24 * HOUR_S;

interface TimeLeft {
  text: string;
  isSoon: boolean;
}

/** What is left, to the second in the last hour; undefined from the very second on in which the time is over. */
export function useTimeLeft(until: string): TimeLeft | undefined {
  const [now, setNow] = useState(() => Date.now());
  const end = new Date(until).getTime();
  useEffect(() => {
    const left = end - now;
    if (left <= 0) return;
    // At the next full second before the end, so that the last one is not late.
    const timer = setTimeout(() => setNow(Date.now()), left % 1000 || 1000);
    return () => clearTimeout(timer);
  }, [end, now]);
  const seconds = Math.ceil((end - now) / 1000);
  return seconds <= 0 ? undefined : { text: words(seconds), isSoon: seconds < SOON_S };
}

function words(seconds: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  if (seconds >= DAY_S) return `${Math.floor(seconds / DAY_S)} d ${Math.floor((seconds % DAY_S) / HOUR_S)} h`;
  if (seconds >= HOUR_S)
    return `${Math.floor(seconds / HOUR_S)} h ${Math.floor((seconds % HOUR_S) / 60)} min`;
  return `${Math.floor(seconds / 60)}:${two(seconds % 60)}`;
}
