import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

const WORKSPACES = ['protocol', 'sdk', 'server', 'world', 'proof', 'web', 'cli'];
const OWN_SCOPE = '@payassent';

/**
 * The last commit in a separate folder. Packages are those of this checkout, except our own, which must be the clone's:
 * otherwise the unchanged service would be tested.
 */
export function cloneHead(root: string, into: string): void {
  execFileSync('git', ['clone', '--quiet', '--shared', root, into]);
  const modules = join(into, 'node_modules');
  mkdirSync(join(modules, OWN_SCOPE), { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name === OWN_SCOPE || name === '.payassent-build.lock') continue;
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }
  for (const name of WORKSPACES) {
    if (!existsSync(join(into, name))) continue;
    symlinkSync(join(into, name), join(modules, OWN_SCOPE, name));
    const own = join(root, name, 'node_modules');
    if (existsSync(own)) symlinkSync(own, join(into, name, 'node_modules'));
  }
}

/** Empty when it compiled. */
export function compile(folder: string): string {
  for (const args of [
    [join(folder, 'node_modules/typescript/bin/tsc'), '-b', 'server', 'world'],
    [join(folder, 'proof/run.mjs'), 'compile'],
  ]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: folder,
      encoding: 'utf8',
    });
    if (status !== 0) return `${stdout}${stderr}`;
  }
  return '';
}

/** Empty when it applied; undone by `restore`. */
export function apply(folder: string, patch: string): string {
  const { status, stderr } = spawnSync('git', ['apply', patch], { cwd: folder, encoding: 'utf8' });
  return status === 0 ? '' : stderr;
}

export function restore(folder: string): void {
  execFileSync('git', ['checkout', '--quiet', '--', '.'], { cwd: folder });
}
