/**
 * Packs every public package, installs the tarballs in empty folders outside this checkout, and uses them as a newcomer
 * would. What a clone has, such as workspaces, overrides and private packages, does not travel: only an install shows
 * it. With `--thorough` also a first payment and a test runner, and as root all of it as another user.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { PACKAGES, pack } from './pack.mjs';
import { checkCommand } from './pack-check/command.mjs';
import { checkJest, checkSdk } from './pack-check/sdk.mjs';
import { CheckError, run } from './processes.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const NOBODY = 65_534;
const MEGABYTE = 1_000_000;
/** The command with PostgreSQL. Of the SDK three fifths are the cryptography libraries. */
const LIMITS = { command: 120 * MEGABYTE, sdk: 4.5 * MEGABYTE };
const NO_REGISTRY = /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|ENOTCACHED|ERR_SOCKET_TIMEOUT)\b/;

const QUIET = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] };
const isThorough = process.argv.includes('--thorough');
const say = (text) => process.stdout.write(`${text}\n`);

const UNWANTED = /\.map$|\.tsbuildinfo$|\.test\.|(^|\/)(test|src)\/(?!.*vendor)/;
const OURS = /^(payassent$|@payassent\/)/;

/** The content of a tarball, and its dependencies from npm. It is unpacked into its own folder. */
function checkTarball(name, tarball) {
  const list = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' }).trim().split('\n');
  const files = list.map((file) => file.replace(/^package\//, ''));
  const folder = mkdtempSync(path.join(path.dirname(tarball), 'unpacked-'));
  execFileSync('tar', ['-xzf', tarball, '-C', folder]);
  const read = (file) => readFileSync(path.join(folder, 'package', file), 'utf8');
  const faults = [
    ...files.filter((file) => UNWANTED.test(file) && !file.startsWith('vendor/')),
    ...['LICENSE', 'README.md', 'package.json'].filter((file) => !files.includes(file)),
    ...files.filter((file) => /dist\/.*\.js$/.test(file) && read(file).includes('//# sourceMappingURL')),
  ];
  if (files.includes('LICENSE') && read('LICENSE') !== readFileSync(path.join(root, 'LICENSE'), 'utf8'))
    faults.push('LICENSE is another one');
  for (const [, link] of read('README.md').matchAll(/\]\((?![a-z]+:)([^)#]+)/g))
    if (!files.includes(path.normalize(link))) faults.push(`README.md: ${link} is not in the package`);
  faults.push(...manifestFaults(JSON.parse(read('package.json'))));
  if (faults.length > 0) throw new CheckError(`${name}:\n  ${faults.join('\n  ')}`);
}

function manifestFaults({ private: isPrivate, engines, license, publishConfig, ...manifest }) {
  const wanted = Object.entries({ ...manifest.dependencies, ...manifest.optionalDependencies });
  const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
  const folders = Object.fromEntries(
    Object.entries(lock.packages).flatMap(([folder, { name }]) => (name ? [[name, folder]] : [])),
  );
  const isHidden = (name) =>
    JSON.parse(readFileSync(path.join(root, folders[name], 'package.json'), 'utf8')).private === true;
  return [
    ...(isPrivate ? ['is private'] : []),
    ...(engines?.node === '>=20.19' && license === 'Apache-2.0' ? [] : ['engines or license']),
    ...(publishConfig?.access === 'public' && publishConfig.provenance ? [] : ['publishConfig']),
    ...wanted.filter(([, version]) => !/^\d/.test(version)).map(([name]) => `${name} has no exact version`),
    ...wanted.filter(([name]) => OURS.test(name) && isHidden(name)).map(([name]) => `${name} is private`),
    ...wanted
      .filter(([name]) => /^(@types\/|typescript|esbuild|vite|playwright)/.test(name))
      .map(([name]) => `${name} is for developers`),
  ];
}

/** An empty folder of this user with the tarballs installed. Warnings count as errors: users would see them. */
async function install(place, tarballs, user) {
  const folder = path.join(place, user === undefined ? 'own' : String(user));
  for (const made of [folder, path.join(folder, 'home')]) mkdirSync(made, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), '{"name":"newcomer","private":true}\n');
  giveAway(folder, user);
  const output = await npmInstall(folder, tarballs, user);
  const isOurs = (line) => /EBADENGINE|deprecated|ERESOLVE/.test(line);
  if (output.split('\n').some(isOurs)) throw new CheckError(`npm warns:\n${output}`);
  return folder;
}

async function npmInstall(folder, packages, user) {
  const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--prefer-offline', '--engine-strict'];
  const { code, output } = await run('npm', ['install', ...quiet, ...packages], {
    cwd: folder,
    user,
    env: registry(),
  });
  if (code !== 0) throw new CheckError(`npm install failed:\n${output}`);
  return output;
}

/** Where this npm gets packages from; its other settings belong to this user. */
function registry() {
  return {
    npm_config_registry: execFileSync('npm', ['config', 'get', 'registry'], QUIET).trim(),
    npm_config_cache: cache,
  };
}

function giveAway(folder, user) {
  if (user !== undefined) execFileSync('chown', ['-R', `${user}:${user}`, folder]);
}

function sizeOf(folder) {
  const files = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((one) => one.isFile());
  return files.reduce((sum, one) => sum + statSync(path.join(one.parentPath, one.name)).size, 0);
}

function checkSize(what, folder, limit) {
  const size = sizeOf(path.join(folder, 'node_modules'));
  if (size > limit) throw new CheckError(`${what} takes ${size} bytes installed, over ${limit}`);
  say(`  ${what}: ${(size / MEGABYTE).toFixed(1)} MB installed`);
}

async function main() {
  const tarballs = Object.fromEntries(PACKAGES.map((name) => [name, pack(work, name)]));
  for (const [name, tarball] of Object.entries(tarballs)) checkTarball(name, tarball);
  say('Packed: licenses, links and contents are right, nothing private is needed.');
  const users = isThorough && process.getuid?.() === 0 ? [undefined, NOBODY] : [undefined];
  for (const user of users) {
    giveAway(cache, user);
    say(`Installed as ${user === undefined ? 'this user' : `user ${user}`}`);
    const sdk = await install(path.join(work, 'sdk'), [tarballs.sdk, tarballs.protocol], user);
    checkSize('SDK', sdk, LIMITS.sdk);
    await checkSdk(root, sdk, user);
    // What a test runner does with it is the same for every user.
    if (isThorough && user === undefined)
      await checkJest(root, sdk, (packages) => npmInstall(sdk, packages, user));
    const command = await install(path.join(work, 'command'), Object.values(tarballs), user);
    checkSize('command', command, LIMITS.command);
    await checkCommand(command, user, say, isThorough);
  }
}

// Not in the clone, and open to the other user.
const work = mkdtempSync(path.join(tmpdir(), 'payassent-pack-'));
execFileSync('chmod', ['755', work]);
const cache = path.join(work, 'cache');
mkdirSync(cache);
try {
  await main();
  say('The packages work where they are installed.');
} catch (error) {
  if (!(error instanceof CheckError)) throw error;
  if (NO_REGISTRY.test(error.message))
    say(`Left out: the packages, because the registry cannot be reached.\n${error.message}`);
  else {
    say(error.message);
    process.exitCode = 1;
  }
} finally {
  rmSync(work, { recursive: true, force: true, maxRetries: 3 });
}
