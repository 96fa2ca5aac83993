import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { type ConnectionTarget, type Database, openDatabase } from '../../server/src/db/open.ts';
import { adminOf, placeOf, TEMPLATE, type TestCluster } from './global-setup.ts';

export interface TestDatabase {
  target: ConnectionTarget;
  /** As `DATABASE_URL`, for services in processes of their own. */
  url: string;
  drop(): Promise<void>;
}

/** A fresh database, cloned from the migrated template (or empty). */
export async function createDatabase(options: { empty?: boolean } = {}): Promise<TestDatabase> {
  const cluster = inject('cluster');
  const name = `t_${randomBytes(6).toString('hex')}`;
  await onMachines(cluster, async (admin) => {
    if (options.empty) await admin.unsafe(`create database ${name}`);
    else await onceUnused(admin, TEMPLATE, `create database ${name} template ${TEMPLATE}`);
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

/** A distributed database has a part of the same name on each machine, and each part knows where the others are. */
async function onMachines(cluster: TestCluster, work: (admin: Database) => Promise<void>): Promise<void> {
  const ports = [cluster.port, ...cluster.workerPorts];
  await Promise.all(
    ports.map(async (port) => {
      const admin = openDatabase(adminOf(cluster, port), { pool: 1, patient: true });
      await work(admin).finally(() => admin.end());
    }),
  );
}

const ATTEMPTS = 50;

/** Citus keeps a process in every database that it has seen: it is ended, and may be there again at once. */
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
