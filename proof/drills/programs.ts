import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { atEnd } from '../stage/ending.ts';

export const HAPROXY = { '/usr/sbin/haproxy': 'haproxy' } as const;

/** Debian's packages by the files they bring: which of them to install; undefined when all are there. */
export function missingPrograms(programs: Readonly<Record<string, string>>): string | undefined {
  const absent = Object.entries(programs).filter(([path]) => !existsSync(path));
  if (absent.length === 0) return undefined;
  return `Install first: apt-get install --no-install-recommends ${absent.map(([, name]) => name).join(' ')}`;
}

export function startHaproxy(folder: string, config: string): void {
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, config);
  const child = spawn('/usr/sbin/haproxy', ['-db', '-f', file], { stdio: 'ignore' });
  atEnd(() => void child.kill('SIGKILL'));
}
