import { exitCodeOf } from './cli.ts';
import { ConfigError, parseConfig } from './config/index.ts';
import { runUntilStopped } from './processes/run-until-stopped.ts';
import { serve } from './processes/serve.ts';

/**
 * The service of a dev world: the process that started it moves its clock, so that expiry, token lives and retries can
 * be tried in seconds. `main.ts`, which everything else starts, has no such thing.
 */
let offsetMs = 0;
const clock = { now: () => new Date(Date.now() + offsetMs), offsetMs: () => offsetMs };

process.on('message', (message: { advanceMs?: unknown }) => {
  if (typeof message.advanceMs !== 'number') return;
  offsetMs += message.advanceMs;
  process.send?.({ now: clock.now().toISOString() });
});
// The channel alone does not keep a service that has stopped.
process.channel?.unref();

process.exitCode = await exitCodeOf(async () => {
  const config = parseConfig(process.env);
  if (!config.baseUrlIsLoopback) throw new ConfigError(['a dev world has a base URL on this machine']);
  await runUntilStopped((stopping) => serve(config, stopping, { clock }), { npmStarted: true });
});
