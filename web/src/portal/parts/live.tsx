import { locale } from '../../texts/language.ts';
import { lists } from '../../texts/portal/status.ts';
import { useOnline } from '../../ui/notes.tsx';

/** Whether the page follows the service automatically, has reached a final state, or is out of date. */
export function LiveMark({ query, isFinal = false }: { query: { isError: boolean }; isFinal?: boolean }) {
  const isOnline = useOnline();
  const isLost = query.isError || !isOnline;
  const state = isLost ? 'lost' : isFinal ? 'final' : 'live';
  return (
    <span className="live-mark" data-state={state}>
      <span className="live-dot" aria-hidden="true" />
      {lists.live[state]}
    </span>
  );
}

const PRECISE = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });

/** To the second: steps follow each other within seconds. */
export function PreciseMoment({ at }: { at: string }) {
  return (
    <time dateTime={at} title={at}>
      {PRECISE.format(new Date(at))}
    </time>
  );
}

/** How often live pages read again. Reads are limited to 600 a minute per team member; these are far below. */
export const LIVE_MS = 2_000;
export const LIST_MS = 3_000;
export const CALM_MS = 5_000;
