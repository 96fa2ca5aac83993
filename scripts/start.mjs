/**
 * What `npm start` runs: compile when the sources changed, then start the service in this process.
 * Written in plain JavaScript because it has to run before anything is compiled.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { arePagesBuilt, digestOf, filesBelow } from './build-pages.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const project = path.join(root, 'server');
const main = path.join(project, 'dist', 'main.js');
const stampFile = path.join(project, 'dist', '.build-stamp');
const lockFile = path.join(root, 'node_modules', '.payassent-build.lock');
const BUILD_PATIENCE_MS = 120_000;

function fail(message) {
  console.error(message);
  process.exit(1);
}

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  fail(`PayAssent needs Node 20.19 or newer; this is ${process.versions.node}. Install a newer Node.`);
}

/** The server's project and those it refers to. */
function projectFolders(folder, found = []) {
  if (found.includes(folder)) return found;
  found.push(folder);
  const config = JSON.parse(readFileSync(path.join(folder, 'tsconfig.json'), 'utf8'));
  for (const reference of config.references ?? [])
    projectFolders(path.resolve(folder, reference.path), found);
  return found;
}

/**
 * One digest over everything the build depends on, and over the compiler's record of what it built: equal digests mean
 * an up-to-date build, whatever the files' modification times (a copied checkout has arbitrary ones).
 */
function buildDigest() {
  const files = [
    path.join(root, 'tsconfig.base.json'),
    path.join(root, 'node_modules/typescript/package.json'),
  ];
  for (const folder of projectFolders(project)) {
    files.push(path.join(folder, 'tsconfig.json'), path.join(folder, 'package.json'));
    files.push(...filesBelow(path.join(folder, 'src')).filter((file) => !file.endsWith('.test.ts')));
    files.push(path.join(folder, 'tsconfig.tsbuildinfo'));
  }
  return digestOf(files.filter((candidate) => existsSync(candidate)));
}

function isBuilt() {
  return existsSync(main) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === buildDigest();
}

/**
 * Only takes the types away, file by file: a twentieth of the work of a checked build, with the same JavaScript.
 * Types are checked where code changes hands (`npm run check`), not where a service starts.
 */
const TRANSLATE_ONLY = [
  ['--noCheck', '--noResolve', '--types', ''],
  ['--composite', 'false', '--incremental', 'false', '--declaration', 'false'],
].flat();

function runCompiler(args) {
  const manifest = createRequire(import.meta.url).resolve('typescript/package.json');
  const compiler = path.join(path.dirname(manifest), 'bin', 'tsc');
  const options = { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] };
  const result = spawnSync(process.execPath, [compiler, ...args], options);
  return {
    isDone: result.status === 0,
    output: `${result.stdout}${result.stderr}${result.error?.message ?? ''}`,
  };
}

function compile() {
  const folders = projectFolders(project);
  if (folders.every((folder) => runCompiler(['-p', folder, ...TRANSLATE_ONLY]).isDone)) {
    // A later checked build must not take these outputs for its own.
    for (const folder of folders) rmSync(path.join(folder, 'tsconfig.tsbuildinfo'), { force: true });
    writeFileSync(stampFile, buildDigest());
    return;
  }
  // A read-only checkout that was built elsewhere: a checked build has nothing to do there, or reports the problem.
  const { isDone, output } = runCompiler(['-b', project]);
  if (isDone && existsSync(main)) return;
  fail(
    `PayAssent could not be compiled:\n${output}\n` +
      'If files are missing, run "npm ci"; if the folder is read-only, run "npm run build" where it is writable.',
  );
}

/** Several services may be started from one checkout concurrently; one of them compiles, the others wait. */
async function build() {
  const deadlineMs = performance.now() + BUILD_PATIENCE_MS;
  while (!isBuilt()) {
    const hold = takeBuildLock();
    if (hold !== 'taken' || performance.now() > deadlineMs) {
      try {
        if (!isBuilt()) compile();
      } finally {
        if (hold === 'ours') rmSync(lockFile, { force: true });
      }
      return;
    }
    await sleep(100);
  }
}

function takeBuildLock() {
  try {
    writeFileSync(lockFile, String(process.pid), { flag: 'wx' });
    return 'ours';
  } catch (error) {
    if (error.code !== 'EEXIST') return 'not possible';
    if (isLeftOver()) rmSync(lockFile, { force: true });
    return 'taken';
  }
}

/** True for a lock whose owner was killed; it may still be there as a zombie. */
function isLeftOver() {
  const age = statSync(lockFile, { throwIfNoEntry: false });
  if (age === undefined) return false;
  if (Date.now() - age.mtimeMs > BUILD_PATIENCE_MS) return true;
  const pid = Number(readFileSync(lockFile, 'utf8'));
  // Created and not yet written.
  if (pid === 0) return false;
  try {
    process.kill(pid, 0);
    return /^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

function checkDependencies() {
  const missing = ['typescript/package.json', '@payassent/protocol/package.json', 'ajv', 'undici'].filter(
    (name) => {
      try {
        createRequire(path.join(project, 'package.json')).resolve(name);
        return false;
      } catch (error) {
        return error.code === 'MODULE_NOT_FOUND';
      }
    },
  );
  if (missing.length > 0)
    fail('The dependencies are not installed. Run "npm ci" in the repository root first.');
}

/**
 * The pages take seconds to build and the service does not need them to start: until they are there, a notice is served
 * in their place. Errors are printed on the console; the service continues.
 */
function buildPagesBeside() {
  if (arePagesBuilt()) return;
  const builder = path.join(root, 'scripts', 'build-pages.mjs');
  spawn(process.execPath, [builder], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] }).unref();
}

/** Our parent and its parent: there may be a shell between npm and us. */
function starters() {
  try {
    const status = readFileSync(`/proc/${process.ppid}/status`, 'utf8');
    return `${process.ppid} ${/^PPid:\s+(\d+)/m.exec(status)?.[1]}`;
  } catch {
    return String(process.ppid);
  }
}

const startedBy = starters();
checkNode();
checkDependencies();
await build();
buildPagesBeside();
// The process that started us was killed while we compiled: no process is left to stop this service.
if (process.env.npm_lifecycle_event !== undefined && starters() !== startedBy) process.exit(1);
try {
  await import(pathToFileURL(main).href);
} catch (error) {
  if (error?.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  fail(`${error.message}\nA package or a compiled file is missing. Run "npm ci", then "npm start" again.`);
}
