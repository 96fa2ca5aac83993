import { randomUUID } from 'node:crypto';
import { rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isSameProcess, readProcess } from '../../lib/process-info.ts';
import { EmbeddedStartError } from './errors.ts';
import {
  becomeRoot,
  claim,
  findHolder,
  type Holder,
  LOCK_NAME,
  type LockRecord,
  pidSpace,
  readRecord,
  writeDurably,
} from './lock-chain.ts';

export interface FolderLock {
  release(): Promise<void>;
}

const POLL_MS = 100;
const HEARTBEAT_MS = 1000;
/** A holder in another pid namespace counts as alive until its lock has been untouched for this long. */
const FOREIGN_SILENCE_MS = 3500;

/** Locks the data folder for this process, or throws an error that names the holder after `waitMs`. */
export async function lockDataFolder(
  dataDir: string,
  options: { address: string; waitMs: number; foreignSilenceMs?: number },
): Promise<FolderLock> {
  const root = path.join(dataDir, LOCK_NAME);
  const record = ownRecord(options.address);
  const draft = `${root}.draft-${record.token}`;
  const deadlineMs = performance.now() + options.waitMs;
  const isHeld = holderJudge(options.foreignSilenceMs ?? FOREIGN_SILENCE_MS);
  await writeDurably(draft, JSON.stringify(record));
  try {
    for (;;) {
      const holder = await findHolder(root);
      if (holder === undefined || !(await isHeld(holder))) {
        if (await claim(root, draft, holder?.record, record)) break;
        continue;
      }
      if (performance.now() >= deadlineMs) throw heldError(dataDir, holder.record);
      await sleep(POLL_MS);
    }
    await becomeRoot(dataDir, root, draft);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  return keepLock(root, record);
}

function ownRecord(address: string): LockRecord {
  const startedAt = readProcess(process.pid)?.startedAt ?? '';
  return { token: randomUUID(), pid: process.pid, startedAt, pidSpace: pidSpace(), address };
}

/** Judges holders by their process; one that we cannot see (another container) by signs of life. */
function holderJudge(foreignSilenceMs: number): (holder: Holder) => Promise<boolean> {
  let seen: { token: string; mtimeMs: number; sinceMs: number } | undefined;
  return async ({ file, record }) => {
    if (record.pidSpace === pidSpace()) return isSameProcess(record);
    const mtimeMs = await stat(file).then(
      (found) => found.mtimeMs,
      () => 0,
    );
    if (seen?.token !== record.token || seen.mtimeMs !== mtimeMs) {
      seen = { token: record.token, mtimeMs, sinceMs: performance.now() };
    }
    return performance.now() - seen.sinceMs < foreignSilenceMs;
  };
}

function keepLock(root: string, record: LockRecord): FolderLock {
  let beat = Promise.resolve();
  const heartbeat = setInterval(() => {
    beat = showLife(root, record);
  }, HEARTBEAT_MS);
  heartbeat.unref();
  return {
    async release() {
      clearInterval(heartbeat);
      // A beat in flight could recreate the file.
      await beat;
      const current = await readRecord(root).catch(() => undefined);
      if (current?.token === record.token) await rm(root, { force: true });
    },
  };
}

async function showLife(root: string, record: LockRecord): Promise<void> {
  const now = new Date();
  try {
    await utimes(root, now, now);
  } catch {
    // The file was deleted: without it a second service would take the folder from under this one.
    await writeFile(root, JSON.stringify(record), { flag: 'wx', mode: 0o644 }).catch(() => undefined);
  }
}

function heldError(dataDir: string, holder: LockRecord): EmbeddedStartError {
  return new EmbeddedStartError(
    `The data folder ${dataDir} is in use by the service at ${holder.address} (pid ${holder.pid}). ` +
      'Stop that service first, or give this one another folder with SVC_DATA_DIR.',
  );
}
