/**
 * Starts the service in copies of this checkout under every circumstance it must cope with. Each start has to end
 * in a running service or in one message that names the fix. Prints a line per start (time until it is ready or
 * refused + time to stop it); exit code 1 on any failure.
 *
 *   node scripts/start-matrix.mjs            a selection (about three minutes)
 *   node scripts/start-matrix.mjs --full     the whole product of circumstances
 *   node scripts/start-matrix.mjs --only=TEXT  only starts whose line holds the text
 *
 * Needs Linux and root: it starts services as another user and takes rights away from them. No network is used.
 */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from './ports.mjs';
import { circumstances, describe, specials } from './start-matrix/circumstances.mjs';
import { cloneFrom, makeMaster, makeParent } from './start-matrix/clone.mjs';
import { databasesOfRoot, outcomeOf, startService, stopService } from './start-matrix/service.mjs';

const repository = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const USERS = { root: 0, other: namedUser(), nameless: 54321 };
const PATH_NAMES = { plain: 'clone', 'with spaces': 'a clone with spaces', long: 'long-'.repeat(40) };

/** A user of the system without any rights. */
function namedUser() {
  const uids = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => Number(line.split(':')[2]));
  return uids.includes(65534) ? 65534 : uids.find((uid) => uid > 0);
}

function print(line) {
  process.stdout.write(`${line}\n`);
}

function createBench(folder, masters) {
  const home = path.join(folder, 'home');
  let count = 0;
  /** Of the last start: until ready or refused, and until all was stopped. */
  const times = [];

  const makePlace = (cell) => {
    count += 1;
    const owner = USERS[cell.user];
    const parent = path.join(folder, `cell-${count}`);
    makeParent(parent, owner, cell.folder === 'closed');
    const clone = path.join(parent, PATH_NAMES[cell.path], 'checkout');
    cloneFrom(cell.isBuilt === false ? masters.source : masters.built, clone, { ...cell, owner });
    const dataDir = path.join(folder, `data-${count}`);
    if (cell.dataOutside) mkdirSync(dataDir, { mode: 0o755 });
    cell.prepare?.(clone);
    return { parent, clone, ...(cell.dataOutside ? { dataDir } : {}) };
  };

  const startOptions = (cell, place, port) => ({
    clone: place.clone,
    user: USERS[cell.user],
    namespaces: cell.namespaces,
    environment: cell.environment,
    home,
    ...(cell.readOnly === undefined ? {} : { readOnlyFolder: path.join(place.clone, cell.readOnly) }),
    variables: { SVC_PORT: String(port), ...(place.dataDir ? { SVC_DATA_DIR: place.dataDir } : {}) },
  });

  /** Runs one start; returns the failure, or undefined. */
  const runCell = async (cell) => {
    const place = makePlace(cell);
    const port = cell.port ?? (await freePort());
    const startMs = performance.now();
    const service = startService(startOptions(cell, place, port));
    const outcome = await outcomeOf(service, port);
    const outcomeMs = performance.now();
    const asRoot = databasesOfRoot(place.dataDir ?? place.clone);
    const fault = await stopService(service, place.clone);
    times.push(outcomeMs - startMs, performance.now() - outcomeMs);
    rmSync(place.parent, { recursive: true, force: true });
    const expected = cell.refusal === undefined ? 'running' : 'refused';
    if (outcome !== expected) return `${outcome} instead of ${expected}:\n${service.output}`;
    if (fault !== undefined) return fault;
    if (asRoot.length > 0) return `the database ran as root: ${asRoot.join(', ')}`;
    if (cell.refusal !== undefined && !cell.refusal.test(service.output)) {
      return `the message does not name the fix:\n${service.output}`;
    }
    return undefined;
  };

  return { makePlace, startOptions, runCell, takeTimes: () => times.splice(0) };
}

async function prepareMasters(folder) {
  const masters = { source: path.join(folder, 'master'), built: path.join(folder, 'built') };
  makeMaster(repository, masters.source);
  // The first start compiles; its build serves all later clones.
  makeMaster(repository, masters.built);
  const port = await freePort();
  const options = { clone: masters.built, user: 0, namespaces: 'on', home: path.join(folder, 'home') };
  const service = startService({ ...options, variables: { SVC_PORT: String(port) } });
  const outcome = await outcomeOf(service, port);
  await stopService(service, masters.built);
  if (outcome !== 'running') throw new Error(`the plain start was ${outcome}:\n${service.output}`);
  rmSync(path.join(masters.built, 'data'), { recursive: true, force: true });
  return masters;
}

async function main() {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) {
    console.error('The start matrix needs Linux and root.');
    return 2;
  }
  const only = process.argv.find((argument) => argument.startsWith('--only='))?.slice('--only='.length) ?? '';
  const cells = circumstances({ isFull: process.argv.includes('--full') });
  const folder = mkdtempSync(path.join(tmpdir(), 'payassent-matrix-'));
  chmodSync(folder, 0o755);
  mkdirSync(path.join(folder, 'home'));
  chmodSync(path.join(folder, 'home'), 0o777);
  let faults = 0;
  try {
    const bench = createBench(folder, await prepareMasters(folder));
    const starts = [
      ...specials,
      ...cells.map((cell) => [describe(cell), (place) => place.runCell(cell), cell.refusal]),
    ];
    for (const [title, run, refusal] of starts) {
      if (!title.includes(only)) continue;
      const fault = await run(bench);
      const times = bench.takeTimes().map((ms) => `${(ms / 1000).toFixed(1)} s`);
      if (fault !== undefined) faults += 1;
      const verdict = fault === undefined ? (refusal ? 'ok, refused' : 'ok') : 'FAULT';
      print([verdict.padEnd(12), times.join(' + ').padEnd(15), title].join(''));
      if (fault !== undefined) print(fault);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  print(faults === 0 ? 'every start ended as it must' : `${faults} starts did not end as they must`);
  return faults === 0 ? 0 : 1;
}

process.exitCode = await main();
