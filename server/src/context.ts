import { join } from 'node:path';
import type { Config } from './config/index.ts';
import { sessionTargetOf } from './db/database-source.ts';
import { type Durability, durabilityOf, UnsafeDurabilityError } from './db/durability.ts';
import { lineageFileOf } from './db/lineage.ts';
import { type ConnectionTarget, type Database, SILENCE_S } from './db/open.ts';
import type { Roles } from './db/roles/index.ts';
import { openServiceDatabase, type ServiceDatabase } from './db/service-database.ts';
import { createSignals, type Signals } from './db/signals.ts';
import { createWriting, type Writing } from './db/writing.ts';
import { loadKeys, removeKeyFile } from './keys/key-file.ts';
import { KEY_USES } from './keys/key-uses.ts';
import { admitMasterKeys, MasterKeyError } from './keys/master-keys.ts';
import { deriveSigningKeys, publishSigningKeys, type SigningKeys } from './keys/signing-keys.ts';
import { type Clock, databaseClock } from './lib/clock.ts';
import { createDns, type Dns } from './lib/dns.ts';
import type { Keys } from './lib/keys.ts';
import { createLog, type Logger } from './lib/log.ts';
import { createMailer, type Mailer } from './lib/mail/index.ts';
import { createOutbound, type Outbound } from './lib/outbound/index.ts';
import { type Random, systemRandom } from './lib/random.ts';
import { learnLayout } from './storage/index.ts';
import { createFaults, type Faults } from './telemetry/faults.ts';
import { createMetrics, type Metrics } from './telemetry/metrics.ts';
import { createOutcomes, type Outcomes } from './telemetry/outcomes.ts';
import type { Tracing } from './telemetry/tracing.ts';

/** Every part of the service, wired once, in a straight line. */
export interface Context {
  config: Config;
  /** In an ordinary call by a merchant or one of its agents: the rows of this merchant only. Otherwise all. */
  db: Database;
  /** Every tenant's rows, in every call. */
  serviceDb: Database;
  clock: Clock;
  random: Random;
  log: Logger;
  keys: Keys;
  /** Keys that sign evidence and log. */
  signing: SigningKeys;
  /** The file of a newly made master key, until the database has accepted it. */
  newKeyFile: string | undefined;
  mail: Mailer;
  dns: Dns;
  outbound: Outbound;
  metrics: Metrics;
  /** Undefined when tracing is off. */
  tracer: Tracing | undefined;
  faults: Faults;
  writing: Writing;
  outcomes: Outcomes;
  signals: Signals;
  securityHeaders: Readonly<Record<string, string>>;
  /** Aborted when the service begins to stop; long polls then respond immediately. */
  stopping: AbortSignal;
  /** The database's durability guarantee; known once it has been reached and its schema is up to date. */
  durability: Durability | undefined;
  schemaLevel: number | undefined;
  /** Whether the service works under roles that own nothing, or as the owner; known with the schema. */
  privileges: Roles['kind'] | undefined;
  /** Reaches the database and makes it ready; see `prepareDatabase`. */
  database: ServiceDatabase;
  stop(): void;
  close(): Promise<void>;
}

export interface ContextOverrides {
  clock?: Clock;
  random?: Random;
  log?: Logger;
  dns?: Dns;
  mail?: Mailer;
  outbound?: Outbound;
}

export const SQL_FOLDER = new URL('../sql/', import.meta.url);

