/**
 * Packs the public packages into `packed/`, as they would be published, and prints how to install them. Until they are
 * on the registry this is how the command and the SDK get onto another machine or into a project.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** In the order in which they need each other. */
export const PACKAGES = ['protocol', 'sdk', 'server', 'cli'];

/** The tarball of one package. */
export function pack(folder, name) {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const options = { cwd: path.join(root, name), encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] };
  return path.join(folder, Object.values(JSON.parse(execFileSync('npm', args, options)))[0].filename);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = path.join(root, 'packed');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const name of PACKAGES) pack(folder, name);
  process.stdout.write(`Install them in a project with:\n  npm install ${path.join(folder, '*.tgz')}\n`);
}
