import { describe, expect, it } from 'vitest';
import type { Random } from '../../lib/random.ts';
import { MAX_ATTEMPTS, parseRetryAfter, RETRY_DELAYS_MS, retryDelayMs } from './schedule.ts';

const at = (unit: number): Random => ({
  bytes: () => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(Math.min(2 ** 32 - 1, Math.floor(unit * 2 ** 32)));
    return bytes;
  },
});

describe('the pause before a retry', () => {
  it('is the published list', () => {
    const s = 1_000;
    const h = 3_600 * s;
    expect(RETRY_DELAYS_MS).toEqual([
      5 * s,
      300 * s,
      1_800 * s,
      2 * h,
      5 * h,
      10 * h,
      14 * h,
      20 * h,
      24 * h,
    ]);
    expect(MAX_ATTEMPTS).toBe(10);
    expect(retryDelayMs(MAX_ATTEMPTS, undefined, at(0.5))).toBeUndefined();
  });

  it.each(RETRY_DELAYS_MS.map((baseMs, index) => [baseMs, index + 1]))(
    '%i ms varies by up to a fifth, both ends reached',
    (baseMs, attempt) => {
      expect(retryDelayMs(attempt, undefined, at(0))).toBe(0.8 * baseMs);
      expect(retryDelayMs(attempt, undefined, at(0.5))).toBe(baseMs);
      expect(retryDelayMs(attempt, undefined, at(1))).toBeCloseTo(1.2 * baseMs, -1);
    },
  );

  it('follows Retry-After between one and two times the delay, and never comes before it', () => {
    const baseMs = 300_000;
    for (const unit of [0, 0.3, 1]) {
      for (const asked of [0, 1, 200_000, 300_000]) {
        const delay = retryDelayMs(2, asked, at(unit)) ?? 0;
        expect(delay).toBeGreaterThanOrEqual(baseMs);
        expect(delay).toBeLessThanOrEqual(1.2 * baseMs + 1);
      }
      expect(retryDelayMs(2, 400_000, at(unit))).toBe(400_000);
      expect(retryDelayMs(2, 600_000, at(unit))).toBe(600_000);
      expect(retryDelayMs(2, 600_001, at(unit))).toBe(600_000);
      expect(retryDelayMs(2, Number.MAX_SAFE_INTEGER, at(unit))).toBe(600_000);
    }
  });
});

describe('Retry-After', () => {
  const now = new Date('2026-03-01T12:00:00.000Z');
  it.each([
    ['120', 120_000],
    ['0', 0],
    [' 7 ', 7_000],
    ['99999999999999999999999999', Number.MAX_SAFE_INTEGER],
    ['Sun, 01 Mar 2026 12:02:00 GMT', 120_000],
    ['Sunday, 01-Mar-26 12:02:00 GMT', 120_000],
    ['Sun Mar  1 12:02:00 2026', 120_000],
    ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
    ['Fri, 31 Dec 9999 23:59:59 GMT', new Date('9999-12-31T23:59:59Z').getTime() - now.getTime()],
  ])('%s is understood', (text, expected) => {
    expect(parseRetryAfter(text, now)).toBe(expected);
  });

  it.each([
    undefined,
    '',
    '-5',
    '+5',
    '1.5',
    '1e9',
    '0x10',
    'soon',
    'Someday, 01 Mar 2026',
    'Mon, 99 Foo 2026 25:61:61 GMT',
    '2026-03-01',
    '5, 6',
  ])('%s is ignored', (text) => {
    expect(parseRetryAfter(text, now)).toBeUndefined();
  });
});
