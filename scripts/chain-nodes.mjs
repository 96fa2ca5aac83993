/**
 * The nodes of the tests of settlement observations: Litecoin's from Debian, an EVM node and a compiler from npm. As a
 * program (as `npm run check` runs it) it installs them; imported, it only finds them.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { installPackage } from './apt.mjs';

const TOOLS = fileURLToPath(new URL('../chain-tools/', import.meta.url));
const INSTALL_PATIENCE_MS = 300_000;
const ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' };

export function findLitecoind() {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  return folders.map((folder) => path.join(folder, 'litecoind')).find((candidate) => existsSync(candidate));
}

/** The node itself, without the script around it that npm installs. */
export function findAnvil() {
  const name = `anvil-${process.platform}-${ARCHITECTURES[process.arch]}`;
  const program = path.join(TOOLS, 'node_modules/@foundry-rs', name, 'bin/anvil');
  return existsSync(program) && existsSync(path.join(TOOLS, 'node_modules/solc')) ? program : undefined;
}

export function loadSolc() {
  return createRequire(path.join(TOOLS, 'package.json'))('solc');
}

function installTools() {
  console.error(
    'Installing an EVM node and a compiler for the tests of settlement (npm ci in chain-tools) …',
  );
  const args = ['ci', '--prefix', TOOLS, '--no-audit', '--no-fund', '--ignore-scripts'];
  spawnSync('npm', args, { stdio: ['ignore', 'ignore', 'inherit'], timeout: INSTALL_PATIENCE_MS });
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  if (findLitecoind() === undefined) installPackage('litecoind', 'the tests of settlement');
  if (findAnvil() === undefined) installTools();
  // A machine that cannot have them still runs everything else; their tests are reported as skipped.
  if (findLitecoind() === undefined)
    console.error('No litecoind: tests of settlement on Litecoin are left out.');
  if (findAnvil() === undefined)
    console.error('No anvil: tests of settlement on an EVM network are left out.');
}
