import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { program } from './binaries.ts';
import type { Endpoint } from './endpoint.ts';
import { EmbeddedStartError, USE_OWN_SERVER } from './errors.ts';
import type { Choice } from './identity.ts';
import { stopServer } from './orphans.ts';
import { stopServerWithOwner } from './owner-watch.ts';
import { toolEnvironment } from './run.ts';
import { serverArguments } from './settings.ts';

/** One running server process. */
export interface Postmaster {
  pid: number;
  /** Settles when the process has ended, for whatever reason. Does not keep the service running. */
  ended: Promise<string>;
  /** The same, for a caller with nothing else to wait for. */
  waitForEnd(): Promise<void>;
}

export interface ServerPlace {
  choice: Choice;
  major: number;
  cluster: string;
  endpoint: Endpoint;
  logFile: string;
  log: (message: string) => void;
}

const POLL_MS = 15;
/** Crash recovery of a large database takes time; a live server that is silent for this long is stuck. */
const READY_TIMEOUT_MS = 300_000;
const PATIENCE_MS = 5000;

/** Starts the server and waits until it accepts connections. */
export async function startPostmaster(place: ServerPlace): Promise<Postmaster> {
  const logStart = await stat(place.logFile).then(
    (found) => found.size,
    () => 0,
  );
  const postmaster = launch(place);
  let outcome: string | undefined;
  postmaster.ended.then((how) => {
    outcome = how;
  });
  const startMs = performance.now();
  let isReported = false;
  while (outcome === undefined) {
    if (await isReady(place.cluster, postmaster.pid)) return postmaster;
    const waitedMs = performance.now() - startMs;
    if (waitedMs > PATIENCE_MS && !isReported) {
      isReported = true;
      place.log('PostgreSQL is recovering its files after a crash');
    }
    if (waitedMs > READY_TIMEOUT_MS) break;
    await sleep(POLL_MS);
  }
  if (outcome === undefined) await stopServer(place.cluster, place.choice.binaries);
  throw startFailed(place, outcome ?? 'not ready in time', await logTail(place.logFile, logStart));
}

function launch(place: ServerPlace): Postmaster {
  const { identity, binaries } = place.choice;
  const command = [
    ...identity.prefix,
    program(binaries, 'postgres'),
    ...serverArguments(place.cluster, place.endpoint, place.major),
  ];
  const logDescriptor = openSync(place.logFile, 'a', 0o600);
  try {
    const child = spawn(command[0] ?? '', command.slice(1), {
      ...identity.spawnOptions,
      env: toolEnvironment(),
      // A separate session: a Ctrl-C or SIGTERM to the service's group must not end the database while requests are in
      // flight.
      detached: true,
      windowsHide: true,
      stdio: ['ignore', logDescriptor, logDescriptor],
    });
    child.unref();
    const pid = child.pid ?? 0;
    const ownerWatch = pid === 0 ? undefined : stopServerWithOwner(pid);
    const ended = new Promise<string>((resolve) => {
      child.once('error', (error) => resolve(error.message));
      child.once('exit', (code, signal) =>
        resolve(signal === null ? `exit code ${code}` : `signal ${signal}`),
      );
    });
    ended.then(() => ownerWatch?.end());
    const waitForEnd = async () => {
      child.ref();
      await ended;
      await ownerWatch?.end();
    };
    return { pid, ended, waitForEnd };
  } finally {
    closeSync(logDescriptor);
  }
}

/** The server writes its state into the last line of its pid file. */
async function isReady(cluster: string, pid: number): Promise<boolean> {
  const text = await readFile(path.join(cluster, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n');
  return Number.parseInt(lines[0] ?? '', 10) === pid && lines[7]?.trim() === 'ready';
}

async function logTail(logFile: string, from: number): Promise<string> {
  const handle = await open(logFile, 'r').catch(() => undefined);
  if (handle === undefined) return '';
  try {
    const { size } = await handle.stat();
    const length = Math.min(size - from, 2000);
    if (length <= 0) return '';
    const { buffer } = await handle.read(Buffer.alloc(length), 0, length, size - length);
    return buffer.toString();
  } finally {
    await handle.close();
  }
}

function startFailed(place: ServerPlace, how: string, tail: string): EmbeddedStartError {
  const lines = tail.split('\n').filter((line) => line.trim() !== '');
  const telling = lines.filter((line) => /(FATAL|PANIC|error):/.test(line));
  const reason = (telling.length > 0 ? telling : lines).slice(-2).join(' ');
  return new EmbeddedStartError(
    `The embedded PostgreSQL did not start (${how}): ${reason} See ${place.logFile}; ` +
      `check free disk space, memory and the rights on ${place.cluster}, ${USE_OWN_SERVER}.`,
  );
}
