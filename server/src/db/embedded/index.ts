import { mkdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { type Binaries, installedBinaries } from './binaries.ts';
import {
  binariesMajor,
  CLUSTER_DATABASE,
  CLUSTER_USER,
  clusterFolder,
  createCluster,
  existingMajor,
  readOrCreatePassword,
  refuseOtherMajor,
  removeDrafts,
  resetPassword,
} from './cluster.ts';
import { closeEndpoint, openEndpoint, SOCKET_PORT } from './endpoint.ts';
import { EmbeddedStartError, USE_OWN_SERVER } from './errors.ts';
import { type Choice, chooseIdentity, giveTo } from './identity.ts';
import { type FolderLock, lockDataFolder } from './lock.ts';
import { stopLeftovers } from './orphans.ts';
import { superviseServer } from './supervisor.ts';

export { hasCluster } from './cluster.ts';
export { findRunningPostgres } from './running.ts';
export { EmbeddedStartError };

export interface EmbeddedDatabase {
  url?: never;
  /** Folder of the Unix socket; empty where the system has none and `tcp` is set. */
  socketDir: string;
  tcp?: { host: string; port: number };
  user: string;
  password: string;
  database: string;
  /** The server process; another one after a crash and restart. */
  readonly pid: number;
  /** Ends the server and frees the data folder. Safe to call twice. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  dataDir: string;
  log: (message: string) => void;
  /** How long to wait for another service to release the folder. */
  waitForLockMs?: number;
  /** Shown to a second service on the folder to identify this one. */
  describeHolder?: { address: string };
  /** Replaces those of the npm package. */
  binaries?: Binaries;
  /** Called when the server process exits unexpectedly; it is restarted in any case. */
  onExit?: (how: string) => void;
}

const WAIT_FOR_LOCK_MS = 5000;
/** PostgreSQL keeps paths in buffers of 1024 bytes; its own file names need the rest. */
const MAX_DATA_DIR_BYTES = 900;

/** Runs a real PostgreSQL on `<dataDir>/postgres`, created at the first start. Throws an EmbeddedStartError. */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  try {
    const dataDir = await openDataFolder(options.dataDir);
    const lock = await lockDataFolder(dataDir, {
      address: options.describeHolder?.address ?? 'an unknown address',
      waitMs: options.waitForLockMs ?? WAIT_FOR_LOCK_MS,
    });
    try {
      return await startLocked(dataDir, lock, options);
    } catch (error) {
      await lock.release();
      throw error;
    }
  } catch (error) {
    throw withMend(error, options.dataDir);
  }
}

async function startLocked(
  dataDir: string,
  lock: FolderLock,
  options: EmbeddedOptions,
): Promise<EmbeddedDatabase> {
  const cluster = clusterFolder(dataDir);
  await removeDrafts(dataDir);
  const installed = options.binaries ?? (await installedBinaries(dataDir));
  const carriedMajor = await binariesMajor(installed);
  const foundMajor = await existingMajor(dataDir);
  if (foundMajor !== undefined) {
    refuseOtherMajor(dataDir, foundMajor, carriedMajor);
    await stopLeftovers(cluster, installed, options.log);
  }
  const choice = await chooseIdentity(installed, dataDir, cluster);
  const password = await prepareCluster(choice, dataDir, foundMajor !== undefined, options.log);
  const endpoint = await openEndpoint(dataDir, choice.identity);
  const major = Number(carriedMajor);
  const place = {
    choice,
    major,
    cluster,
    endpoint,
    logFile: path.join(dataDir, 'postgres.log'),
    log: options.log,
  };
  const server = await superviseServer(place, options.onExit);
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    await server.stop();
    await closeEndpoint(dataDir, endpoint);
    await lock.release();
  };
  return {
    socketDir: endpoint.socketDir,
    ...(endpoint.tcp === undefined ? {} : { tcp: endpoint.tcp }),
    user: CLUSTER_USER,
    password,
    database: CLUSTER_DATABASE,
    get pid() {
      return server.pid();
    },
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}

/** The options of the `postgres` driver for this database. */
export function driverOptions(database: EmbeddedDatabase): {
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
} {
  const { user, password, tcp } = database;
  const place = tcp ?? { host: database.socketDir, port: SOCKET_PORT };
  return { ...place, user, password, database: database.database };
}

async function prepareCluster(
  choice: Choice,
  dataDir: string,
  exists: boolean,
  log: (message: string) => void,
): Promise<string> {
  const { password, isNew } = await readOrCreatePassword(dataDir);
  if (!exists) {
    log(`making a PostgreSQL database in ${clusterFolder(dataDir)}`);
    await createCluster(choice, dataDir, password);
    return password;
  }
  await giveTo(choice.identity, clusterFolder(dataDir));
  if (isNew) await resetPassword(choice, dataDir, password);
  return password;
}

async function openDataFolder(wanted: string): Promise<string> {
  await mkdir(wanted, { recursive: true, mode: 0o700 });
  const dataDir = await realpath(wanted);
  if (Buffer.byteLength(dataDir) > MAX_DATA_DIR_BYTES) {
    throw new EmbeddedStartError(
      `The path of the data folder is longer than ${MAX_DATA_DIR_BYTES} bytes, which PostgreSQL cannot handle. ` +
        `Set SVC_DATA_DIR to a shorter one, ${USE_OWN_SERVER}.`,
    );
  }
  return dataDir;
}

/** Turns file-system errors into one message with the fix. */
function withMend(error: unknown, dataDir: string): unknown {
  if (error instanceof EmbeddedStartError || !(error instanceof Error) || !('code' in error)) return error;
  return new EmbeddedStartError(
    `The data folder ${dataDir} cannot be used: ${error.message}. ` +
      `Make it writable for this user with room on the disk, set SVC_DATA_DIR to another folder, ${USE_OWN_SERVER}.`,
    { cause: error },
  );
}
