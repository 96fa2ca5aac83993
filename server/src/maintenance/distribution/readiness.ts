import { setTimeout as pause } from 'node:timers/promises';
import type { Database, Sql } from '../../db/open.ts';
import { OperatorError } from '../../errors.ts';
import type { Connection } from '../partitions/connection.ts';
import { DISTRIBUTION_PLAN } from './plan.ts';

const FEWEST = 1;
const MOST = 1024;

export function refuseShards(shards: number): void {
  if (!Number.isInteger(shards) || shards < FEWEST || shards > MOST)
    throw new OperatorError(`The number of shards must be between ${FEWEST} and ${MOST}, for example 32.`);
}

/** Runs before the migrations: a rejected database is unchanged. */
export async function refuseUnfit(owner: Database, shards: number): Promise<void> {
  refuseShards(shards);
  await refuseWithoutCitus(owner);
}

/** Rejects, with the fix, a database that cannot be distributed as it is. Changes nothing. */
export async function refuseUnready(connection: Connection): Promise<void> {
  await refuseWithoutCitus(connection as unknown as Database);
  await refuseWithoutWorkers(connection);
  await refuseOtherTables(connection);
  await refuseOtherSessions(connection, 'start them again when the database is distributed');
}

const OLDEST = [13, 2] as const;

async function refuseWithoutCitus(connection: Sql): Promise<void> {
  const [extension] = await connection<{ version: string }[]>`
    select extversion as version from pg_extension where extname = 'citus'`;
  const [major = 0, minor = 0] = (extension?.version ?? '').split(/[.-]/).map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return;
  throw new OperatorError(
    `The database ${extension ? `has Citus ${extension.version}` : 'does not have the extension citus'}. Install ` +
      `Citus ${OLDEST.join('.')} or newer on every machine, set shared_preload_libraries = 'citus' there and restart, ` +
      'and run "create extension citus" in this database on each of them.',
  );
}

async function refuseWithoutWorkers(connection: Connection): Promise<void> {
  const nodes = await connection<{ is_coordinator: boolean }[]>`
    select groupid = 0 as is_coordinator from pg_dist_node where noderole = 'primary' and isactive`;
  if (!nodes.some((node) => node.is_coordinator) || nodes.every((node) => node.is_coordinator))
    throw new OperatorError(
      'The coordinator knows no worker. In this database, run "select citus_set_coordinator_host(host, port)" with its ' +
        'own address as workers reach it, and "select citus_add_node(host, port)" for each worker.',
    );
  const [place] = await connection<{ is_coordinator: boolean }[]>`
    select groupid = 0 as is_coordinator from pg_dist_local_group`;
  if (!place?.is_coordinator)
    throw new OperatorError('This is a worker. Run the command with the address of the coordinator.');
  const replies = await connection<{ host: string; port: number; success: boolean; result: string }[]>`
    select nodename as host, nodeport as port, success, result from run_command_on_workers('select 1')`;
  const silent = replies.find(({ success }) => !success);
  if (silent)
    throw new OperatorError(
      `The coordinator cannot work with ${silent.host}:${silent.port}: ${silent.result.trim()}. Start that machine, and ` +
        'let the role of DATABASE_URL in there (pg_dist_authinfo on the coordinator, pg_hba.conf on the machine).',
    );
}

async function refuseOtherTables(connection: Connection): Promise<void> {
  const tables = await connection<{ name: string; kind: string }[]>`
    select c.relname::text as name, c.relkind::text as kind from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    order by 1`;
  const partitioned = tables.find(({ kind }) => kind === 'p');
  if (partitioned)
    throw new OperatorError(
      `${partitioned.name} has partitions. A database has partitions (migrate --partitions) or is distributed: ` +
        'dump it, and restore it into a database without partitions.',
    );
  const planned = new Set<string>(Object.values(DISTRIBUTION_PLAN).flat());
  const names = new Set(tables.map(({ name }) => name));
  const unknown = [...names].filter((name) => !planned.has(name));
  if (unknown.length > 0)
    throw new OperatorError(
      `The schema has tables that are not of this version of PayAssent: ${unknown.join(', ')}. Move your own tables ` +
        'to another schema or database. A copy that migrate --partitions left is removed by migrate --partitions 0.',
    );
  const missing = [...planned].filter((name) => !names.has(name));
  if (missing.length > 0)
    throw new OperatorError(
      `The schema lacks tables: ${missing.join(', ')}. Run "payassent migrate" of this version first; if they are ` +
        'still missing, restore a backup.',
    );
}

const LOOKS = 10;
const LOOK_PAUSE_MS = 200;

/** Sessions that have just ended, including this command's own, disappear a moment later. */
export async function refuseOtherSessions(connection: Connection, then: string): Promise<void> {
  for (let look = 1; ; look += 1) {
    const [other] = await connection<{ sessions: number }[]>`
      select count(*)::int as sessions from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and application_name like 'payassent%'`;
    if (!other || other.sessions === 0) return;
    if (look === LOOKS)
      throw new OperatorError(
        `The service is connected to this database (sessions: ${other.sessions}). Stop every process of the service ` +
          `first, and ${then}.`,
      );
    await pause(LOOK_PAUSE_MS);
  }
}
