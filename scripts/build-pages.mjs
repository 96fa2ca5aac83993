/**
 * Builds portal, wallet and documentation into the folder from which the service serves them, when their sources changed.
 * Written in plain JavaScript because `npm start` runs it before anything is compiled.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { brotliCompressSync } from 'node:zlib';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const target = path.join(root, 'server', 'pages', 'app');
const stampFile = path.join(target, '.build-stamp');
const PAGES = ['web/home', 'web/portal', 'web/wallet', 'web/verify'];
const SOURCES = ['web/src', 'web/public', 'web/docs', ...PAGES, 'docs', 'protocol/src', 'sdk/src'];
const SETTINGS = [
  'scripts/build-pages.mjs',
  'web/vite.config.ts',
  'web/package.json',
  'web/tsconfig.json',
  'package-lock.json',
  'openapi.json',
  'CHANGELOG.md',
  'SECURITY.md',
];

export const filesBelow = (folder) =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));

/** Of names and contents, not of modification times (a copied checkout has arbitrary ones). */
export function digestOf(files) {
  const hash = createHash('sha256');
  for (const file of files.toSorted())
    hash
      .update(`${path.relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  return hash.digest('hex');
}

function sourceDigest() {
  const sources = SOURCES.flatMap((folder) => filesBelow(path.join(root, folder)));
  const settings = SETTINGS.map((file) => path.join(root, file));
  return digestOf([...sources.filter((file) => !path.basename(file).includes('.test.')), ...settings]);
}

export function arePagesBuilt() {
  return existsSync(stampFile) && readFileSync(stampFile, 'utf8') === sourceDigest();
}

/** The new pages come into their place whole: anyone who reads it meets the old ones or the new ones. */
export function buildPages() {
  if (arePagesBuilt()) return;
  const digest = sourceDigest();
  const fresh = `${target}-${process.pid}`;
  const manifest = createRequire(path.join(root, 'web', 'package.json')).resolve('vite/package.json');
  const vite = path.join(path.dirname(manifest), 'bin', 'vite.js');
  // The runner reads the settings without writing next to them: node_modules may be read-only.
  const quiet = ['--configLoader', 'runner', '--logLevel', 'error'];
  const args = [vite, 'build', path.join(root, 'web'), '--outDir', fresh, ...quiet];
  const run = (args) => spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  let result = run(args);
  if (result.status === 0) result = run([path.join(root, 'web', 'docs', 'build.mjs'), fresh]);
  if (result.status !== 0) {
    rmSync(fresh, { recursive: true, force: true });
    throw new Error(
      `The pages could not be built:\n${result.stdout}${result.stderr}\n` +
        'If files are missing, run "npm ci"; if the folder is read-only, run "npm run build" where it is writable.',
    );
  }
  // As small as can be takes seconds, so it is done here once and not at every start of the service.
  // The documentation is large and read seldom: for it the service's own compression does.
  const isSmall = (file) => !path.relative(fresh, file).startsWith('docs');
  for (const file of filesBelow(fresh).filter((name) => /\.(html|js|css|svg)$/.test(name) && isSmall(name)))
    writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file)));
  writeFileSync(path.join(fresh, '.build-stamp'), digest);
  const former = `${target}-${process.pid}-former`;
  if (existsSync(target)) renameSync(target, former);
  try {
    renameSync(fresh, target);
  } catch (error) {
    // Another start was faster with the same pages.
    if (!arePagesBuilt()) throw error;
    rmSync(fresh, { recursive: true, force: true });
  }
  rmSync(former, { recursive: true, force: true });
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    buildPages();
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
