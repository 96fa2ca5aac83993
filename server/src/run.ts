import closeWithGrace from 'close-with-grace';
import { watchStartingParent } from './lib/parent-watch.ts';

export interface Service {
  stop(): Promise<void>;
}

const STOP_PATIENCE_MS = 14_000;

/** Runs a service until a signal, or until the `npm` that started it is gone. */
export async function runUntilStopped(
  start: () => Promise<Service>,
  options: {
    npmStarted: boolean;
    /** Aborted when the caller has heard a signal itself: one that came before the start was over is not lost. */
    signal?: AbortSignal | undefined;
  },
): Promise<void> {
  const service = await start();
  await new Promise<void>((resolve) => {
    const grace = closeWithGrace({ delay: STOP_PATIENCE_MS, logger: false }, async ({ err }) => {
      if (err) process.stderr.write(`${err.stack ?? err.message}\n`);
      await service.stop();
      // What ended itself because it refuses to work says so; left alone, this would end as a success.
      if (process.exitCode) process.exit();
      resolve();
    });
    if (options.npmStarted) watchStartingParent(() => grace.close());
    if (options.signal?.aborted) grace.close();
  });
}
