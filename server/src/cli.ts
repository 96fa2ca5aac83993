import {
  CONFIG_VARIABLES,
  type Config,
  ConfigError,
  describeConfig,
  type Env,
  parseConfig,
} from './config/index.ts';
import { createContext, prepareDatabase, SQL_FOLDER } from './context.ts';
import {
  type DatabaseSource,
  joinDatabaseSource,
  openDatabaseSource,
  sessionTargetOf,
} from './db/database-source.ts';
import { UnsafeDurabilityError } from './db/durability.ts';
import { EmbeddedStartError } from './db/embedded/index.ts';
import { describeFault } from './db/faults.ts';
import { SchemaChangedError, SchemaTooNewError } from './db/migrate.ts';
import { type MigrationPlan, planMigrations } from './db/migration-plan.ts';
import { type Database, openDatabase } from './db/open.ts';
import { DatabaseError, OperatorError, StartError } from './errors.ts';
import { backupDatabase, restoreDatabase } from './maintenance/backup/index.ts';
import { upgradeEmbedded } from './maintenance/backup/upgrade.ts';
import {
  abandonMasterKey,
  changeSuspension,
  masterKeyStatus,
  resetOperatorPasskeys,
  rotateMasterKeys,
  verifyAudit,
} from './maintenance/commands.ts';
import { renewFunctions } from './maintenance/distribution/functions.ts';
import {
  type DistributionOptions,
  type DistributionReport,
  distributeDatabase as distributeTables,
} from './maintenance/distribution/index.ts';
import { refuseUnfit } from './maintenance/distribution/readiness.ts';
import { diagnose } from './maintenance/doctor/index.ts';
import {
  abandonCopies,
  type PartitionedTable,
  type PartitionOptions,
  partitionTables,
} from './maintenance/partitions/index.ts';
import { longDrainMs, runUntilStopped } from './processes/run-until-stopped.ts';
import { serve } from './processes/serve.ts';

export {
  abandonMasterKey,
  backupDatabase,
  CONFIG_VARIABLES,
  ConfigError,
  changeSuspension,
  DatabaseError,
  diagnose,
  type Env,
  masterKeyStatus,
  OperatorError,
  resetOperatorPasskeys,
  restoreDatabase,
  rotateMasterKeys,
  upgradeEmbedded,
  verifyAudit,
};

/** Starts the service and returns when it has stopped. */
export async function serveUntilStopped(env: Env, signal?: AbortSignal): Promise<void> {
  const npmStarted = env['npm_lifecycle_event'] !== undefined;
  const config = parseConfig(env);
  await runUntilStopped((stopping) => serve(config, stopping), {
    npmStarted,
    signal,
    longDrainMs: longDrainMs(config),
  });
}

/** Brings the database up to date and returns its schema level. */
export async function migrateDatabase(env: Env, log: (text: string) => void): Promise<number | undefined> {
  const config = parseConfig(env);
  return migrateAt(config, await openDatabaseSource(config, log));
}

/** The plan of `migrateDatabase`, with the service running or not. */
export async function planMigration(env: Env, log: (text: string) => void): Promise<MigrationPlan> {
  const config = parseConfig(env);
  const source = await joinDatabaseSource(config, log);
  try {
    const owner = openDatabase(sessionTargetOf(config) ?? source.target, { pool: 1, mayBeSilent: true });
    return await planMigrations(owner, SQL_FOLDER).finally(() => owner.end({ timeout: 5 }));
  } finally {
    await source.stop();
  }
}

async function migrateAt(
  config: Config,
  source: DatabaseSource,
  afterwards?: (owner: Database) => Promise<void>,
): Promise<number | undefined> {
  const context = await createContext(config, source.target);
  try {
    await prepareDatabase(context, { mayMigrate: true, renew: renewFunctions });
    if (afterwards) {
      const owner = openDatabase(sessionTargetOf(config) ?? source.target, { pool: 1, mayBeSilent: true });
      await afterwards(owner).finally(() => owner.end({ timeout: 5 }));
    }
    return context.schemaLevel;
  } finally {
    await context.close();
    await source.stop();
  }
}

export interface PartitionReport {
  schema: number | undefined;
  tables: PartitionedTable[];
}

/**
 * Brings the database up to date and partitions its largest tables, with the service running or not. None: removes what
 * an interrupted run left.
 */
