/** What the matrix tries. A cell is a set of circumstances and what must come of it. */

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

export const PLAIN = {
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
