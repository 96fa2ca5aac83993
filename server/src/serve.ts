import cluster from 'node:cluster';
import { type App, createApp } from './app.ts';
import { banner } from './banner.ts';
import type { Config } from './config.ts';
import { type Context, type ContextOverrides, createContext } from './context.ts';
import { openDatabaseSource } from './database-target.ts';
import { UnsafeDurabilityError } from './db/durability.ts';
import { SchemaChangedError, SchemaTooNewError } from './db/migrate.ts';
import type { ConnectionTarget } from './db/open.ts';
import type { Service } from './run.ts';
import { StartError } from './start-error.ts';
import { REFUSED, runPrimary } from './workers.ts';

const say = (message: string) => process.stdout.write(`${message}\n`);

/** Starts everything the configuration asks for: the embedded database, one process or several. */
export async function serve(
  config: Config,
  stopping: AbortSignal,
  overrides: ContextOverrides = {},
): Promise<Service> {
  const source = await openDatabaseSource(config, (message) => say(`  ${message}`));
  if (stopping.aborted) return { stop: () => source.stop() };
  try {
    const service =
      config.workers > 1 && cluster.isPrimary
        ? await runPrimary(config, source.target, stopping)
        : await serveHere(config, source.target, stopping, overrides);
    if (!stopping.aborted) say(banner(config));
    return {
      async stop() {
        await service.stop();
        await source.stop();
      },
    };
  } catch (error) {
    await source.stop();
    throw error;
  }
}

/** One server process on an open database. */
export async function serveHere(
  config: Config,
  target: ConnectionTarget,
  stopping: AbortSignal,
  overrides: ContextOverrides = {},
): Promise<Service> {
  const context = await createContext(config, target, overrides);
  const app = await createApp(context);
  const starting = startWhenReachable(app, context);
  const stop = async (drainMs: number) => {
    context.stop();
    await starting.ended;
    await app.stop({ drainMs });
    await context.close();
  };
  try {
    // No call is sent here before it can be served. A database that is away, or a long migration, is said with 503.
    const given = AbortSignal.any([stopping, AbortSignal.timeout(LISTEN_AFTER_MS)]);
    await Promise.race([starting.firstTry, aborted(given)]);
    if (!stopping.aborted) await listen(app, config);
    return { stop: () => stop(Math.max(MIN_DRAIN_MS, config.drainS * 1000)) };
  } catch (error) {
    await stop(0);
    throw error;
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

async function listen(app: App, config: Config): Promise<void> {
  try {
    await app.server.listen({ host: config.host, port: config.port, backlog: 1024 });
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'EADDRINUSE') {
      throw new StartError(
        `Port ${config.port} on ${config.host} is taken: stop the other program, or set SVC_PORT to a free port.`,
      );
    }
    if (code === 'EACCES')
      throw new StartError(
        `Port ${config.port} may not be opened by this user: set SVC_PORT to one above 1023.`,
      );
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new StartError(
        `SVC_HOST ${config.host} is not an address of this machine: set 127.0.0.1 or 0.0.0.0.`,
      );
    throw error;
  }
}

const RETRY_MS = 500;
const MIN_DRAIN_MS = 300;
const LISTEN_AFTER_MS = 5_000;
const SAY_EVERY_MS = 15_000;

const FATAL = [UnsafeDurabilityError, SchemaTooNewError, SchemaChangedError, StartError];

/** A database that is down at the start is met when it comes back; until then every call is 503. */
function startWhenReachable(app: App, context: Context): { firstTry: Promise<void>; ended: Promise<void> } {
  let saidAt = -Infinity;
  /** True when there is no use in another try. */
  const attempt = async (): Promise<boolean> => {
    try {
      await app.start();
      return true;
    } catch (error) {
      if (context.stopping.aborted) return true;
      if (FATAL.some((kind) => error instanceof kind)) {
        process.stderr.write(`${(error as Error).message}\n`);
        process.exitCode = cluster.isWorker ? REFUSED : 1;
        process.kill(process.pid, 'SIGTERM');
        return true;
      }
      if (performance.now() - saidAt > SAY_EVERY_MS) {
        saidAt = performance.now();
        context.log.error(
          { event: 'database_unusable', err: error },
          'the database cannot be used; check DATABASE_URL and that the server runs; trying again',
        );
      }
      return false;
    }
  };
  const first = attempt();
  const goOn = async (): Promise<void> => {
    let isOver = await first;
    while (!isOver && !context.stopping.aborted) {
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      isOver = await attempt();
    }
  };
  return { firstTry: first.then(() => {}), ended: goOn() };
}
