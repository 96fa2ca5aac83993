import closeWithGrace from 'close-with-grace';
import { watchStartingParent } from '../lib/parent-watch.ts';
import { TIME_OUTS } from '../limits.ts';

export interface Service {
  stop(): Promise<void>;
}

const STOP_PATIENCE_MS = TIME_OUTS.stop.s * 1000;
/** The part of a drain that does not delay the end beyond 15 s. */
const DRAIN_INCLUDED_S = 5;

/** How much later than usual the end may come, because it begins with a long drain. */
export function longDrainMs({ drainS }: { drainS: number }): number {
  return Math.max(0, drainS - DRAIN_INCLUDED_S) * 1000;
}

/** Runs a service until a signal, or until the `npm` that started it is gone. */
export async function runUntilStopped(
  start: (stopping: AbortSignal) => Promise<Service>,
  options: {
    npmStarted: boolean;
    /** See `longDrainMs`. */
    longDrainMs?: number;
    /** Aborted when the caller receives a signal itself: one from before the end of the start is not lost. */
    signal?: AbortSignal | undefined;
  },
): Promise<void> {
  const stopping = new AbortController();
  // A rotated log or a closed terminal is no reason to exit.
  for (const signal of ['SIGHUP', 'SIGUSR2'] as const) process.on(signal, () => {});
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  // Before the start: a signal during it stops what has been started so far.
  const grace = closeWithGrace(
    {
      delay: STOP_PATIENCE_MS + (options.longDrainMs ?? 0),
      logger: false,
      skip: ['SIGHUP', 'SIGUSR2'],
    },
    async ({ err }) => {
      if (err) process.stderr.write(`${err.stack ?? err.message}\n`);
      stopping.abort();
      await (await starting.catch(() => undefined))?.stop();
      // Code that refuses to work sets the exit code; a natural end would report success.
      if (process.exitCode) process.exit();
      end();
    },
  );
  const starting = start(stopping.signal);
  try {
    await starting;
  } catch (error) {
    // A start that was aborted by a signal reports nothing.
    if (stopping.signal.aborted) return await ended;
    grace.uninstall();
    throw error;
  }
  if (options.npmStarted) watchStartingParent(() => grace.close());
  if (options.signal?.aborted) grace.close();
  await ended;
}
