import { randomUUID } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { link, open, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isSameProcess, readProcess } from '../../lib/process-info.ts';
import { EmbeddedStartError } from './errors.ts';

export interface FolderLock {
  release(): Promise<void>;
}

interface LockRecord {
  token: string;
  pid: number;
  startedAt: string;
  /** Where pids are counted: a pid of another container says nothing about ours. */
  pidSpace: string;
  address: string;
}

const LOCK_NAME = 'service.lock';
const POLL_MS = 100;
const HEARTBEAT_MS = 1000;
/** A holder in another pid namespace counts as alive until its lock stayed untouched for so long. */
const FOREIGN_SILENCE_MS = 3500;

/**
 * Takes the data folder for this process, or refuses and names the holder after `waitMs`.
 *
 * The lock is a chain of files, each created exclusively: `service.lock`, then `service.lock.<token>` for the
 * successor of the holder with that token. The end of the chain holds the folder. Only one process can become
 * the successor of a dead holder, so no two starts can both take over, whatever dies in between.
 */
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

function pidSpace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return 'host';
  }
}

interface Holder {
  file: string;
  record: LockRecord;
}

/** The end of the chain; undefined when the folder is free. */
async function findHolder(root: string): Promise<Holder | undefined> {
  let end: Holder | undefined;
  let file = root;
  for (;;) {
    const record = await readRecord(file);
    if (record === undefined) return end;
    end = { file, record };
    file = `${root}.${record.token}`;
  }
}

async function readRecord(file: string): Promise<LockRecord | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const parsed = JSON.parse(text) as LockRecord;
    if (typeof parsed.token === 'string' && typeof parsed.pid === 'number') return parsed;
  } catch {
    // Falls through: a file cut short by a power loss belongs to nobody alive.
  }
  // Named by its inode, so that a chain of such files still ends.
  const token = `unreadable-${(await stat(file)).ino}`;
  return { token, pid: 0, startedAt: '', pidSpace: pidSpace(), address: 'unknown' };
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

/** Appends our record to the chain; false when somebody else was faster. */
async function claim(
  root: string,
  draft: string,
  deadHolder: LockRecord | undefined,
  record: LockRecord,
): Promise<boolean> {
  const target = deadHolder === undefined ? root : `${root}.${deadHolder.token}`;
  try {
    await link(draft, target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  // The chain may have been shortened between our look and our claim; then the claim hangs in the air.
  const holder = await findHolder(root);
  if (holder?.record.token === record.token) return true;
  await rm(target, { force: true });
  return false;
}

/** Puts our record at the head of the chain, then removes what dead holders left. The order matters. */
async function becomeRoot(dataDir: string, root: string, draft: string): Promise<void> {
  await rename(draft, root);
  // Renaming one link of a file onto another of the same file does nothing, so the draft may still be there.
  await rm(draft, { force: true });
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith(`${LOCK_NAME}.`)) continue;
    const file = path.join(dataDir, name);
    if (name.startsWith(`${LOCK_NAME}.draft-`)) {
      const waiting = await readRecord(file);
      // pid 0: just being written.
      const isLeftOver = waiting !== undefined && waiting.pid !== 0 && waiting.pidSpace === pidSpace();
      if (!isLeftOver || isSameProcess(waiting)) continue;
    }
    await rm(file, { force: true });
  }
}

function keepLock(root: string, record: LockRecord): FolderLock {
  const heartbeat = setInterval(() => {
    const now = new Date();
    utimes(root, now, now).catch(() => undefined);
  }, HEARTBEAT_MS);
  heartbeat.unref();
  return {
    async release() {
      clearInterval(heartbeat);
      const current = await readRecord(root).catch(() => undefined);
      if (current?.token === record.token) await rm(root, { force: true });
    },
  };
}

function heldError(dataDir: string, holder: LockRecord): EmbeddedStartError {
  return new EmbeddedStartError(
    `The data folder ${dataDir} is in use by the service at ${holder.address} (pid ${holder.pid}). ` +
      'Stop that service first, or give this one a folder of its own with SVC_DATA_DIR.',
  );
}

async function writeDurably(file: string, text: string): Promise<void> {
  // Readable for others: another user who finds the folder held is told by whom.
  const handle = await open(file, 'wx', 0o644);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
