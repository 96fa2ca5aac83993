import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { type ConnectionTarget, openDatabase } from '../../server/src/db/open.ts';
import { TEMPLATE } from './global-setup.ts';

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
  const admin = () => openDatabase({ ...cluster, database: 'postgres' }, { pool: 1, patient: true });
  const sql = admin();
  await sql.unsafe(`create database ${name}${options.empty ? '' : ` template ${TEMPLATE}`}`);
  await sql.end();
  const url = new URL('postgres://localhost');
  url.username = cluster.username;
  url.password = cluster.password;
  url.port = String(cluster.port);
  url.pathname = name;
  url.searchParams.set('host', cluster.host);
  return {
    target: { ...cluster, database: name },
    url: url.href,
    async drop() {
      const last = admin();
      await last.unsafe(`drop database if exists ${name} with (force)`);
      const roles = await last<{ role: string }[]>`
        select rolname::text as role from pg_roles where starts_with(rolname, ${`cs_${name}_`})`;
      for (const { role } of roles) await last.unsafe(`drop role ${role}`);
      await last.end();
    },
  };
}
