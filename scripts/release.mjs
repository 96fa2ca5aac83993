/**
 * The requirements of a release, as listed in RELEASING.md. `npm run release` checks and packs and changes nothing;
 * `npm run release -- --final` also requires a clean tree, a signed tag and real addresses. Neither publishes: the
 * commands that do are printed, for a person to run.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { PACKAGES, pack } from './pack.mjs';

const OURS = /^(payassent$|@payassent\/)/;
/** The placeholder for the address of the repository until it has one. */
const PLACEHOLDER = 'payassent.example';

const json = (root, file) => JSON.parse(readFileSync(path.join(root, file), 'utf8'));

/** What is wrong with the manifests, the lock file, the templates and the changelog; nothing when all agree. */
export function releaseFaults(root, { isFinal = false } = {}) {
  const { version, workspaces } = json(root, 'package.json');
  const lock = json(root, 'package-lock.json').packages;
  const manifests = ['', ...workspaces].map((folder) => ({
    file: path.posix.join(folder, 'package.json'),
    isPublic: PACKAGES.includes(folder),
    locked: lock[folder]?.version,
    manifest: json(root, path.join(folder, 'package.json')),
  }));
  return [
    ...manifests.flatMap((one) => manifestFaults(one, version, isFinal)),
    ...['express', 'next', 'mcp'].flatMap((template) =>
      dependencyFaults(`cli/templates/${template}/package.json`, root, version),
    ),
    ...registryFaults(root, version, isFinal),
    ...changelogFaults(readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8'), version),
  ];
}

function manifestFaults({ file, isPublic, locked, manifest }, version, isFinal) {
  const { homepage, repository, bugs, license, publishConfig } = manifest;
  const addresses = [homepage, repository?.url, bugs];
  const wanted = { ...manifest.dependencies, ...manifest.devDependencies };
  return [
    ...(manifest.version === version ? [] : [`${file}: version ${manifest.version}, not ${version}`]),
    ...(locked === version ? [] : [`${file}: version ${locked} in package-lock.json, not ${version}`]),
    ...(license === 'Apache-2.0' ? [] : [`${file}: license ${license}`]),
    ...(addresses.every(Boolean) ? [] : [`${file}: no homepage, repository or bugs`]),
    ...(isFinal && addresses.some((address) => address?.includes(PLACEHOLDER))
      ? [`${file}: ${PLACEHOLDER} in place of an address`]
      : []),
    ...(isPublic && !(publishConfig?.access === 'public' && publishConfig.provenance)
      ? [`${file}: publishConfig has no public access with provenance`]
      : []),
    ...versionFaults(file, wanted, version),
  ];
}

function dependencyFaults(file, root, version) {
  const { dependencies, devDependencies } = json(root, file);
  return versionFaults(file, { ...dependencies, ...devDependencies }, version);
}

/** The entry for the registry of MCP servers: the package, and the name by which the package confirms it. */
function registryFaults(root, version, isFinal) {
  const file = 'cli/server.json';
  const server = json(root, file);
  const { name, mcpName } = json(root, 'cli/package.json');
  const versions = [server.version, ...server.packages.map((one) => one.version)];
  return [
    ...versions.filter((one) => one !== version).map((one) => `${file}: version ${one}, not ${version}`),
    ...(server.name === mcpName && server.packages.every(({ identifier }) => identifier === name)
      ? []
      : [`${file}: names another package than cli/package.json`]),
    ...(isFinal && server.websiteUrl.includes(PLACEHOLDER)
      ? [`${file}: ${PLACEHOLDER} in place of an address`]
      : []),
  ];
}

function versionFaults(file, wanted, version) {
  return Object.entries(wanted)
    .filter(([name, asked]) => OURS.test(name) && asked !== version)
    .map(([name, asked]) => `${file}: ${name} ${asked}, not ${version}`);
}

function changelogFaults(text, version) {
  const heads = [...text.matchAll(/^## (.+)$/gm)].map(([, head]) => head);
  return [
    ...(heads[0] === 'Unreleased' ? [] : ['CHANGELOG.md: does not begin with Unreleased']),
    ...(heads[1]?.startsWith(version)
      ? []
      : [`CHANGELOG.md: the newest release is ${heads[1]}, not ${version}`]),
  ];
}

function treeFaults(root, tag) {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim();
  const isTrue = (look) => {
    try {
      return look();
    } catch {
      return false;
    }
  };
  return [
    ...(git('status', '--porcelain') === '' ? [] : ['the tree has changes that are not committed']),
    ...(isTrue(() => git('rev-parse', `${tag}^{commit}`) === git('rev-parse', 'HEAD'))
      ? []
      : [`there is no tag ${tag} at this commit`]),
    ...(isTrue(() => git('verify-tag', tag) !== undefined) ? [] : [`the tag ${tag} has no valid signature`]),
  ];
}

function main(isFinal) {
  const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
  const { version } = json(root, 'package.json');
  const faults = [...releaseFaults(root, { isFinal }), ...(isFinal ? treeFaults(root, `v${version}`) : [])];
  if (faults.length > 0) {
    process.stderr.write(`Not ready for ${version}:\n${faults.map((fault) => `  ${fault}\n`).join('')}`);
    return 1;
  }
  const folder = mkdtempSync(path.join(tmpdir(), 'payassent-release-'));
  try {
    for (const name of PACKAGES) {
      const tarball = pack(folder, name);
      process.stdout.write(`packed ${path.basename(tarball)}, ${statSync(tarball).size} bytes\n`);
    }
    execFileSync(process.execPath, [path.join(root, 'scripts/sbom.mjs'), folder], { stdio: 'pipe' });
    if (!existsSync(path.join(folder, 'payassent.cdx.json'))) throw new Error('no SBOM was written');
    process.stdout.write('SBOM written, every licence accepted\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const publish = PACKAGES.map((name) => `  npm publish ./${name} --provenance --access public`);
  process.stdout.write(
    `\nReady for ${version}. In this order, in CI and after the tag:\n  git tag --sign v${version}\n${publish.join('\n')}\n`,
  );
  return 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.exitCode = main(process.argv.includes('--final'));
