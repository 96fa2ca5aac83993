import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Context } from '../context.ts';
import { createWriting } from '../db/writing.ts';
import type { Job } from './job.ts';
import { type JobRunner, startJobs } from './runner.ts';

const writing = createWriting(20);
const context = {
  signals: { subscribe: () => () => {} },
  log: { warn: () => {} },
  metrics: { increment: () => {} },
  writing,
} as unknown as Context;

describe('a job', () => {
  let runner: JobRunner | undefined;
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  });
  afterEach(async () => {
    const stopped = runner?.stop();
    await vi.runAllTimersAsync();
    await stopped;
    vi.useRealTimers();
  });

  const start = (run: Job['run'], rest: Partial<Job> = {}) => {
    runner = startJobs(context, [{ name: 'sweeper', everyMs: 1_000, run, ...rest }]);
    return runner;
  };

  it('takes its first turn with the start of the service, or after its own delay', async () => {
    const run = vi.fn(async () => false);
    start(run, { firstAfterMs: 20_000 });
    await vi.advanceTimersByTimeAsync(19_999);
    expect(run).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(run).toHaveBeenCalledTimes(1);
    await runner?.stop();
    start(run);
    expect(run).toHaveBeenCalledTimes(2);
  });

  it('takes no turn while writing is refused, and is alive; afterwards it continues', async () => {
    const run = vi.fn(async () => false);
    const jobs = start(run);
    expect(run).toHaveBeenCalledTimes(1);
    writing.settle('refused');
    await vi.advanceTimersByTimeAsync(300_000);
    expect(run).toHaveBeenCalledTimes(1);
    expect(jobs.health()).toMatchObject([{ alive: true, silentS: 300 }]);
    writing.settle('fine');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(run).toHaveBeenCalledTimes(2);
  });

  it('is alive while its turns end well, and after a few that failed', async () => {
    let turn = 0;
    const jobs = start(async () => {
      turn += 1;
      if (turn > 3 && turn < 6) throw new Error('the database is away');
      return false;
    });
    for (let minute = 0; minute < 5; minute += 1) {
      await vi.advanceTimersByTimeAsync(60_000);
      expect(jobs.health()).toMatchObject([{ name: 'sweeper', alive: true, failures: 0 }]);
    }
  });

  it.each([
    ['hangs', () => new Promise<boolean>(() => {})],
    ['fails every time', async () => Promise.reject(new Error('no such table'))],
  ])('that %s is not alive', async (how, run) => {
    const jobs = start(run);
    await vi.advanceTimersByTimeAsync(50_000);
    expect(jobs.health()[0]?.alive).toBe(true);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(jobs.health()[0]?.alive).toBe(false);
    // A hanging turn would delay the end.
    if (how === 'hangs') runner = undefined;
  });
});
