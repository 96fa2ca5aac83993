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
  options: {},
  details: variables,
  run: (io, { isJson }) =>
    guarded(async (cli) => {
      const level = await cli.migrateDatabase(io.env, (text) => io.stderr.write(`${text}\n`));
      line(io, isJson ? JSON.stringify({ schema: level }) : `The database is at schema ${level}.`);
    }),
});

export const config: Command = defineCommand({
  name: 'config',
  summary: 'print the effective configuration without secrets',
  options: {},
  details: variables,
  run: (io, { isJson }) =>
    guarded(async (cli) => line(io, JSON.stringify(cli.effectiveConfig(io.env), null, isJson ? 0 : 2))),
});
