import { createHash, randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, rename, unlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Store } from '../core/store.ts';

/**
 * Keeps everything in a folder, one file of mode 0600 per name. A value is written next to its place, flushed to the disk
 * and moved there in one step: a crash leaves the old value or the new one. Processes may share the folder: a key that
 * one has stored is never replaced by another's.
 *
 * @example
 * ```ts
 * const agent = new AgentClient({ baseUrl, agentId, kid, key, store: fileStore('agent-store') });
 * ```
 */
export function fileStore(path: string): Required<Store> {
  if (typeof path !== 'string' || path === '')
    throw new TypeError("fileStore needs the path of a folder, for example fileStore('agent-store')");
  const folder = resolve(path);
  const placeOf = (name: string) => join(folder, `${createHash('sha256').update(name).digest('hex')}.json`);

  /** Writes next to the place, then lets `put` move it there. */
  const write = async (name: string, value: string, put: (from: string, to: string) => Promise<void>) => {
    const place = placeOf(name);
    const draft = `${place}.${randomUUID()}`;
    // What it makes is as durable as what is in it.
    const made = await mkdir(folder, { recursive: true, mode: 0o700 });
    if (made !== undefined) await flushFolder(dirname(made));
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(JSON.stringify({ name, value }));
      await file.sync();
    } finally {
      await file.close();
    }
    try {
      await put(draft, place);
    } finally {
      await unlink(draft).catch(unlessAbsent);
    }
    await flushFolder(folder);
  };

  return {
    async get(name) {
      const text = await readFile(placeOf(name), 'utf8').catch(unlessAbsent);
      return text === undefined ? undefined : (JSON.parse(text) as { value: string }).value;
    },
    set: (name, value) => write(name, value, rename),
    // A link is made only where nothing is, by whichever process comes first.
    setIfAbsent: (name, value) =>
      write(name, value, (from, to) => link(from, to).catch((error) => ignore(error, 'EEXIST'))),
    async delete(name) {
      await unlink(placeOf(name)).catch(unlessAbsent);
    },
  };
}

/** Without it the name of a new file may be gone after a loss of power. Windows has no such call. */
async function flushFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function unlessAbsent(error: unknown): undefined {
  return ignore(error, 'ENOENT');
}

function ignore(error: unknown, code: string): undefined {
  if ((error as { code?: unknown }).code !== code) throw error;
}
