import { access, stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '../../config/index.ts';
import { SQL_FOLDER } from '../../context.ts';
import { type DatabaseSource, joinDatabaseSource, sessionTargetOf } from '../../db/database-source.ts';
import { type Durability, durabilityOf, UnsafeDurabilityError } from '../../db/durability.ts';
import { hasCluster } from '../../db/embedded/index.ts';
import { migrationState } from '../../db/migrate.ts';
import { type ConnectionTarget, type Database, openDatabase } from '../../db/open.ts';
import { proveAddress } from '../../db/pooling.ts';
import { keyFileOf, loadKeys } from '../../keys/key-file.ts';
import { KEY_USES } from '../../keys/key-uses.ts';
import { refuseWrongKeys } from '../../keys/master-keys.ts';
import type { Keys } from '../../lib/keys.ts';
import { systemRandom } from '../../lib/random.ts';
import { type Finding, fault, ok, reasonOf, warning } from './finding.ts';

const OLDEST_MAJOR = 15;
const MAX_SKEW_MS = 30_000;
const PATIENCE_MS = 20_000;

interface Facts extends Omit<Durability, 'level'> {
  version: number;
  version_text: string;
  takes_writes: boolean;
  may_create_roles: boolean;
  may_create_tables: boolean;
  max_connections: number;
  now: Date;
}

/** Every check of the database; those that the others depend on come first. */
export async function databaseFindings(
  config: Config,
  keys: Keys | undefined,
  say: (text: string) => void,
): Promise<Finding[]> {
  if (config.database.kind === 'embedded' && !(await hasCluster(config.dataDir)))
    return [ok('database', `none in ${config.dataDir} yet; the first start makes it`)];
  let source: DatabaseSource | undefined;
  let db: Database | undefined;
  try {
    source = await joinDatabaseSource(config, say);
    db = openDatabase(source.target, { pool: 2 });
    const asked = readFacts(db);
    asked.catch(() => {});
    const facts = await Promise.race([asked, pause(PATIENCE_MS, undefined, { ref: false })]);
    if (!facts) throw new Error(`no response within ${PATIENCE_MS / 1000} s`);
    return await look(config, { db, facts, target: source.target, keys });
  } catch (error) {
    const fix =
      config.database.kind === 'server'
        ? 'See that the server runs and takes connections from here, and check DATABASE_URL: host, port, user, password, sslmode.'
        : 'See postgres.log in the data folder; the message above names the rest.';
    return [fault('database', `cannot be used: ${reasonOf(error)}`, fix)];
  } finally {
    await db?.end({ timeout: 1 });
    await source?.stop();
  }
}

interface Met {
  db: Database;
  facts: Facts;
  target: ConnectionTarget;
  keys: Keys | undefined;
}

async function look(config: Config, met: Met): Promise<Finding[]> {
  const { facts, target } = met;
  const findings = [
    facts.takes_writes
      ? ok('database', `reached, PostgreSQL ${facts.version_text}`)
      : fault(
          'database',
          'a standby or read-only server',
          'Let DATABASE_URL lead to the primary; several hosts may be named.',
        ),
    versionFinding(facts),
    durabilityFinding(config, facts),
    clockFinding(facts),
    privilegeFinding(config, facts),
    connectionsFinding(config, facts),
  ];
  findings.push(await poolerFinding(config, target));
  const schema = await schemaFinding(config, met.db);
  return [...findings, schema, ...(schema.status === 'ok' ? [await keyFinding(config, met)] : [])];
}

async function readFacts(db: Database): Promise<Facts | undefined> {
  // One statement, so that the time is that of the response.
  const [row] = await db<Facts[]>`
    select current_setting('server_version_num')::int / 10000 as version,
           current_setting('server_version') as version_text,
           not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off' as takes_writes,
           rolsuper or rolcreaterole as may_create_roles,
           has_schema_privilege(current_schema(), 'create') as may_create_tables,
           current_setting('max_connections')::int as max_connections,
           current_setting('fsync') as fsync,
           current_setting('full_page_writes') as full_page_writes,
           current_setting('synchronous_commit') as synchronous_commit,
           clock_timestamp() as now
    from pg_roles where rolname = current_user`;
  return row;
}

function versionFinding({ version, version_text }: Facts): Finding {
  return version >= OLDEST_MAJOR
    ? ok('database version', version_text)
    : fault('database version', version_text, `Upgrade the server to PostgreSQL ${OLDEST_MAJOR} or newer.`);
}

function durabilityFinding(config: Config, facts: Facts): Finding {
  const durability = durabilityOf(facts);
  if (durability.level === 'safe') return ok('durability', 'acknowledged writes survive a crash');
  const make = config.allowUnsafeDurability ? warning : fault;
  const { message } = new UnsafeDurabilityError(durability);
  return make('durability', message, 'Set fsync, full_page_writes and synchronous_commit to on.');
}

function clockFinding({ now }: Facts): Finding {
  const skewMs = now.getTime() - Date.now();
  const found = `${(Math.abs(skewMs) / 1000).toFixed(1)} s off the clock of the database`;
  const isNear = Math.abs(skewMs) <= MAX_SKEW_MS;
  return isNear
    ? ok('clock', found)
    : fault('clock', found, 'Run an NTP client (chrony, systemd-timesyncd) on both machines.');
}

function privilegeFinding({ migrates }: Config, facts: Facts): Finding {
  if (migrates && !facts.may_create_tables)
    return fault(
      'privileges',
      'the role of DATABASE_URL may not create tables',
      'Let it own the database, or set SVC_MIGRATE=off and run "payassent migrate" as the owner.',
    );
  return facts.may_create_roles
    ? ok('privileges', 'the service works as two roles that own nothing; no extension is needed')
    : warning(
        'privileges',
        'one role does everything, and tenants are kept apart by statements alone',
        'alter role … createrole, so that the service can make its own roles.',
      );
}

function connectionsFinding({ workers, dbPool }: Config, { max_connections }: Facts): Finding {
  const needed = workers * (dbPool + 1);
  const found = `${needed} of ${max_connections} for this machine`;
  return needed < max_connections
    ? ok('connections', found)
    : fault('connections', found, 'Lower SVC_DB_POOL or SVC_WORKERS, or raise max_connections.');
}

async function poolerFinding(config: Config, target: ConnectionTarget): Promise<Finding> {
  const session = sessionTargetOf(config);
  try {
    if (session) await proveAddress(session, 'SVC_DATABASE_SESSION_URL', false);
    return ok('pooler', await proveAddress(target, 'DATABASE_URL', session !== undefined));
  } catch (error) {
    return fault(
      'pooler',
      (error as Error).message,
      'Use pool_mode=session, or prepare=false and SVC_DATABASE_SESSION_URL.',
    );
  }
}

async function schemaFinding({ migrates }: Config, db: Database): Promise<Finding> {
  try {
    const { known, missing } = await migrationState(db, SQL_FOLDER);
    if (missing === undefined) return ok('schema', `${known}, as this version needs it`);
    const make = migrates ? warning : fault;
    return make(
      'schema',
      `lacks migration ${missing}`,
      'Run "payassent migrate"; a start does it too unless SVC_MIGRATE is off.',
    );
  } catch (error) {
    return fault('schema', (error as Error).message, 'See docs/UPGRADING.md.');
  }
}

async function keyFinding(config: Config, { db, keys }: Met): Promise<Finding> {
  if (!keys)
    return fault(
      'master key',
      `${keyFileOf(config)} is missing, and the database has rows of it`,
      'Put the file back from a backup, or set SVC_MASTER_KEY.',
    );
  try {
    const status = await refuseWrongKeys(db, keys, KEY_USES, new Date());
    const rows = status.flatMap(({ needed_by }) => needed_by).reduce((sum, use) => sum + use.rows, 0);
    return ok('master key', `reads all ${rows} rows that need one`);
  } catch (error) {
    return fault('master key', (error as Error).message, 'Configure the key that the message names.');
  }
}

/** The configured keys, without creating a missing file. */
export async function readKeys(config: Config): Promise<{ keys: Keys | undefined; findings: Finding[] }> {
  const file = keyFileOf(config);
  if (file !== undefined) {
    const mode = await stat(file).then(
      (found) => found.mode,
      () => undefined,
    );
    if (mode === undefined) return { keys: undefined, findings: [] };
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      const findings = [
        warning('master key file', 'others on this machine can read it', `chmod 600 ${file}`),
      ];
      return { keys: (await loadKeys(config, systemRandom)).keys, findings };
    }
    const unreadable = await access(file).then(
      () => undefined,
      (error: unknown) =>
        fault('master key file', reasonOf(error), `Give ${file} to the user of the service.`),
    );
    if (unreadable) return { keys: undefined, findings: [unreadable] };
  }
  return { keys: (await loadKeys(config, systemRandom)).keys, findings: [] };
}
