import { type Command, defineCommand, type Io, UsageError } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { LocalError } from '../local-error.ts';
import { listing } from '../output.ts';

/** The service with all it needs is loaded only by the commands of its operator. */
const server = () => import('@payassent/server/cli');

export async function variables(): Promise<string> {
  const { CONFIG_VARIABLES } = await server();
  return `Configuration is read from the environment (default in brackets):\n\n${listing(Object.entries(CONFIG_VARIABLES), '  ')}`;
}

/** What the service itself calls an expected fault is told like every other of this command: a setting is usage. */
export async function guarded(
  work: (cli: Awaited<ReturnType<typeof server>>) => Promise<void>,
  exitWhenSettingsAreWrong: number = EXIT.usage,
): Promise<number> {
  const cli = await server();
  return cli.exitCodeOf(
    () => work(cli),
    (fault) => {
      if (fault instanceof cli.ConfigError) throw new UsageError(fault.message, exitWhenSettingsAreWrong);
      const code = fault instanceof cli.OperatorError ? 'refused' : 'service_not_started';
      throw new LocalError(code, fault.message);
    },
  );
}

function line(io: Io, text: string): void {
  io.stdout.write(`${text}\n`);
}

export const serve: Command = defineCommand({
  name: 'serve',
  summary: 'start the service',
  options: {},
  details: variables,
  run: (io) => guarded((cli) => cli.serveUntilStopped(io.env, io.signal), EXIT.settings),
});

export const migrate: Command = defineCommand({
  name: 'migrate',
  summary: 'bring the database up to date and stop',
  options: {
    partitions: {
      type: 'string',
      placeholder: 'number',
      summary:
        'give the largest tables so many partitions by merchant, or by time, while the service works on',
    },
  },
  details: async () =>
    [
      'With --partitions the tables of payment requests and their events are copied into partitions by merchant, and',
      'those of webhooks and audit events into ranges of time, which retention drops one by one. Each copy is compared',
      'and exchanged. It may be interrupted: the next run goes on. --partitions 0 takes away an unfinished copy.',
      '',
      await variables(),
    ].join('\n'),
  run: (io, { values, isJson }) =>
    guarded(async (cli) => {
      const log = (text: string) => io.stderr.write(`${text}\n`);
      if (values.partitions === undefined) {
        const level = await cli.migrateDatabase(io.env, log);
        line(io, isJson ? JSON.stringify({ schema: level }) : `The database is at schema ${level}.`);
        return;
      }
      const options = { progress: progressBar(io), signal: io.signal };
      const report = await cli.partitionDatabase(
        io.env,
        numberOf('partitions', values.partitions),
        log,
        options,
      );
      if (isJson) return line(io, JSON.stringify(report));
      line(io, `The database is at schema ${report.schema}.`);
      if (report.tables.length === 0) line(io, 'Unfinished copies were removed.');
      for (const { table, by, partitions, rows, isNew } of report.tables)
        line(
          io,
          `${table} has ${partitions} partitions by ${by} ${isNew ? `now: ${rows} rows, every digest equal.` : 'already.'}`,
        );
    }),
});

function numberOf(option: string, text: string): number {
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new UsageError(`--${option} must be a number, for example 64, not ${text}.`);
}

const BAR_LENGTH = 30;
const BAR_PAUSE_MS = 250;

/** One line that is written again and again; on anything but a terminal, nothing. */
function progressBar(io: Io): (table: string, copied: number, rows: number) => void {
  let shownMs = 0;
  return (table, copied, rows) => {
    if (io.columns === undefined || performance.now() - shownMs < BAR_PAUSE_MS) return;
    shownMs = performance.now();
    // The number of rows is an estimate, and more may come.
    const share = Math.min(copied / Math.max(rows, copied, 1), 1);
    const bar = '#'.repeat(Math.round(share * BAR_LENGTH)).padEnd(BAR_LENGTH, '.');
    io.stderr.write(`\r${table} [${bar}] ${Math.floor(share * 100)} %, ${copied} rows copied `);
  };
}

const SHARDS = '32';

export const distribute: Command = defineCommand({
  name: 'distribute',
  summary: 'distribute the database over several machines by merchant, with the service stopped',
  options: {
    shards: {
      type: 'string',
      placeholder: 'number',
      summary: `so many parts of each table, spread over the machines (default ${SHARDS})`,
    },
  },
  details: async () =>
    [
      'DATABASE_URL leads to a Citus coordinator that knows its workers. Everything happens in one transaction. On a',
      'database that is distributed already it says how it is laid out, and distributes what an earlier release left.',
      '',
      await variables(),
    ].join('\n'),
  run: (io, { values, isJson }) =>
    guarded(async (cli) => {
      const log = (text: string) => io.stderr.write(`${text}\n`);
      const shards = numberOf('shards', values.shards ?? SHARDS);
      const report = await cli.distributeDatabase(io.env, log, { shards, progress: tableCounter(io) });
      if (isJson) return line(io, JSON.stringify(report));
      line(io, `The database is at schema ${report.schema}.`);
      const { length } = report.machines;
      line(
        io,
        `It is distributed${report.isNew ? ' now' : ' already'}: ${report.shards} shards on ${length === 1 ? 'one machine' : `${length} machines`}.`,
      );
      for (const { host, port, shards: own } of report.machines) line(io, `  ${host}:${port}: ${own} shards`);
      if (report.machines.some((machine) => machine.shards === 0))
        line(
          io,
          'A machine has no shards. To move some there, run in the database: select citus_rebalance_start()',
        );
    }),
});

/** One line that is written again for each table; on anything but a terminal, nothing. */
function tableCounter(io: Io): (table: string, done: number, tables: number) => void {
  return (table, done, tables) => {
    if (io.columns === undefined) return;
    io.stderr.write(
      `\r${`${done} of ${tables} tables are distributed. Next: ${table}`.padEnd(io.columns - 1)}`,
    );
    if (done === tables - 1) io.stderr.write('\n');
  };
}

export const config: Command = defineCommand({
  name: 'config',
  summary: 'print the effective configuration without secrets',
  options: {},
  details: variables,
  run: (io, { isJson }) =>
    guarded(async (cli) => line(io, JSON.stringify(cli.effectiveConfig(io.env), null, isJson ? 0 : 2))),
});
