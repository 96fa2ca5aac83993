import { chmod, mkdtemp, readFile, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';

/** A file system in memory, where Linux has one. Writing there costs no wait for a disk, and `fsync` stays on. */
const MEMORY = '/dev/shm';
/** Databases, browser profiles and installed clones of all workers together stay well below this. */
const ROOM_NEEDED = 6 * 1024 ** 3;

/**
 * Makes `os.tmpdir()` of this process and of all it starts a folder in memory. Where there is none, or too little room,
 * everything works as before, only slower. Returns what removes it.
 */
export async function useMemoryForTemporaryFiles(): Promise<() => Promise<void>> {
  if (!(await isUsable())) return async () => {};
  const former = process.env['TMPDIR'];
  const folder = await mkdtemp(join(MEMORY, 'payassent-'));
  // As /tmp is: the embedded PostgreSQL of a root user runs as another one.
  await chmod(folder, 0o1777);
  process.env['TMPDIR'] = folder;
  return async () => {
    if (former === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = former;
    await rm(folder, { recursive: true, force: true });
  };
}

/** Containers often have little room there, or allow no programs to be started from it. */
async function isUsable(): Promise<boolean> {
  try {
    const { bavail, bsize } = await statfs(MEMORY);
    const mounts = (await readFile('/proc/mounts', 'utf8')).split('\n').map((line) => line.split(' '));
    const options = mounts.findLast(([, place]) => place === MEMORY)?.[3]?.split(',') ?? ['noexec'];
    return bavail * bsize >= ROOM_NEEDED && !options.includes('noexec');
  } catch {
    return false;
  }
}
