import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SQL_FOLDER } from '../../../server/src/context.ts';
import { driverOptions, startEmbeddedPostgres } from '../../../server/src/db/embedded/index.ts';
import { migrate } from '../../../server/src/db/migrate.ts';
import { type ConnectionTarget, type Database, openDatabase } from '../../../server/src/db/open.ts';
import postgres from '../../../server/vendor/postgres/src/index.js';
import type { Disposal } from '../disposal.ts';

/** The one PostgreSQL of a run: the embedded server as the service starts it, durability on. */
export interface Cluster {
  pid: number;
  version: string;
  settings: Record<string, string>;
  dataDir: string;
  /** A migrated database that lives as long as the cluster. */
  createDatabase(name: string): Promise<BenchDatabase>;
}

export interface BenchDatabase {
  name: string;
  /** As `DATABASE_URL`, for processes. */
  url: string;
  target: ConnectionTarget;
  sql: Database;
  /** For one that would fill the disk; the others go with the cluster. */
  drop(): Promise<void>;
}

const SHOWN = [
  'fsync',
  'full_page_writes',
  'synchronous_commit',
  'shared_buffers',
  'max_wal_size',
  'wal_sync_method',
];

export async function startCluster(disposal: Disposal): Promise<Cluster> {
  const dataDir = await mkdtemp(join(tmpdir(), 'payassent-bench-'));
  disposal.add(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10 }));
  const embedded = await startEmbeddedPostgres({ dataDir, log: () => {} });
  disposal.add(() => embedded.stop());
  const { user, database, ...place } = driverOptions(embedded);
  const root = { ...place, username: user };
  const admin = openDatabase({ ...root, database }, { pool: 1, name: 'bench', patient: true });
  disposal.add(() => admin.end({ timeout: 1 }));
  const rows = await admin<{ name: string; setting: string }[]>`
    select name, current_setting(name) as setting from pg_settings where name = any(${SHOWN})`;
  const [shown] = await admin<{ server_version: string }[]>`show server_version`;
  return {
    pid: embedded.pid,
    version: shown?.server_version ?? '?',
    settings: Object.fromEntries(rows.map((row) => [row.name, row.setting])),
    dataDir,
    async createDatabase(name) {
      await admin.unsafe(`create database ${name}`);
      const target = { ...root, database: name };
      const sql = openDatabase(target, { pool: 2, name: 'bench', patient: true });
      disposal.add(() => sql.end({ timeout: 1 }));
      await migrate(sql, SQL_FOLDER);
      return {
        name,
        target,
        sql,
        url: urlOf(target),
        async drop() {
          await sql.end();
          await admin.unsafe(`drop database ${name}`);
        },
      };
    },
  };
}

function urlOf(target: {
  host: string;
  port: number;
  username: string;
  password: string;
  database: string;
}): string {
  const url = new URL('postgres://localhost');
  url.username = target.username;
  url.password = target.password;
  url.port = String(target.port);
  url.pathname = target.database;
  url.searchParams.set('host', target.host);
  return url.href;
}

/** The driver as it comes, with the connections asked for and nothing else. */
export function bareDriver(target: ConnectionTarget, connections: number): postgres.Sql {
  const { url: _, ...place } = target;
  return postgres({ ...place, max: connections, onnotice: () => {} });
}
