import { addMs, DAY_MS, HOUR_MS } from '../../lib/clock.ts';
import type { DomainWatch } from './view.ts';

export const CHECK_EVERY_MS = DAY_MS;
export const LAPSES_AFTER_DAYS = 7;
/** The lapse itself sends a mail too. */
const TOLD_AFTER_DAYS = [3, 1];

/** After a lookup without a response. */
const RETRY_MS = HOUR_MS;
/** Lookups that coincide, after downtime for instance, spread out again day by day. */
const SPREAD_MS = HOUR_MS;
/** The longest gap between two lookups that still counts as absence: a service that was down has seen nothing. */
const LONGEST_GAP_MS = CHECK_EVERY_MS + 2 * HOUR_MS;

/** `unknown`: no response, or one without a verdict on the challenge. */
export type Look = 'found' | 'absent' | 'unknown';

export interface JudgedLook extends DomainWatch {
  check_at: Date;
  /** Notify the team members that the challenge has been absent for this many days. */
  tell: number | undefined;
  lapses: boolean;
}

/**
 * How a lookup changes the challenge's state on a verified domain. Only the time between two lookups that both found it
 * absent counts, so that a resolver that does not respond never costs anyone a domain. `spread` is from 0 to 1.
 */
export function judgeLook(before: DomainWatch, look: Look, now: Date, spread: number): JudgedLook {
  if (look === 'found') {
    const checkAt = addMs(now, CHECK_EVERY_MS - Math.floor(spread * SPREAD_MS));
    return {
      absent_at: null,
      absent_ms: 0,
      absence_told: 0,
      check_at: checkAt,
      tell: undefined,
      lapses: false,
    };
  }
  if (look === 'unknown') {
    return {
      ...watchOf(before),
      absent_at: null,
      check_at: addMs(now, RETRY_MS),
      tell: undefined,
      lapses: false,
    };
  }
  const sinceMs = before.absent_at === null ? 0 : now.getTime() - before.absent_at.getTime();
  const absentMs = before.absent_ms + Math.max(0, Math.min(sinceMs, LONGEST_GAP_MS));
  const days = Math.floor(absentMs / DAY_MS);
  const lapses = days >= LAPSES_AFTER_DAYS;
  const tell = lapses ? undefined : TOLD_AFTER_DAYS.find((day) => day <= days && day > before.absence_told);
  return {
    absent_at: now,
    absent_ms: absentMs,
    absence_told: tell ?? before.absence_told,
    check_at: addMs(now, CHECK_EVERY_MS),
    tell,
    lapses,
  };
}

function watchOf({ absent_at, absent_ms, absence_told }: DomainWatch): DomainWatch {
  return { absent_at, absent_ms, absence_told };
}
