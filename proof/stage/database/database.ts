import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { SQL_FOLDER } from '../../../server/src/context.ts';
import { tableNames } from '../../../server/src/db/migrate.ts';
import { type ConnectionTarget, type Database, openDatabase } from '../../../server/src/db/open.ts';
import { fingerprintOf, readTables, type TableFacts } from '../../../server/src/db/roles/grants.ts';
import { groupName, ROLE_KINDS } from '../../../server/src/db/roles/names.ts';
import { adminOf, GRANTED_TEMPLATE, placeOf, TEMPLATE, type TestCluster } from '../runner/global-setup.ts';

export interface TestDatabase {
  target: ConnectionTarget;
  /** As `DATABASE_URL`, for services in separate processes. */
  url: string;
  drop(): Promise<void>;
}

export interface DatabaseOptions {
  /** Without a schema. */
  empty?: boolean;
  /** The first service on it creates roles and grants, as on a new database. */
  ungranted?: boolean;
}

/** A fresh database, cloned from the migrated template (or empty). */
export async function createDatabase(options: DatabaseOptions = {}): Promise<TestDatabase> {
  const cluster = inject('cluster');
  const name = `t_${randomBytes(6).toString('hex')}`;
  const inheritsGrants = !options.empty && !options.ungranted && cluster.workerPorts.length === 0;
  const from = inheritsGrants ? GRANTED_TEMPLATE : TEMPLATE;
  await onMachines(cluster, async (admin) => {
    if (options.empty) await admin.unsafe(`create database ${name}`);
    else await onceUnused(admin, from, `create database ${name} template ${from}`);
    if (inheritsGrants) await inheritGrants(admin, cluster, name);
  });
  const url = new URL('postgres://localhost');
  url.username = cluster.username;
  url.password = cluster.password;
  url.port = String(cluster.port);
  url.pathname = name;
  if (cluster.workerPorts.length > 0) url.hostname = cluster.host;
  else url.searchParams.set('host', cluster.host);
  return {
    target: { ...placeOf(cluster), database: name },
    url: url.href,
    drop: () =>
      onMachines(cluster, async (admin) => {
        await onceUnused(admin, name, `drop database if exists ${name} with (force)`);
        const roles = await admin<{ role: string }[]>`
          select rolname::text as role from pg_roles where starts_with(rolname, ${`cs_${name}_`})`;
        for (const { role } of roles) await admin.unsafe(`drop role ${role}`);
      }),
  };
}

let templateTables: TableFacts[] | undefined;

/**
 * The two groups of a clone are members of those of the template, which have been granted everything on tables that the
 * clone has too. To grant it again would be half of what a start costs.
 */
async function inheritGrants(admin: Database, cluster: TestCluster, name: string): Promise<void> {
  const groups = ROLE_KINDS.map((kind) => groupName(name, kind));
  const create = ROLE_KINDS.map(
    (kind) => `create role ${groupName(name, kind)} nologin in role ${groupName(GRANTED_TEMPLATE, kind)}`,
  );
  await admin.unsafe(
    [
      ...create,
      `grant connect on database ${name} to ${groups.join(', ')}`,
      `revoke temporary, connect on database ${name} from public`,
    ].join('; '),
  );
  const clone = openDatabase({ ...placeOf(cluster), database: name }, { pool: 1 });
  try {
    templateTables ??= await readTables(clone, await tableNames(SQL_FOLDER), false);
    const oids = await clone<{ oid: number }[]>`
      select oid::int8 as oid from pg_roles where rolname = any(${groups}::text[]) order by rolname`;
    await clone`update role_grants set fingerprint = ${fingerprintOf(templateTables, oids)}`;
  } finally {
    await clone.end({ timeout: 1 });
  }
}

/** One connection for all databases of a worker, by port; it ends with the process. */
const admins = new Map<number, Database>();

function adminAt(cluster: TestCluster, port: number): Database {
  const admin = admins.get(port) ?? openDatabase(adminOf(cluster, port), { pool: 1, patient: true });
  admins.set(port, admin);
  return admin;
}

/** A distributed database has a part of the same name on each machine, and each part knows where the others are. */
async function onMachines(cluster: TestCluster, work: (admin: Database) => Promise<void>): Promise<void> {
  const ports = [cluster.port, ...cluster.workerPorts];
  await Promise.all(ports.map((port) => work(adminAt(cluster, port))));
}

const ATTEMPTS = 50;

/** Citus keeps a process in every database that it has seen; after it is ended, it may restart immediately. */
async function onceUnused(admin: Database, inUse: string, statement: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await admin.unsafe(statement);
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== '55006' || attempt === ATTEMPTS) throw error;
      await admin`select pg_terminate_backend(pid, 1000) from pg_stat_activity where datname = ${inUse}`;
    }
  }
}
