import { SQL_FOLDER } from '../../../server/src/context.ts';
import { migrate } from '../../../server/src/db/migrate.ts';
import { type ConnectionTarget, type Database, openDatabase } from '../../../server/src/db/open.ts';
import postgres from '../../../server/vendor/postgres/src/index.js';
import { onServer, placeOf, startEmbedded, urlOf } from '../../stage/database/servers.ts';
import { atEnd, temporaryFolder } from '../../stage/ending.ts';

/** The one PostgreSQL of a run: the embedded server as the service starts it, durability on. */
export interface Cluster {
  pid: number;
  version: string;
  settings: Record<string, string>;
  /** A migrated database that lives as long as the cluster. */
  createDatabase(name: string): Promise<BenchDatabase>;
}

export interface BenchDatabase {
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

export async function startCluster(): Promise<Cluster> {
  const server = await startEmbedded(await temporaryFolder('bench'));
  atEnd(() => server.stop());
  const shown = await onServer(
    server,
    (admin) => admin<{ name: string; setting: string }[]>`
      select name, current_setting(name) as setting from pg_settings
      where name = any(${[...SHOWN, 'server_version']})`,
  );
  const { server_version: version = '?', ...settings } = Object.fromEntries(
    shown.map((row) => [row.name, row.setting]),
  );
  const asAdmin = (statement: string) => onServer(server, (admin) => admin.unsafe(statement));
  return {
    pid: server.pid,
    version,
    settings,
    async createDatabase(name) {
      await asAdmin(`create database ${name}`);
      const target = placeOf({ ...server, database: name });
      const sql = openDatabase(target, { pool: 2, name: 'bench', patient: true });
      atEnd(() => sql.end({ timeout: 1 }));
      await migrate(sql, SQL_FOLDER);
      return {
        target,
        sql,
        url: urlOf(target),
        async drop() {
          await sql.end();
          await asAdmin(`drop database ${name}`);
        },
      };
    },
  };
}

/** The driver as it comes, with the connections requested and nothing else. */
export function bareDriver(target: ConnectionTarget, connections: number): postgres.Sql {
  const { url: _, ...place } = target;
  return postgres({ ...place, max: connections, onnotice: () => {} });
}
