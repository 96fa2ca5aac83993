import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { readFileIfThere } from '../private-file.ts';

/**
 * Lets git overlook files with secrets in this folder, by the list that belongs to this clone alone and is never
 * committed. Returns what takes back what was added, and the files that git follows already.
 */
export function ignoreInGit(folder: string, files: readonly string[]): { tracked: string[]; remove(): void } {
  const git = (...args: string[]) => spawnSync('git', ['-C', folder, ...args], { encoding: 'utf8' });
  const place = git('rev-parse', '--show-prefix', '--git-path', 'info/exclude');
  const [prefix = '', list = ''] = place.stdout?.split('\n') ?? [];
  // No git here, or no clone.
  if (place.status !== 0 || list === '') return { tracked: [], remove: () => undefined };
  const path = resolve(folder, list);
  const tracked = files.filter((file) => git('ls-files', '--error-unmatch', file).status === 0);
  const added = files
    .filter((file) => !tracked.includes(file))
    .filter((file) => git('check-ignore', '--quiet', '--no-index', file).status !== 0)
    .map((file) => `/${literal(prefix + file)}`);
  edit(path, (lines) => [...lines, ...added]);
  return { tracked, remove: () => edit(path, (lines) => lines.filter((line) => !added.includes(line))) };
}

/** As a pattern that matches this path and no other. */
function literal(path: string): string {
  return path.replace(/[\\*?[]/g, '\\$&');
}

function edit(path: string, change: (lines: readonly string[]) => readonly string[]): void {
  const before = readFileIfThere(path) ?? '';
  const after = change(before.split('\n').slice(0, before.endsWith('\n') || before === '' ? -1 : undefined))
    .map((line) => `${line}\n`)
    .join('');
  if (after === before) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, after);
}