export async function createContext(
  config: Config,
  target: ConnectionTarget,
  overrides: ContextOverrides = {},
): Promise<Context> {
  const clock = overrides.clock ?? databaseClock();
  const random = overrides.random ?? systemRandom;
  const metrics = createMetrics();
  const tracer =
    config.otlpUrl === undefined
      ? undefined
      : (await import('./telemetry/tracing.ts')).openTracer(config.otlpUrl, metrics);
  const log = overrides.log ?? createLog(config.logLevel, tracer && (() => tracer.line()));
  const { keys, newKeyFile } = await loadKeys(config, random);
  const writing = createWriting(SILENCE_S);
  const database = openServiceDatabase({
    target,
    sessionTarget: sessionTargetOf(config),
    pool: config.dbPool,
    allowUnsafeDurability: config.allowUnsafeDurability,
    lineageFile: config.database.kind === 'server' ? lineageFileOf(config.dataDir) : undefined,
    ...(tracer ? { onQuery: tracer.statement } : {}),
    learnLayout,
    writing,
  });
  const { db } = database;
  const dns = overrides.dns ?? createDns(config.dnsServers);
  const ways = overrides.outbound ?? createOutbound({ dns, allowLoopback: config.baseUrlIsLoopback });
  const outbound = tracer ? tracer.outbound(ways) : ways;
  const smtpUrl = config.smtpUrl?.reveal();
  const mail =
    overrides.mail ??
    createMailer({
      ...(smtpUrl === undefined ? {} : { smtpUrl }),
      from: config.mailFrom,
      mailDir: join(config.dataDir, 'mail'),
    });
  const signals = createSignals(db, database.listener);
  const stopping = new AbortController();
  return {
    config,
    db,
    serviceDb: db,
    database,
    clock,
    random,
    log,
    keys,
    signing: deriveSigningKeys(keys),
    newKeyFile,
    mail,
    dns,
    outbound,
    signals,
    metrics,
    tracer,
    faults: createFaults(log, metrics, writing),
    writing,
    outcomes: createOutcomes(),
    securityHeaders: securityHeaders(config),
    stopping: stopping.signal,
    durability: undefined,
    schemaLevel: undefined,
    privileges: undefined,
    stop: () => stopping.abort(),
    async close() {
      stopping.abort();
      await signals.close();
      await Promise.all([outbound.close(), mail.close()]);
      await database.end();
      await tracer?.close();
    },
  };
}

interface PrepareOptions {
  mayMigrate?: boolean;
  /** Renews what else must match this version, as owner. */
  renew?(owner: Database): Promise<void>;
}

/**
 * Checks the database's guarantees, migrates its schema and subscribes to other processes. From its first statement the
 * clock is the database's: timestamps, such as those of keys, and job schedules must not depend on a machine's clock.
 */
export async function prepareDatabase(
  context: Context,
  { mayMigrate = context.config.migrates, renew }: PrepareOptions = {},
): Promise<void> {
  const durability = await readDurability(context);
  if (durability.level === 'unsafe' && !context.config.allowUnsafeDurability)
    throw new UnsafeDurabilityError(durability);
  const { keys, log } = context;
  const prepared = context.database.prepare({
    folder: SQL_FOLDER,
    mayMigrate,
    keyIds: keys.keyIds,
    async check(owner) {
      await admitMasterKeys(owner, keys, KEY_USES, context.clock.now());
      await publishSigningKeys(owner, context.signing, context.clock.now());
      await renew?.(owner);
    },
    passwordFor: (role) => keys.mac('database-role', keys.currentKeyId, role).toString('base64url'),
  });
  const { level, roles } = await prepared.catch(async (error: unknown) => {
    // Next to rows of another key a fresh one would only hide that the right one was lost.
    if (error instanceof MasterKeyError && context.newKeyFile) await removeKeyFile(context.newKeyFile);
    throw error;
  });
  if (roles.kind === 'single')
    log.warn(
      { event: 'single_role' },
      `the role of DATABASE_URL owns the tables and does all the work: ${roles.why}; tenants are kept apart by statements alone`,
    );
  await context.signals.connect();
  context.privileges = roles.kind;
  context.durability = durability;
  context.schemaLevel = level;
}

/** The server's guarantee for an acknowledged commit; its clock is read in the same statement. */
async function readDurability({ db, clock }: Context): Promise<Durability> {
  const fromMs = performance.now();
  const [{ now, ...settings }] = await db<[Omit<Durability, 'level'> & { now: Date }]>`
    select clock_timestamp() as now,
           current_setting('fsync') as fsync,
           current_setting('full_page_writes') as full_page_writes,
           current_setting('synchronous_commit') as synchronous_commit`;
  clock.follow?.(now, fromMs, performance.now());
  return durabilityOf(settings);
}

export function isReady(context: Context): boolean {
  return context.schemaLevel !== undefined;
}

function securityHeaders(config: Config): Record<string, string> {
  return {
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    ...(config.baseUrl.startsWith('https:')
      ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }
      : {}),
  };
}
