import { access, copyFile, stat, truncate } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { restoreSocketFolder, socketFile } from './endpoint.ts';
import { stopLeftovers, stopServer } from './orphans.ts';
import { type Postmaster, type ServerPlace, startPostmaster } from './postmaster.ts';

export interface Supervisor {
  pid(): number;
  stop(): Promise<void>;
}

const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 10_000;
const CHECK_MS = 5000;
const MAX_LOG_BYTES = 5_000_000;

/** Runs the server until it is stopped; a server that dies is started again. */
export async function superviseServer(
  place: ServerPlace,
  onExit?: (how: string) => void,
): Promise<Supervisor> {
  await boundLog(place.logFile);
  let current: Postmaster = await startPostmaster(place);
  let stopping: Promise<void> | undefined;
  let restarting = Promise.resolve();
  const stopSignal = new AbortController();

  const watch = (postmaster: Postmaster) => {
    postmaster.ended.then((how) => {
      if (stopping !== undefined) return;
      place.log(`PostgreSQL ended (${how}); starting it again`);
      onExit?.(how);
      restarting = restart();
    });
  };

  const restart = async () => {
    for (
      let delayMs = FIRST_RETRY_MS;
      stopping === undefined;
      delayMs = Math.min(delayMs * 2, LAST_RETRY_MS)
    ) {
      try {
        await stopLeftovers(place.cluster, place.log);
        if (place.endpoint.socketDir !== '') {
          await restoreSocketFolder(place.endpoint.socketDir, place.choice.identity);
        }
        current = await startPostmaster(place);
        place.log(`PostgreSQL runs again (pid ${current.pid})`);
        watch(current);
        return;
      } catch (error) {
        place.log(`PostgreSQL could not be started again: ${(error as Error).message}`);
        await sleep(delayMs, undefined, { ref: false, signal: stopSignal.signal }).catch(() => undefined);
      }
    }
  };

  const check = setInterval(async () => {
    await boundLog(place.logFile);
    if (stopping === undefined && (await isSocketGone(place))) {
      // The server cannot listen anew. Ending it is enough: the restart makes the folder again.
      place.log('the socket of PostgreSQL was removed; restarting it');
      await stopServer(place.cluster).catch((error: Error) => place.log(error.message));
    }
  }, CHECK_MS);
  check.unref();

  const stop = async () => {
    clearInterval(check);
    stopSignal.abort();
    // A restart under way would put a new server beside our back.
    await restarting;
    await stopServer(place.cluster);
    await current.waitForEnd();
  };

  watch(current);
  return {
    pid: () => current.pid,
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
  };
}

async function isSocketGone(place: ServerPlace): Promise<boolean> {
  if (place.endpoint.socketDir === '') return false;
  return access(socketFile(place.endpoint.socketDir)).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
  );
}

/** The server appends to its log, so the file can be cut under it; one older part is kept. */
async function boundLog(logFile: string): Promise<void> {
  try {
    if ((await stat(logFile)).size <= MAX_LOG_BYTES) return;
    await copyFile(logFile, `${logFile}.old`);
    await truncate(logFile);
  } catch {
    // No log yet, or no room for a copy: neither is a reason to stop a database.
  }
}
