import cluster from 'node:cluster';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { type App, createApp } from '../app.ts';
import { type Config, describeDatabase } from '../config/index.ts';
import { type Context, type ContextOverrides, createContext } from '../context.ts';
import { openDatabaseSource } from '../db/database-source.ts';
import { UnsafeDurabilityError } from '../db/durability.ts';
import { SchemaChangedError, SchemaTooNewError } from '../db/migrate.ts';
import type { ConnectionTarget } from '../db/open.ts';
import { StartError } from '../errors.ts';
import { VERSION } from '../lib/version.ts';
import type { Service } from './run-until-stopped.ts';
import { BACKLOG, whyNotListening } from './socket.ts';
import { REFUSED, runPrimary } from './workers.ts';

const say = (message: string) => process.stdout.write(`${message}\n`);

/** Starts everything in the configuration: the embedded database, one process or several. */
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
        : await serveHere(config, source, stopping, overrides);
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

interface Place {
  target: ConnectionTarget;
  /** On the port shared by several processes; otherwise on a separate one. */
  listen?(server: Server): Promise<void>;
}

/** One server process on an open database. */
export async function serveHere(
  config: Config,
  place: Place,
  stopping: AbortSignal,
  overrides: ContextOverrides = {},
): Promise<Service> {
  const context = await createContext(config, place.target, overrides);
  const app = await createApp(context);
  const starting = startWhenReachable(app, context);
  const stop = async (drainMs: number) => {
    context.stop();
    await starting.ended;
    await app.stop({ drainMs });
    await context.close();
  };
  try {
    // No call is sent here before it can be served. While the database is unreachable, or migrates for long, calls get
    // a 503.
    const given = AbortSignal.any([stopping, AbortSignal.timeout(LISTEN_AFTER_MS)]);
    await Promise.race([starting.firstTry, aborted(given)]);
    if (!stopping.aborted) await listen(app, config, place.listen);
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

async function listen({ server }: App, config: Config, listenHere: Place['listen']): Promise<void> {
  try {
    if (listenHere) await listenHere(server.server);
    else await server.listen({ host: config.host, port: config.port, backlog: BACKLOG });
  } catch (error) {
    throw whyNotListening(error, config);
  }
}

const RETRY_MS = 500;
const MIN_DRAIN_MS = 300;
const LISTEN_AFTER_MS = 5_000;
const SAY_EVERY_MS = 15_000;

const FATAL = [UnsafeDurabilityError, SchemaTooNewError, SchemaChangedError, StartError];

/** Connects to a database that is down at the start when it comes back; until then every call is 503. */
function startWhenReachable(app: App, context: Context): { firstTry: Promise<void>; ended: Promise<void> } {
  let saidAt = -Infinity;
  /** True when another try is useless. */
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

/** The information for a person once the service runs. */
function banner(config: Config): string {
  const database =
    config.database.kind === 'embedded'
      ? `embedded PostgreSQL in ${config.dataDir}`
      : describeDatabase(config);
  const mail = config.smtpUrl ? 'sent by SMTP' : `written to ${join(config.dataDir, 'mail')}`;
  const networks = config.enabledNetworks.join(', ');
  const lines = [
    '',
    `  PayAssent ${VERSION}`,
    '',
    `  Address    ${config.baseUrl}`,
    `  Portal     ${config.baseUrl}/portal`,
    `  Wallet     ${config.baseUrl}/wallet`,
    `  Reference  ${config.baseUrl}/docs`,
    `  Database   ${database}`,
    `  Mail       ${mail}`,
    `  Networks   ${networks}`,
    ...(config.enabledNetworks.some((network) => network !== 'stellar_testnet')
      ? ['             real money: these networks were enabled by this installation']
      : []),
    ...config.warnings.map((warning) => `  Warning    ${warning}`),
    '',
    `  Try        curl ${config.baseUrl}/health`,
    `             curl -X POST ${config.baseUrl}/v1/merchant-accounts/registrations \\`,
    `               -H 'content-type: application/json' -d '{"email":"you@shop.example"}'`,
    '',
  ];
  return lines.join('\n');
}
