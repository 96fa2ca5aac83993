import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { LocalError } from './command.ts';

const OWNER_ONLY = 0o600;

/**
 * Writes a file that only its owner can read, from the first byte on. Where there is one already, it is refused, or
 * replaced as a whole: a crash leaves the previous one.
 */
export function writePrivateFile(path: string, text: string, options: { overwrite: boolean }): void {
  const create = (file: string) => writeFileSync(file, text, { mode: OWNER_ONLY, flag: 'wx', flush: true });
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    if (options.overwrite) {
      create(draft);
      renameSync(draft, path);
    } else create(path);
  } catch (error) {
    throw asLocal(error, path);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Undefined when there is no such file. */
export function readFileIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw asLocal(error, path);
  }
}

/** Whether others on this machine can read it. Windows keeps rights elsewhere. */
export function isReadableByOthers(path: string, platform: NodeJS.Platform = process.platform): boolean {
  if (platform === 'win32') return false;
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() === true && (stats.mode & 0o077) !== 0;
}

function asLocal(error: unknown, path: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EEXIST')
    return new LocalError(
      'file_exists',
      `${path} is already there`,
      'Name another file, or replace it with --force.',
    );
  return code === undefined ? error : new LocalError('file_error', `${path}: ${code}`);
}
