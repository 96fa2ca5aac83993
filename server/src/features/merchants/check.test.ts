import { describe, expect, it } from 'vitest';
import { addMs, DAY_MS, HOUR_MS } from '../../lib/clock.ts';
import { type JudgedLook, judgeLook, type Look } from './check.ts';
import type { DomainWatch } from './view.ts';

const START = new Date('2026-03-01T12:00:00.000Z');
const FRESH: DomainWatch = { absent_at: null, absent_ms: 0, absence_told: 0 };

/** Judges lookups in sequence, each at the time that the previous one scheduled. */
function follow(looks: readonly Look[]): JudgedLook[] {
  let now = START;
  let watch: DomainWatch = FRESH;
  return looks.map((look) => {
    const judged = judgeLook(watch, look, now, 0.5);
    watch = judged;
    now = judged.check_at;
    return judged;
  });
}

const told = (looks: readonly Look[]) =>
  follow(looks).map((judged) => (judged.lapses ? 'lapses' : (judged.tell ?? '-')));
const times = (count: number, look: Look): Look[] => Array.from({ length: count }, () => look);

describe('a check of a verified domain', () => {
  it('comes every 24 hours, a little sooner when all is well, so that checks that fell together move apart', () => {
    expect(judgeLook(FRESH, 'found', START, 0).check_at).toEqual(addMs(START, DAY_MS));
    expect(judgeLook(FRESH, 'found', START, 0.999).check_at.getTime()).toBeGreaterThan(
      START.getTime() + DAY_MS - HOUR_MS,
    );
    expect(judgeLook(FRESH, 'absent', START, 0.9).check_at).toEqual(addMs(START, DAY_MS));
  });

  it('notifies after one and three days of absence, and ends the domain after seven', () => {
    expect(told(times(8, 'absent'))).toEqual(['-', 1, '-', 3, '-', '-', '-', 'lapses']);
  });

  it('begins to count again when the challenge was seen', () => {
    const looks = [...times(7, 'absent'), 'found', ...times(7, 'absent')] as const;
    expect(told(looks)).not.toContain('lapses');
    expect(told(looks).filter((entry) => entry === 1)).toHaveLength(2);
  });

  it('without a response never counts, however long it lasts, and is tried again soon', () => {
    expect(told(times(1000, 'unknown'))).not.toContain('lapses');
    const mixed: Look[] = Array.from({ length: 1000 }, (_, index) =>
      index % 2 === 0 ? 'absent' : 'unknown',
    );
    expect(told(mixed)).toEqual(mixed.map(() => '-'));
    expect(judgeLook(FRESH, 'unknown', START, 0).check_at).toEqual(addMs(START, HOUR_MS));
  });

  it('keeps what was counted before over a silence, and continues', () => {
    const looks: Look[] = [...times(4, 'absent'), 'unknown', ...times(5, 'absent')];
    expect(told(looks)).toEqual(['-', 1, '-', 3, '-', '-', '-', '-', '-', 'lapses']);
  });

  it('after a standstill counts little more than a day for it', () => {
    const first = judgeLook(FRESH, 'absent', START, 0);
    const late = judgeLook(first, 'absent', addMs(START, 30 * DAY_MS), 0);
    expect(late).toMatchObject({ tell: 1, lapses: false });
    expect(late.absent_ms).toBeLessThan(2 * DAY_MS);
  });
});
