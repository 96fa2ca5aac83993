import { readFileSync, readlinkSync } from 'node:fs';
import { link, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { isSameProcess } from '../../lib/process-info.ts';

/**
 * A lock as a chain of files, each created exclusively: `service.lock`, then `service.lock.<token>` for the successor
 * of the holder with that token. The end of the chain holds the lock. Only one process can become the successor of an
 * exited holder, so two can never both take over, whichever crashes in between.
 */
export interface LockRecord {
  token: string;
  pid: number;
  startedAt: string;
  /** The scope of the pid: a pid from another container or another boot is meaningless here. */
  pidSpace: string;
  address: string;
}

export const LOCK_NAME = 'service.lock';

export interface Holder {
  file: string;
  record: LockRecord;
}

/** The running kernel and the namespace: a start time counts from boot, so it is meaningless across boots. */
export function pidSpace(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return 'host';
  }
}

/** The end of the chain; undefined when the folder is free. */
export async function findHolder(root: string): Promise<Holder | undefined> {
  let end: Holder | undefined;
  let file = root;
  for (;;) {
    const record = await readRecord(file);
    if (record === undefined) return end;
    end = { file, record };
    file = `${root}.${record.token}`;
  }
}

export async function readRecord(file: string): Promise<LockRecord | undefined> {
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
    // Falls through: a file truncated by a power loss has no live holder.
  }
  // Named by its inode, so that a chain of such files still ends.
  const token = `unreadable-${(await stat(file)).ino}`;
  return { token, pid: 0, startedAt: '', pidSpace: pidSpace(), address: 'unknown' };
}

/** Appends our record to the chain; false when another process was faster. */
export async function claim(
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
  // If the chain was shortened between our read and our claim, the claim is attached to nothing.
  const holder = await findHolder(root);
  if (holder?.record.token === record.token) return true;
  await rm(target, { force: true });
  return false;
}

/** Puts our record at the head of the chain, then removes the files of exited holders. The order matters. */
export async function becomeRoot(dataDir: string, root: string, draft: string): Promise<void> {
  await rename(draft, root);
  // Renaming one link of a file onto another of the same file does nothing, so the draft may still be there.
  await rm(draft, { force: true });
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith(`${LOCK_NAME}.`)) continue;
    const file = path.join(dataDir, name);
    if (name.startsWith(`${LOCK_NAME}.draft-`)) {
      const waiting = await readRecord(file);
      // pid 0: being written right now.
      const isLeftOver = waiting !== undefined && waiting.pid !== 0 && waiting.pidSpace === pidSpace();
      if (!isLeftOver || isSameProcess(waiting)) continue;
    }
    await rm(file, { force: true });
  }
}

export async function writeDurably(file: string, text: string): Promise<void> {
  // Readable by others, so that another user who finds the folder locked sees who holds it.
  const handle = await open(file, 'wx', 0o644);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
