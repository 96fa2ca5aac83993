/**
 * Compiles a tool that uses parts of the service (`torture`, `drills`). The vendored driver is plain JavaScript, which
 * the compiler leaves where it is, as it does with migrations and versions: the compiled service finds them by links.
 * So does the tool the test kit that was compiled with it, by the name of its package.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const [tool = ''] = process.argv.slice(2);
const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
execFileSync(process.execPath, [tsc, '-p', path.join(root, tool)], { stdio: 'inherit' });
const dist = path.join(root, tool, 'dist');
const LINKS = {
  'server/vendor': path.join(root, 'server/vendor'),
  'server/sql': path.join(root, 'server/sql'),
  'server/package.json': path.join(root, 'server/package.json'),
  'node_modules/@payassent/test-kit': path.join(dist, 'kit'),
};
const kit = { name: '@payassent/test-kit', type: 'module', exports: { './*': './src/*.js' } };
writeFileSync(path.join(dist, 'kit/package.json'), JSON.stringify(kit));
for (const [name, target] of Object.entries(LINKS)) {
  const link = path.join(dist, name);
  mkdirSync(path.dirname(link), { recursive: true });
  if (!existsSync(link)) symlinkSync(target, link);
}
