import { afterEach, describe, expect, it, vi } from 'vitest';
import { databaseClock } from './clock.ts';

afterEach(() => vi.restoreAllMocks());

/** How far the clock is ahead of the monotonic clock. */
const startOf = (clock: ReturnType<typeof databaseClock>) => clock.now().getTime() - performance.now();

describe('the clock of the service', () => {
  it("is the database's, however far the machine's is off", () => {
    for (const offMs of [600_000, -600_000]) {
      const clock = databaseClock();
      const fromMs = performance.now();
      clock.follow?.(new Date(Date.now() + offMs), fromMs, fromMs + 20);
      expect(Math.abs(clock.now().getTime() - Date.now() - offMs)).toBeLessThan(100);
      expect(Math.abs((clock.offsetMs?.() ?? 0) - offMs)).toBeLessThan(100);
    }
  });

  it('is not moved when the clock of the machine is set', () => {
    const clock = databaseClock();
    const before = startOf(clock);
    const { now } = Date;
    vi.spyOn(Date, 'now').mockImplementation(() => now() + 600_000);
    expect(Math.abs(startOf(clock) - before)).toBeLessThan(100);
    expect(Math.abs((clock.offsetMs?.() ?? 0) + 600_000)).toBeLessThan(100);
  });

  it('is not moved by the length of a round trip', () => {
    const clock = databaseClock();
    const fromMs = performance.now();
    const start = 1_800_000_000_000;
    clock.follow?.(new Date(start + fromMs + 10), fromMs, fromMs + 20);
    const before = startOf(clock);
    clock.follow?.(new Date(start + fromMs), fromMs, fromMs + 2_000);
    clock.follow?.(new Date(start + fromMs + 1_980), fromMs, fromMs + 2_000);
    expect(Math.abs(startOf(clock) - before)).toBeLessThan(15);
  });
});
