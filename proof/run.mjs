/**
 * `node proof/run.mjs <command> [options]`: compiles the tools of this workspace together with the service they use,
 * then runs one of them; `compile` only compiles. The vendored driver is plain JavaScript, which the compiler leaves
 * where it is, as it does with migrations: the compiled service finds them by links.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const proof = path.dirname(fileURLToPath(import.meta.url));
const root = path.dirname(proof);
const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
execFileSync(process.execPath, [tsc, '-p', proof], { stdio: 'inherit' });
for (const name of ['server/vendor', 'server/sql', 'server/package.json']) {
  const link = path.join(proof, 'dist', name);
  mkdirSync(path.dirname(link), { recursive: true });
  if (!existsSync(link)) symlinkSync(path.join(root, name), link);
}
if (process.argv[2] !== 'compile') await import('./dist/proof/main.js');
