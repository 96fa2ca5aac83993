import { type ParseArgsConfig, parseArgs } from 'node:util';
import { type Args, type Command, EXIT, type Io, UsageError } from './command.ts';
import { helpFor, overview, readVersion } from './help.ts';
import { createOutput, harmless, plain } from './output.ts';
import { COMMANDS } from './registry.ts';

/** Runs the command line; returns the exit code. */
export async function runCommandLine(io: Io, line: readonly string[]): Promise<number> {
  if (line[0] === 'help' && nameIn(line.slice(1)) !== undefined)
    return runCommandLine(io, [...line.slice(1), '--help']);
  const name = nameIn(line);
  if (name === undefined) return withoutCommand(io, line);
  const command = await COMMANDS[name]?.();
  if (!command) throw new Error(`The command ${name} is not in the table`);
  const isJson = line.includes('--json');
  try {
    const { isHelp, args } = parse(command, line.slice(name.split(' ').length));
    if (isHelp) {
      io.stdout.write(`${await helpFor(command)}\n`);
      return EXIT.ok;
    }
    const outcome = (await command.run(io, args)) ?? EXIT.ok;
    if (typeof outcome === 'number') return outcome;
    createOutput(io, isJson).result(outcome.document, outcome.text);
    return outcome.exitCode ?? EXIT.ok;
  } catch (error) {
    return tell(io, error, isJson, command);
  }
}

/** The longest command that the line begins with. */
function nameIn(line: readonly string[]): string | undefined {
  return Object.keys(COMMANDS)
    .filter((candidate) => candidate.split(' ').every((word, index) => line[index] === word))
    .sort((left, right) => right.length - left.length)[0];
}

async function withoutCommand(io: Io, line: readonly string[]): Promise<number> {
  if (line[0] === '--version') {
    const version = readVersion();
    createOutput(io, line.includes('--json')).result({ version }, version);
    return EXIT.ok;
  }
  const words = line.filter((word, index) => !word.startsWith('-') && (index > 0 || word !== 'help'));
  const asksForHelp =
    line.length === 0 || line[0] === 'help' || line.includes('--help') || line.includes('-h');
  const commands = await Promise.all(Object.values(COMMANDS).map((load) => load()));
  const group = commands.filter(({ name }) => name.startsWith(`${words[0]} `));
  if (asksForHelp && (words.length === 0 || group.length > 0)) {
    io.stdout.write(`${overview(group.length > 0 ? group : commands)}\n`);
    return EXIT.ok;
  }
  const message =
    group.length > 0
      ? `${words[0]} needs one of: ${group.map(({ name }) => name.slice(words[0]?.length).trim()).join(', ')}`
      : `Unknown command: ${words[0] ?? line[0]}`;
  return tell(io, new UsageError(message), line.includes('--json'));
}

function parse(command: Command, line: readonly string[]): { isHelp: boolean; args: Args } {
  const options: NonNullable<ParseArgsConfig['options']> = {
    json: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  };
  for (const [name, { type, multiple }] of Object.entries(command.options))
    options[name] = { type, ...(multiple ? { multiple } : {}) };
  let parsed: ReturnType<typeof parseArgs>;
  try {
    parsed = parseArgs({ args: [...line], options, allowPositionals: command.positionals !== undefined });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  const { json, help, ...values } = parsed.values as Args['values'] & { json?: boolean; help?: boolean };
  return {
    isHelp: help === true,
    args: { values, positionals: parsed.positionals, isJson: json === true },
  };
}

/** Reports an error to programs or people. An unexpected error is a defect and is rethrown with its stack. */
async function tell(io: Io, error: unknown, isJson: boolean, command?: Command): Promise<number> {
  if (error instanceof UsageError) {
    const hint = `${io.typed ?? 'payassent'} ${command ? `${command.name} ` : ''}--help explains how it is used.`;
    if (isJson) writeError(io, { code: 'usage', message: error.message });
    else io.stderr.write(`${harmless(error.message)}\n${hint}\n`);
    return error.exitCode;
  }
  if (io.signal.aborted) return EXIT.interrupted;
  // Loaded only now: a command that succeeds may not need the SDK at all.
  const { faultOf } = await import('./faults.ts');
  const fault = faultOf(error);
  if (!fault) throw error;
  if (isJson) {
    writeError(io, { ...fault.error, ...(fault.advice ? { advice: fault.advice } : {}) });
    return fault.exitCode;
  }
  const { code, message, request_id, issues } = fault.error;
  // Everything here may come from a server that is not what it claims to be.
  const lines = [`${plain(code)}: ${plain(message)}`];
  for (const issue of (issues as { field: string; code: string; message: string }[] | undefined) ?? [])
    lines.push(`  ${plain(issue.field)}: ${plain(issue.message)} (${plain(issue.code)})`);
  if (fault.advice) lines.push(harmless(fault.advice));
  if (typeof request_id === 'string') lines.push(`Request id: ${plain(request_id)}`);
  io.stderr.write(`${lines.join('\n')}\n`);
  return fault.exitCode;
}

function writeError(io: Io, error: object): void {
  io.stdout.write(`${JSON.stringify({ ok: false, error })}\n`);
}
