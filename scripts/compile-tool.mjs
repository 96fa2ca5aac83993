/**
 * Compiles a tool that uses parts of the service (`torture`, `drills`). The vendored driver is plain JavaScript, which
 * the compiler leaves where it is: the compiled service finds it by a link.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const [tool = ''] = process.argv.slice(2);
const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
execFileSync(process.execPath, [tsc, '-p', path.join(root, tool)], { stdio: 'inherit' });
const link = path.join(root, tool, 'dist/server/vendor');
if (!existsSync(link)) symlinkSync(path.join(root, 'server/vendor'), link);
