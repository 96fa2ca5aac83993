import type postgres from '../../../vendor/postgres/src/index.js';
import { addressFor } from '../address.ts';
import { faultOf } from '../faults.ts';
import { readIsDistributed } from '../layout.ts';
import { BRIEF_LOCK_MS, givingWay, holdMigrationLock, tableNames } from '../migrate.ts';
import { type ConnectionTarget, type Database, openDatabase } from '../open.ts';
import {
  fingerprintOf,
  machineStatements,
  parentsFirst,
  readTables,
  schemaStatements,
  tableStatements,
} from './grants.ts';
import { isShutOut, sealMachines } from './machines.ts';
import { groupName, loginName, quoted, ROLE_KINDS, type RoleKind, scramVerifier } from './names.ts';

/** The roles that the service works under. */
export type Roles =
  | { kind: 'separate'; service: ConnectionTarget; tenant: ConnectionTarget; seal: Buffer }
  /** The owner's role does everything, because it may not create others. */
  | { kind: 'single'; why: string };

export interface RoleParts {
  /** The owner's address, from which the roles' addresses are derived. */
  target: ConnectionTarget;
  /** The folder of the migrations: their tables are ours, other tables of the database are not touched. */
  folder: URL;
  /** Ids of the configured master keys, the current one first. */
  keyIds: readonly string[];
  passwordFor(role: string): string;
}

type Connection = postgres.ReservedSql<{ bigint: number }>;

interface Surroundings {
  database: string;
  schema: string;
  may_create_roles: boolean;
  is_our_cluster: boolean;
}

/**
 * Creates the service's roles and grants them only what they need. Safe to repeat, and safe when many processes start
 * together. Call it after the migrations, as owner.
 */
export async function prepareRoles(owner: Database, parts: RoleParts): Promise<Roles> {
  const connection = await owner.reserve();
  const release = await holdMigrationLock(connection);
  try {
    await connection.unsafe(`set statement_timeout = 0; set lock_timeout = ${BRIEF_LOCK_MS}`);
    const place = await readSurroundings(connection);
    if (!place.may_create_roles) return { kind: 'single', why: 'it may not create roles (CREATEROLE)' };
    return await prepare(connection, place, parts);
  } catch (error) {
    const why = refusalOf(error);
    if (why === undefined) throw error;
    return { kind: 'single', why };
  } finally {
    await connection.unsafe('reset all').catch(() => {});
    await release();
    connection.release();
  }
}

async function prepare(connection: Connection, place: Surroundings, parts: RoleParts): Promise<Roles> {
  const keyId = parts.keyIds[0] ?? '';
  for (const kind of ROLE_KINDS) await makeRoles(connection, place.database, kind, keyId, parts);
  const hasMachines = await readIsDistributed(connection as unknown as Database);
  if (hasMachines) await sealMachines(connection);
  await grantIfNew(connection, place, parts, hasMachines);
  const [service, tenant] = await Promise.all(
    ROLE_KINDS.map((kind) => enter(connection, loginName(place.database, kind, keyId), place, parts)),
  );
  if (hasMachines && service && !(await reachesMachines(service)))
    return { kind: 'single', why: 'the machines of the database let no role in but this one' };
  await removeFormerLogins(connection, place.database, parts.keyIds);
  const [row] = await connection<{ key: Buffer }[]>`select key from tenant_seal`;
  if (!service || !tenant || !row) throw new Error('The roles of the service are not complete.');
  return { kind: 'separate', service, tenant, seal: row.key };
}

async function readSurroundings(connection: Connection): Promise<Surroundings> {
  const [row] = await connection<Surroundings[]>`
    select current_database()::text as database, current_schema()::text as schema,
           rolsuper or rolcreaterole as may_create_roles,
           rolsuper and current_setting('cluster_name') = 'payassent' as is_our_cluster
    from pg_roles where rolname = current_user`;
  if (!row) throw new Error('The database does not know the role that is connected to it.');
  return row;
}

async function makeRoles(
  connection: Connection,
  database: string,
  kind: RoleKind,
  keyId: string,
  { passwordFor }: RoleParts,
): Promise<void> {
  const group = groupName(database, kind);
  const login = loginName(database, kind, keyId);
  const rows = await connection<{ name: string }[]>`
    select rolname::text as name from pg_roles where rolname in (${group}, ${login})`;
  const isThere = (name: string) => rows.some((row) => row.name === name);
  if (!isThere(group)) await connection.unsafe(`create role ${quoted(group)} nologin`);
  if (!isThere(login))
    await connection.unsafe(
      `create role ${quoted(login)} login in role ${quoted(group)} password '${scramVerifier(passwordFor(login))}'`,
    );
}

