import { exitCodeOf } from './cli.ts';
import { ConfigError, parseConfig } from './config/index.ts';
import { runUntilStopped } from './processes/run-until-stopped.ts';
import { serve } from './processes/serve.ts';

/**
 * The service of a dev world: the process that started it moves its clock, so that expiry, token lives and retries can
 * be tried in seconds; a restarted world continues at its clock. `main.ts`, which everything else starts, has no such
 * feature.
 */
let offsetMs = Number(process.argv[2] ?? 0);
const clock = { now: () => new Date(Date.now() + offsetMs), offsetMs: () => offsetMs };

/** The only limit here, five times the usual one: in no developer's way, and one command can use it up. */
const CREATES = { count: 300, periodS: 60 };

process.on('message', (message: { advanceMs?: unknown }) => {
  if (typeof message.advanceMs !== 'number') return;
  offsetMs += message.advanceMs;
  process.send?.({ now: clock.now().toISOString() });
});
// The channel alone does not keep a stopped service running.
process.channel?.unref();

process.exitCode = await exitCodeOf(async () => {
  const config = { ...parseConfig(process.env), rateLimits: { create: CREATES } };
  if (!config.baseUrlIsLoopback) throw new ConfigError(['a dev world has a base URL on this machine']);
  await runUntilStopped((stopping) => serve(config, stopping, { clock }), { npmStarted: true });
});
