import { access, copyFile, stat, truncate } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { freshSocketFolder, socketFile } from './endpoint.ts';
import { stopLeftovers, stopServer } from './orphans.ts';
import { type Postmaster, type ServerPlace, startPostmaster } from './postmaster.ts';

export interface Supervisor {
  pid(): number;
  stop(): Promise<void>;
}

interface State {
  current: Postmaster;
  /** Settled unless a restart is in progress. */
  restarting: Promise<void>;
  stopSignal: AbortController;
  onExit: ((how: string) => void) | undefined;
}

const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 10_000;
const CHECK_MS = 2000;
const MAX_LOG_BYTES = 5_000_000;

/** Runs the server until it is stopped, and restarts it when it exits. */
export async function superviseServer(
  place: ServerPlace,
  onExit?: (how: string) => void,
): Promise<Supervisor> {
  await boundLog(place.logFile);
  const current = await startPostmaster(place);
  const state: State = { current, restarting: Promise.resolve(), stopSignal: new AbortController(), onExit };
  restartWhenEnded(place, state);
  const check = setInterval(() => void checkServer(place, state), CHECK_MS);
  check.unref();
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    clearInterval(check);
    state.stopSignal.abort();
    // A restart in progress would start a new server in place of the one that is stopped here.
    await state.restarting;
    await stopServer(place.cluster, place.choice.binaries);
    await state.current.waitForEnd();
  };
  return {
    pid: () => state.current.pid,
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}

function restartWhenEnded(place: ServerPlace, state: State): void {
  state.current.ended.then((how) => {
    if (state.stopSignal.signal.aborted) return;
    place.log(`PostgreSQL ended (${how}); starting it again`);
    state.onExit?.(how);
    state.restarting = restart(place, state);
  });
}

async function restart(place: ServerPlace, state: State): Promise<void> {
  const { signal } = state.stopSignal;
  for (let delayMs = FIRST_RETRY_MS; !signal.aborted; delayMs = Math.min(delayMs * 2, LAST_RETRY_MS)) {
    try {
      await stopLeftovers(place.cluster, place.choice.binaries, place.log);
      if (place.endpoint.socketDir !== '') {
        await freshSocketFolder(place.endpoint.socketDir, place.choice.identity);
      }
      state.current = await startPostmaster(place);
      place.log(`PostgreSQL runs again (pid ${state.current.pid})`);
      restartWhenEnded(place, state);
      return;
    } catch (error) {
      place.log(`PostgreSQL could not be started again: ${(error as Error).message}`);
      await sleep(delayMs, undefined, { ref: false, signal }).catch(() => undefined);
    }
  }
}

async function checkServer(place: ServerPlace, state: State): Promise<void> {
  await boundLog(place.logFile);
  await state.restarting;
  if (state.stopSignal.signal.aborted || !(await isSocketGone(place))) return;
  // The server cannot open its socket again. Ending it is enough: the restart recreates the folder.
  place.log('the socket of PostgreSQL was removed; restarting it');
  await stopServer(place.cluster, place.choice.binaries).catch((error: Error) => place.log(error.message));
}

async function isSocketGone(place: ServerPlace): Promise<boolean> {
  if (place.endpoint.socketDir === '') return false;
  return access(socketFile(place.endpoint.socketDir)).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
  );
}

/** The server appends to its log, so the file can be truncated under it; one older part is kept. */
async function boundLog(logFile: string): Promise<void> {
  try {
    if ((await stat(logFile)).size <= MAX_LOG_BYTES) return;
    await copyFile(logFile, `${logFile}.old`);
    await truncate(logFile);
  } catch {
    // No log yet, or no room for a copy: neither is a reason to stop a database.
  }
}
