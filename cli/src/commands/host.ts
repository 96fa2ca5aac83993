import {
  type Args,
  type Command,
  defineCommand,
  EXIT,
  type Io,
  LocalError,
  type Options,
  type Result,
  UsageError,
} from '../command.ts';
import { listing } from '../output.ts';

/** The service with all it needs is loaded only by the commands of its host. */
const server = () => import('@payassent/server/cli');

export type Work = (
  host: Awaited<ReturnType<typeof server>>,
  say: (text: string) => void,
) => Promise<Result | undefined>;

interface HostCommand<O extends Options> extends Omit<Command, 'options' | 'details' | 'run'> {
  options: O;
  details?: string;
  exitWhenSettingsAreWrong?: number;
  /** Checks the command line; what it returns works with the service's own functions. */
  run(io: Io, args: Args<O>): Work | Promise<Work>;
}

/**
 * The service's expected failures are reported like every other error of this command; a wrong setting counts as a
 * usage error.
 */
export function hostCommand<const O extends Options>(command: HostCommand<O>): Command {
  const { details = '', exitWhenSettingsAreWrong = EXIT.usage } = command;
  return defineCommand({
    ...command,
    async details() {
      const { CONFIG_VARIABLES } = await server();
      const variables = listing(Object.entries(CONFIG_VARIABLES), '  ');
      return `${details && `${details}\n\n`}Configuration is read from the environment (default in brackets):\n\n${variables}`;
    },
    async run(io, args) {
      const work = await command.run(io, args);
      const host = await server();
      let result: Result | undefined;
      const code = await host.exitCodeOf(
        async () => {
          result = await work(host, (text) => io.stderr.write(`${text}\n`));
        },
        (fault) => {
          if (fault instanceof host.ConfigError)
            throw new UsageError(fault.message, exitWhenSettingsAreWrong);
          if (fault instanceof host.DatabaseError)
            throw new LocalError('unavailable', fault.message, undefined, EXIT.unreachable);
          const kind = fault instanceof host.OperatorError ? 'refused' : 'service_not_started';
          throw new LocalError(kind, fault.message);
        },
      );
      return code === EXIT.ok ? result : code;
    },
  });
}

const SHARDS = '32';

export const commands = [
  hostCommand({
    name: 'serve',
    summary: 'start the service',
    options: {},
    exitWhenSettingsAreWrong: EXIT.settings,
    run: (io) => async (host) => {
      await host.serveUntilStopped(io.env, io.signal);
      return undefined;
    },
  }),
  hostCommand({
    name: 'migrate',
    summary: 'bring the database up to date and stop',
    options: {
      plan: {
        type: 'boolean',
        summary:
          'print what it would do to which tables, for how long, and whether calls wait; changes nothing',
      },
      partitions: {
        type: 'string',
        placeholder: 'number',
        summary:
          'give the largest tables so many partitions by merchant, or by time, while the service works on',
      },
    },
    details: [
      'With --partitions the tables of payment requests and their events are copied into partitions by merchant, and',
      'those of webhooks and audit events into ranges of time, which retention drops one by one. Each copy is compared',
      'and exchanged. It may be interrupted: the next run continues. --partitions 0 takes away an unfinished copy.',
    ].join('\n'),
    run:
      (io, { values }) =>
      async (host, say) => {
        if (values.plan) {
          if (values.partitions !== undefined) throw new UsageError('--plan is about migrations alone.');
          const plan = await host.planMigration(io.env, say);
          return { document: plan, text: planText(plan) };
        }
        if (values.partitions === undefined) {
          const schema = await host.migrateDatabase(io.env, say);
          return { document: { schema }, text: `The database is at schema ${schema}.` };
        }
        const options = { progress: progressBar(io), signal: io.signal };
        const wanted = numberOf('partitions', values.partitions);
        const report = await host.partitionDatabase(io.env, wanted, say, options);
        const lines = [
          `The database is at schema ${report.schema}.`,
          ...(report.tables.length === 0 ? ['Unfinished copies were removed.'] : []),
          ...report.tables.map(
            ({ table, by, partitions, rows, isNew }) =>
              `${table} has ${partitions} partitions by ${by} ${isNew ? `now: ${rows} rows, every digest equal.` : 'already.'}`,
          ),
        ];
        return { document: report, text: lines.join('\n') };
      },
  }),
  hostCommand({
    name: 'distribute',
    summary: 'distribute the database over several machines by merchant, with the service stopped',
    options: {
      shards: {
        type: 'string',
        placeholder: 'number',
        summary: `so many parts of each table, spread over the machines (default ${SHARDS})`,
      },
    },
    details: [
      'DATABASE_URL leads to a Citus coordinator that knows its workers. Everything happens in one transaction. On a',
      'database that is distributed already it reports the layout, and distributes the tables that an earlier release left.',
    ].join('\n'),
    run:
      (io, { values }) =>
      async (host, say) => {
        const shards = numberOf('shards', values.shards ?? SHARDS);
        const report = await host.distributeDatabase(io.env, say, { shards, progress: tableCounter(io) });
        const { machines } = report;
        const lines = [
          `The database is at schema ${report.schema}.`,
          `It is distributed${report.isNew ? ' now' : ' already'}: ${report.shards} shards on ${machines.length === 1 ? 'one machine' : `${machines.length} machines`}.`,
          ...machines.map(({ host: name, port, shards: own }) => `  ${name}:${port}: ${own} shards`),
          ...(machines.some((machine) => machine.shards === 0)
            ? [
                'A machine has no shards. To move some there, run in the database: select citus_rebalance_start()',
              ]
            : []),
        ];
        return { document: report, text: lines.join('\n') };
      },
  }),
  hostCommand({
    name: 'config',
    summary: 'print the effective configuration without secrets',
    options: {},
    run: (io) => async (host) => {
      const document = host.effectiveConfig(io.env);
      return { document, text: JSON.stringify(document, null, 2) };
    },
  }),
];

type Plan = Awaited<ReturnType<Awaited<ReturnType<typeof server>>['planMigration']>>;
type Step = Plan['pending'][number]['steps'][number];

const WHAT_CALLS_NOTICE: Readonly<Record<Step['kind'], string>> = {
  catalogue: 'changes the catalogue, calls wait for milliseconds',
  builds: 'reads while calls continue',
  batches: 'goes through its rows in small batches while calls continue',
  rows: 'changes rows, calls that change one of them wait',
  blocks: 'holds calls back',
};

function planText({ schema, newest, pending }: Plan): string {
  if (pending.length === 0) return `The database is at schema ${schema}. Nothing is pending.`;
  const tableText = ({ name, rows, bytes }: Step['tables'][number], times: number) =>
    `${name}${times > 1 ? ` ${times} times` : ''} (${Math.round(rows)} rows, ${(bytes / 1e6).toFixed(1)} MB)`;
  const stepText = ({ kind, tables, seconds }: Step) => {
    const once = tables.filter(({ name }, index) => tables.findIndex((each) => each.name === name) === index);
    const names = once.map((table) =>
      tableText(table, tables.filter(({ name }) => name === table.name).length),
    );
    return `  ${WHAT_CALLS_NOTICE[kind]}${seconds > 0 ? `, about ${seconds} s` : ''}: ${names.join(', ')}`;
  };
  return [
    `The database is at schema ${schema}, this version has ${newest}. Row counts are those of the last ANALYZE.`,
    ...pending.flatMap(({ name, steps }) => [
      name,
      ...(steps.length > 0 ? steps.map(stepText) : ['  new tables and functions']),
    ]),
  ].join('\n');
}

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
