import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const SRC = fileURLToPath(new URL('../src/', import.meta.url));

interface Source {
  path: string;
  text: string;
  /** Paths within `src`. */
  imports: string[];
  packages: string[];
}

const sources: Source[] = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.endsWith('.d.ts'))
  .map((file) => {
    const text = readFileSync(join(SRC, file), 'utf8');
    const specifiers = [...text.matchAll(/^(?:import|export)[^'"]*?from '([^']+)'|^import '([^']+)'/gms)].map(
      (match) => match[1] ?? match[2] ?? '',
    );
    const ours = specifiers.filter((specifier) => specifier.startsWith('.'));
    return {
      path: file,
      text,
      imports: ours.map((specifier) => normalize(join(dirname(file), specifier))),
      packages: specifiers.filter((specifier) => !specifier.startsWith('.')),
    };
  });

const folderOf = (path: string): string => path.split('/')[0] ?? '';
/** The payment core counts as one. */
const featureOf = (path: string): string | undefined =>
  folderOf(path) === 'payments' ? 'payments' : /^features\/([^/]+)\//.exec(path)?.[1];
/** The part whose tables a file writes; a file of storage writes those of the part that calls it. */
const partOf = (path: string): string => {
  const [, file = ''] = /^storage\/\w+\/(\w+)\.ts$/.exec(path) ?? [];
  const asking: Record<string, string> = { statements: 'transparency-log', webhooks: 'webhooks' };
  if (folderOf(path) === 'storage') return asking[file] ?? 'payments';
  return featureOf(path) ?? folderOf(path);
};
const fileOf = (path: string): string => path.split('/').at(-1) ?? '';

/** Files of a feature that may talk to the kernel: they declare, wire and prove credentials. */
const WIRING =
  /^(index|routes|.*-routes|jobs?|.*-job|authenticate|.*-authenticator|documents|pages?|retention|wiring)\.ts$/;

function offences(rule: (source: Source) => string[]): string[] {
  return sources.flatMap((source) => rule(source).map((target) => `${source.path} → ${target}`));
}

describe('import directions', () => {
  it('finds the sources', () => {
    expect(sources.length).toBeGreaterThan(40);
  });

  it('the root holds the door and what every command speaks; everything else has a folder', () => {
    const root = sources.map(({ path }) => path).filter((path) => !path.includes('/'));
    expect(root.toSorted()).toEqual([
      'act.ts',
      'app.ts',
      'cli.ts',
      'context.ts',
      'dev.ts',
      'errors.ts',
      'limits.ts',
      'lock-order.ts',
      'main.ts',
      'page.ts',
      'principals.ts',
    ]);
  });

  it('lib knows nothing of the rest', () => {
    expect(
      offences(({ path, imports }) =>
        folderOf(path) === 'lib' ? imports.filter((to) => folderOf(to) !== 'lib') : [],
      ),
    ).toEqual([]);
  });

  it('only the HTTP server opens an HTTP server, and no web framework is between', () => {
    const frameworks = /^(fastify|express|hono|koa|find-my-way)\b/;
    expect(
      offences(({ path, text, packages }) => [
        ...packages.filter((name) => frameworks.test(name)),
        ...(path !== 'http/server/index.ts' && /createServer.*from 'node:https?'/.test(text)
          ? ['createServer']
          : []),
      ]),
    ).toEqual([]);
  });

  it('the environment is read at the door only', () => {
    const doors = ['main.ts', 'cli.ts', 'dev.ts'];
    expect(
      offences(({ path, text }) =>
        doors.includes(path) || !text.includes('process.env') ? [] : ['process.env'],
      ),
    ).toEqual([]);
  });

  it('views, schemas and state tables do no I/O', () => {
    const pure = /^(view|schema|states)\.ts$|-(view|schema|states)\.ts$/;
    expect(
      offences(({ path, imports, packages }) =>
        featureOf(path) !== undefined && pure.test(fileOf(path))
          ? [
              ...imports.filter((to) => /^(db|jobs)\/|sql\.ts$|context\.ts$|vendor\//.test(to)),
              ...packages.filter((name) => name.startsWith('node:')),
            ]
          : [],
      ),
    ).toEqual([]);
  });

  it("a feature never uses another feature's statements; storage puts them together", () => {
    expect(
      offences(({ path, imports }) =>
        imports.filter(
          (to) =>
            folderOf(path) !== 'storage' &&
            /sql\.ts$/.test(to) &&
            featureOf(to) !== undefined &&
            featureOf(to) !== featureOf(path),
        ),
      ),
    ).toEqual([]);
  });

  it('features use the payment core through its index', () => {
    expect(
      offences(({ path, imports }) =>
        ['payments', 'storage'].includes(folderOf(path))
          ? []
          : imports.filter((to) => folderOf(to) === 'payments' && to !== 'payments/index.ts'),
      ),
    ).toEqual([]);
  });

  it('commands know neither the HTTP layer nor the context', () => {
    expect(
      offences(({ path, imports }) =>
        featureOf(path) === undefined ||
        featureOf(path) === 'operations' ||
        WIRING.test(fileOf(path)) ||
        fileOf(path) === 'schema.ts'
          ? []
          : imports.filter((to) => folderOf(to) === 'http' || to === 'context.ts'),
      ),
    ).toEqual([]);
  });

  it('what a service remembers belongs to that service: no module of http or a feature keeps state', () => {
    const same: Record<string, string> = {
      'features/pages/index.ts': 'files of the build, the same for every service of the process',
      'http/server/respond.ts': 'random text that no call has used yet',
    };
    const kept =
      /^(?:export )?(?:let .*|const \w+ = (?:new (?:Weak)?(?:Map|Set)(?:<.*>)?\(\)|createMemory\b.*));/gm;
    expect(
      offences(({ path, text }) =>
        ['features', 'http'].includes(folderOf(path)) && !(path in same) ? (text.match(kept) ?? []) : [],
      ),
    ).toEqual([]);
  });

  it('no cycles between features', () => {
    const edges = new Map<string, Set<string>>();
    for (const { path, imports } of sources) {
      const from = featureOf(path);
      for (const target of imports) {
        const to = featureOf(target);
        if (from && to && from !== to) edges.set(from, (edges.get(from) ?? new Set()).add(to));
      }
    }
    const cycles: string[] = [];
    const walk = (at: string, trail: string[]) => {
      if (trail.includes(at)) {
        cycles.push([...trail.slice(trail.indexOf(at)), at].join(' → '));
        return;
      }
      for (const next of edges.get(at) ?? []) walk(next, [...trail, at]);
    };
    for (const from of edges.keys()) walk(from, []);
    expect([...new Set(cycles)]).toEqual([]);
  });
});

/** Tables that several parts write: who owns them, and why each of the others writes too. */
const SHARED_TABLES: Record<string, { owner: string; others: Record<string, string> }> = {
  accounts: { owner: 'merchant-accounts', others: { operators: 'an invited person may be new here' } },
  admin_sessions: {
    owner: 'project-access',
    others: {
      operators: 'a removed operator is signed out in the same commit',
      'merchant-accounts': 'signing out everywhere includes them',
    },
  },
  agent_revocations: { owner: 'agents', others: { connections: 'takes off the list what it has closed' } },
  agents: { owner: 'agents', others: { suspensions: 'what the operator of the installation decides' } },
  api_keys: {
    owner: 'project-access',
    others: { 'merchant-accounts': 'signing out everywhere includes them' },
  },
  connection_heads: {
    owner: 'payments',
    others: { connections: 'the counter is made with its connection' },
  },
  connection_tokens: { owner: 'connections', others: { callers: 'the first use of a token is its proof' } },
  decision_keys: { owner: 'decisions', others: { wallets: 'an unused wallet goes with all that it has' } },
  device_tokens: { owner: 'wallets', others: { callers: 'the first use of a token ends the former one' } },
  devices: {
    owner: 'wallets',
    others: {
      callers: 'when a device was last seen',
      push: 'has_push follows the subscription in one statement',
    },
  },
  log_queue: {
    owner: 'transparency-log',
    others: { payments: 'the statement that ends a request queues its entry' },
  },
  mail_jobs: {
    owner: 'merchant-accounts',
    others: { notices: 'queues, for features that accounts must not know' },
  },
  merchant_operators: {
    owner: 'operators',
    others: { 'merchant-accounts': 'the founder, and the first sign-in of an operator' },
  },
  merchant_sessions: {
    owner: 'merchant-accounts',
    others: {
      operators: 'a removed operator is signed out in the same commit',
      passkeys: 'a session remembers when a passkey was used in it',
    },
  },
  merchants: { owner: 'merchants', others: { suspensions: 'what the operator of the installation decides' } },
  observations: {
    owner: 'settlement',
    others: { observations: 'queues, for features that the observer must not know' },
  },
  passkey_cancellations: {
    owner: 'passkeys',
    others: { 'merchant-accounts': 'the link is made when its mail leaves' },
  },
  passkey_counters: { owner: 'decisions', others: { wallets: 'an unused wallet goes with all that it has' } },
  push_subscriptions: {
    owner: 'push',
    others: { wallets: 'a device that goes takes its subscription with it' },
  },
  rate_budgets: { owner: 'http', others: { operations: 'tries whether the database takes a write' } },
  recipient_versions: {
    owner: 'recipients',
    others: {
      merchants: 'a domain that is gone suspends its payees in the same commit',
      suspensions: 'what the operator of the installation decides',
    },
  },
  recipients: {
    owner: 'recipients',
    others: { merchants: 'a domain that is gone suspends its payees in the same commit' },
  },
  retention_marks: { owner: 'jobs', others: { 'transaction-contexts': 'a sweep of its own, by time' } },
  transaction_contexts: {
    owner: 'transaction-contexts',
    others: { payments: 'nodes forget the unused ones by a function of theirs' },
  },
  wallets: { owner: 'wallets', others: { connections: 'when a wallet was first connected' } },
};

it('every table has one owner, and others write it only for a stated reason', () => {
  const migrations = new URL('../sql/', import.meta.url);
  const tables = new Set(
    readdirSync(migrations)
      .filter((file) => file.endsWith('.sql'))
      .flatMap((file) => [
        ...readFileSync(new URL(file, migrations), 'utf8').matchAll(
          /^create table (?:if not exists )?(\w+)/gm,
        ),
      ])
      .map(([, name = '']) => name),
  );
  const writers = new Map<string, Set<string>>();
  for (const { path, text } of sources)
    for (const [, written = '', forgotten = ''] of text.matchAll(
      /\b(?:insert into|update|delete from)\s+(\w+)|forgetAfter\([^)]*?\btable: '(\w+)'/g,
    )) {
      const table = written || forgotten;
      if (tables.has(table)) writers.set(table, (writers.get(table) ?? new Set()).add(partOf(path)));
    }
  const shared = [...writers].filter(([, parts]) => parts.size > 1);
  const stated = Object.entries(SHARED_TABLES).map(([table, { owner, others }]) => [
    table,
    [owner, ...Object.keys(others)].toSorted(),
  ]);
  expect(shared.map(([table, parts]) => [table, [...parts].toSorted()]).toSorted()).toEqual(
    stated.toSorted(),
  );
  expect(writers.size).toBeGreaterThan(50);
});

it('what tests share is in the stage and comes from it by name', () => {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const folders = ['server', 'sdk', 'cli', 'web', 'openapi-tools'];
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => join(folder, file))
      .filter((file) => file.endsWith('.ts') && !/(^|\/)(node_modules|dist|vendor)\//.test(file)),
  );
  const strayed = files.filter((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/from '(\.[^']+)'/g)].some(([, specifier = '']) => {
      const target = normalize(join(dirname(file), specifier));
      return /^proof\//.test(target) || (/^\w+\/test\//.test(target) && folderOf(target) !== folderOf(file));
    }),
  );
  expect(files.length).toBeGreaterThan(1000);
  expect(strayed).toEqual([]);
});

describe('sizes', () => {
  it('no file over 400 lines', () => {
    const long = sources
      .filter(({ text }) => text.split('\n').length > 401)
      .map(({ path }) => relative('.', path));
    expect(long).toEqual([]);
  });
});
