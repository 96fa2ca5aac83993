import closeWithGrace from 'close-with-grace';
import { isUnavailable } from './db/open.ts';
import { watchStartingParent } from './lib/parent-watch.ts';
import type { Service } from './serve.ts';

const STOP_PATIENCE_MS = 14_000;

/** Runs a service until a signal, or until the `npm` that started it is gone. */
export async function runUntilStopped(
  start: () => Promise<Service>,
  options: { npmStarted: boolean },
): Promise<void> {
  process.on('unhandledRejection', endUnlessDatabaseAway);
  const service = await start();
  await new Promise<void>((resolve) => {
    const settings: closeWithGrace.Options = {
      delay: STOP_PATIENCE_MS,
      logger: false,
      skip: ['unhandledRejection'],
    };
    const grace = closeWithGrace(settings, async ({ err }) => {
      if (err) process.stderr.write(`${err.stack ?? err.message}\n`);
      await service.stop();
      resolve();
    });
    if (options.npmStarted) watchStartingParent(() => grace.close());
  });
}

/**
 * A database that goes away must never end the service. The driver asks for array types on every new connection and
 * leaves nobody to hear when that one fails; the connection itself is met again. Anything else nobody heard is a defect.
 */
function endUnlessDatabaseAway(error: unknown): void {
  if (!isUnavailable(error)) throw error;
}
