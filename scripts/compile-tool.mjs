/**
 * Compiles a tool that uses parts of the service (`torture`, `drills`). The vendored driver is plain JavaScript, which
 * the compiler leaves where it is, as it does with migrations and versions: the compiled service finds them by links.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const [tool = ''] = process.argv.slice(2);
const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
execFileSync(process.execPath, [tsc, '-p', path.join(root, tool)], { stdio: 'inherit' });
for (const name of ['vendor', 'sql', 'package.json']) {
  const link = path.join(root, tool, 'dist/server', name);
  if (!existsSync(link)) symlinkSync(path.join(root, 'server', name), link);
}
