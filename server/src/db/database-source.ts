import type { Config } from '../config/index.ts';
import { driverOptions, findRunningPostgres, startEmbeddedPostgres } from './embedded/index.ts';
import type { ConnectionTarget } from './open.ts';

export interface DatabaseSource {
  target: ConnectionTarget;
  stop(): Promise<void>;
}

/** The target for what needs a dedicated session; undefined where the ordinary address provides one. */
export function sessionTargetOf({ database }: Config): ConnectionTarget | undefined {
  return database.kind === 'server' && database.sessionUrl
    ? { url: database.sessionUrl.reveal() }
    : undefined;
}

/** The configured server, or the embedded one, started. */
export async function openDatabaseSource(
  config: Config,
  say: (message: string) => void,
): Promise<DatabaseSource> {
  if (config.database.kind === 'server') {
    return { target: { url: config.database.url.reveal() }, stop: async () => {} };
  }
  const embedded = await startEmbeddedPostgres({
    dataDir: config.dataDir,
    log: say,
    describeHolder: { address: config.baseUrl },
  });
  const { user, ...place } = driverOptions(embedded);
  return { target: { ...place, username: user }, stop: () => embedded.stop() };
}

/** For a command next to a service that may be running: joins its embedded database, or starts it for the command. */
export async function joinDatabaseSource(
  config: Config,
  say: (message: string) => void,
): Promise<DatabaseSource> {
  const running = config.database.kind === 'server' ? undefined : await findRunningPostgres(config.dataDir);
  return running ? { target: running, stop: async () => {} } : openDatabaseSource(config, say);
}