async function grantIfNew(
  connection: Connection,
  place: Surroundings,
  { folder }: RoleParts,
  hasMachines: boolean,
): Promise<void> {
  const names = ROLE_KINDS.map((kind) => groupName(place.database, kind));
  const groups = await connection<{ oid: number }[]>`
    select oid::int8 as oid from pg_roles where rolname = any(${names}::text[]) order by rolname`;
  const tables = await readTables(connection as unknown as Database, await tableNames(folder), hasMachines);
  const fingerprint = fingerprintOf(tables, groups);
  const known = await connection`select from role_grants where fingerprint = ${fingerprint}`;
  if (known.length > 0) return;
  // Table by table, so that no lock is held while waiting for the next. The final record waits for its commit, and with
  // it for everything written before.
  await connection.unsafe('set synchronous_commit = off');
  // Citus forwards the whole text of a command, and accepts one statement at a time.
  const run = (statements: readonly string[]) =>
    givingWay(connection, async () => {
      const all = ['begin', ...statements, 'commit'];
      try {
        for (const text of hasMachines ? all : [all.join('; ')]) await connection.unsafe(text);
      } catch (error) {
        await connection.unsafe('rollback').catch(() => {});
        throw error;
      }
    });
  await run(schemaStatements(place.database, place.schema, place.is_our_cluster));
  if (hasMachines) await run(machineStatements(place.database));
  for (const table of parentsFirst(tables)) await run(tableStatements(place.database, table, tables));
  await connection.unsafe('reset synchronous_commit');
  await connection`
    insert into role_grants values (${fingerprint})
    on conflict ((true)) do update set fingerprint = excluded.fingerprint`;
}

/** The role's address, tried. A role whose password was changed gets its own again. */
async function enter(
  connection: Connection,
  role: string,
  place: Surroundings,
  { target, passwordFor }: RoleParts,
): Promise<ConnectionTarget> {
  const password = passwordFor(role);
  const own = targetOf(target, place.database, role, password);
  try {
    await tryConnection(own);
  } catch (error) {
    if (codeOf(error) !== '28P01') throw error;
    await connection.unsafe(`alter role ${quoted(role)} login password '${scramVerifier(password)}'`);
    await tryConnection(own);
  }
  return own;
}

function tryConnection(target: ConnectionTarget): Promise<void> {
  return connected(target, async (db) => void (await db`select 1`));
}

/** A node that is down may accept it when it is back. */
function reachesMachines(target: ConnectionTarget): Promise<boolean> {
  return connected(target, async (db) => {
    try {
      await db`select from merchant_standings limit 1`;
      return true;
    } catch (error) {
      if (isShutOut(error)) return false;
      if (faultOf(error) === undefined) throw error;
      return true;
    }
  });
}

async function connected<T>(target: ConnectionTarget, work: (db: Database) => Promise<T>): Promise<T> {
  const db = openDatabase(target, { pool: 1 });
  try {
    return await work(db);
  } finally {
    await db.end({ timeout: 1 });
  }
}

function targetOf(target: ConnectionTarget, database: string, username: string, password: string) {
  if (target.url === undefined) return { ...target, database, username, password };
  return { url: addressFor(target.url, database, username, password) };
}

/** Logins of master keys that are no longer configured anywhere: not here, and no process is connected with one. */
async function removeFormerLogins(
  connection: Connection,
  database: string,
  keyIds: readonly string[],
): Promise<void> {
  const loginsOf = (keyId: string) => ROLE_KINDS.map((kind) => loginName(database, kind, keyId));
  const groups = ROLE_KINDS.map((kind) => groupName(database, kind));
  const members = await connection<{ name: string }[]>`
    select m.rolname::text as name
    from pg_auth_members a join pg_roles g on g.oid = a.roleid join pg_roles m on m.oid = a.member
    where g.rolname = any(${groups}::text[])`;
  const found = members.map(({ name }) => /_(k[0-9a-f]+)$/.exec(name)?.[1]);
  for (const keyId of new Set(found)) {
    if (keyId === undefined || keyIds.includes(keyId)) continue;
    const names = loginsOf(keyId);
    // Every process has a connection of the service's role, and may not have needed the tenant's yet.
    const inUse =
      await connection`select from pg_stat_activity where usename = any(${names}::text[]) limit 1`;
    if (inUse.length > 0) continue;
    // While a node of a distributed database is down it cannot be dropped: a later start does it.
    await connection
      .unsafe(`drop role if exists ${names.map((name) => quoted(name)).join(', ')}`)
      .catch((error: unknown) => {
        if (faultOf(error) !== 'connection') throw error;
      });
  }
}

function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
}

/** Why only one role is possible; undefined for transient failures. */
function refusalOf(error: unknown): string | undefined {
  switch (codeOf(error)) {
    case '42501':
      return 'it lacks the privilege to make roles or to grant them what they need';
    case '28000':
    case '28P01':
    case '08P01':
      return 'the server, or a pooler before it, lets no role in but this one';
    default:
      return undefined;
  }
}
