import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../stage/root.ts';

interface OlderRelease {
  commit: string;
  folder: string;
  schema: number;
  /** The schema of the code that takes its place. */
  newest: number;
}

/**
 * The code as it was before a migration, the newest unless another is named by its number, taken from the history of this
 * clone and built next to it. Undefined where there is no history.
 */
export function buildOlderRelease(folder: string, before?: number): OlderRelease | undefined {
  const migrations = readdirSync(join(ROOT, 'server/sql')).filter((name) => /^\d{4}_.*\.sql$/.test(name));
  const number = before ?? migrations.length;
  const migration = migrations.toSorted()[number - 1];
  if (migration === undefined)
    throw new Error(`--before takes the number of a schema, 1 to ${migrations.length}.`);
  const commit = git(['log', '--diff-filter=A', '--format=%P', '-1', '--', `server/sql/${migration}`])
    .trim()
    .split(' ')[0];
  if (!commit) return undefined;
  mkdirSync(folder);
  execFileSync('sh', ['-c', `git archive ${commit} | tar -x -C '${folder}'`], { cwd: ROOT });
  const npm = (...args: string[]) =>
    execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  npm('ci', '--no-audit', '--no-fund', '--silent');
  npm('run', '--silent', 'build');
  return { commit, folder, schema: number - 1, newest: migrations.length };
}

function git(args: readonly string[]): string {
  try {
    return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return '';
  }
}