export async function partitionDatabase(
  env: Env,
  partitions: number,
  log: (text: string) => void,
  options: PartitionOptions,
): Promise<PartitionReport> {
  const config = parseConfig(env);
  let tables: PartitionedTable[] = [];
  const schema = await migrateAt(config, await joinDatabaseSource(config, log), async (owner) => {
    if (partitions === 0) return abandonCopies(owner);
    tables = await partitionTables(owner, partitions, options).catch((error: unknown) => {
      if (!options.signal?.aborted) throw error;
      throw new OperatorError(
        'Interrupted. Run it again to continue, or with 0 to remove the unfinished copy.',
      );
    });
  });
  return { schema, tables };
}

/**
 * Brings the database up to date and distributes it over the nodes that its server knows; the service must be stopped.
 */
export async function distributeDatabase(
  env: Env,
  log: (text: string) => void,
  options: DistributionOptions,
): Promise<DistributionReport & { schema: number | undefined }> {
  const config = parseConfig(env);
  const source = await joinDatabaseSource(config, log);
  try {
    const target = sessionTargetOf(config) ?? source.target;
    const asOwner = async <T>(work: (owner: Database) => Promise<T>): Promise<T> => {
      const owner = openDatabase(target, { pool: 1, mayBeSilent: true });
      return work(owner).finally(() => owner.end({ timeout: 5 }));
    };
    await asOwner((owner) => refuseUnfit(owner, options.shards));
    // Its sessions are gone afterwards: the service's own are rejected.
    const schema = await migrateAt(config, { ...source, stop: async () => {} });
    return { schema, ...(await asOwner((owner) => distributeTables(owner, options))) };
  } finally {
    await source.stop();
  }
}

/** The effective configuration without secrets. */
export function effectiveConfig(env: Env): object {
  return describeConfig(parseConfig(env));
}

const COMMANDS: Record<string, { summary: string; run(env: Env): Promise<void> }> = {
  serve: { summary: 'start the service (the default)', run: (env) => serveUntilStopped(env) },
  migrate: {
    summary: 'bring the database up to date and stop',
    run: async (env) => write(`The database is at schema ${await migrateDatabase(env, write)}.`),
  },
  config: {
    summary: 'print the effective configuration without secrets',
    run: async (env) => write(JSON.stringify(effectiveConfig(env), null, 2)),
  },
};

/** Runs one command and returns the exit code. */
export async function runCli(args: readonly string[], env: Env): Promise<number> {
  const [name = 'serve', ...rest] = args;
  if (name === '--help' || name === '-h' || name === 'help' || rest.includes('--help')) {
    write(help());
    return 0;
  }
  const command = COMMANDS[name];
  if (!command || rest.length > 0) {
    process.stderr.write(`Unknown command: ${args.join(' ')}\n\n${help()}\n`);
    return 2;
  }
  return exitCodeOf(() => command.run(env));
}

const EXPECTED_FAULTS = [
  ConfigError,
  EmbeddedStartError,
  StartError,
  UnsafeDurabilityError,
  SchemaTooNewError,
  SchemaChangedError,
];

/**
 * For an expected failure only its message is printed, in the caller's format; anything else is a defect and keeps its
 * stack.
 */
export async function exitCodeOf(
  work: () => Promise<void>,
  tell: (fault: Error) => number = tellOnStderr,
): Promise<number> {
  try {
    await work();
    return typeof process.exitCode === 'number' ? process.exitCode : 0;
  } catch (error) {
    if (EXPECTED_FAULTS.some((kind) => error instanceof kind)) return tell(error as Error);
    const sentence = describeFault(error);
    if (sentence === undefined) throw error;
    return tell(new DatabaseError(sentence));
  }
}

/** As in `sysexits.h`: only another configuration helps. */
const EX_CONFIG = 78;

function tellOnStderr(fault: Error): number {
  process.stderr.write(`${fault.message}\n`);
  return fault instanceof ConfigError ? EX_CONFIG : 1;
}

function help(): string {
  const list = (entries: ReadonlyArray<readonly [string, string]>) => {
    const width = Math.max(...entries.map(([name]) => name.length));
    return entries.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`).join('\n');
  };
  return [
    'PayAssent: payments that agents request and people approve.',
    '',
    'Usage: payassent [command]',
    '',
    list(Object.entries(COMMANDS).map(([name, { summary }]) => [name, summary] as const)),
    '',
    'Configuration is read from the environment (default in brackets):',
    '',
    list(Object.entries(CONFIG_VARIABLES)),
  ].join('\n');
}

function write(text: string): void {
  process.stdout.write(`${text}\n`);
}
