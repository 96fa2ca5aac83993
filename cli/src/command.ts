import type { Fetch } from '@payassent/sdk';

/** The exit codes of `payassent`; documented in docs/guides/cli.md. */
export const EXIT = {
  ok: 0,
  /** The service refused, or the work failed. */
  refused: 1,
  /** The command line, a file or a setting is wrong; nothing was sent. */
  usage: 2,
  /** No usable response: not reachable, cut, or not in time. */
  unreachable: 3,
  /** It ended without success: rejected, expired, failed. */
  unfavourable: 4,
  /** `serve` alone: a setting is wrong, and starting again does not help (EX_CONFIG of sysexits.h). */
  settings: 78,
  /** Stopped by Ctrl-C or SIGTERM before it was done. */
  interrupted: 130,
} as const;

/** The streams, environment and folders of a command; only main.ts touches the process itself. */
export interface Io {
  stdout: TextSink;
  stderr: TextSink;
  /** Read whole when an option's value is `-`. */
  stdin: AsyncIterable<Uint8Array | string>;
  env: Readonly<Record<string, string | undefined>>;
  /** Aborted by the first Ctrl-C or SIGTERM; a command that waits ends then. */
  signal: AbortSignal;
  /** Whether human text may carry colours: a terminal, and no NO_COLOR. */
  isColoured: boolean;
  /** Of the terminal that human text goes to, when it is one. */
  columns?: number | undefined;
  /** The fetch of commands that narrate their calls; the platform's fetch otherwise. */
  fetch?: Fetch;
  /** What to type for this command where it was started; `payassent` where that is not known. */
  typed?: string;
  /** Lets everything else on the machine come first; absent where the process is not the command's alone. */
  stepBack?: () => void;
}

/** As much of a stream as commands need. */
interface TextSink {
  write(text: string): unknown;
}

/** One `--option`; `--json` and `--help` belong to every command and are not repeated. */
interface Option {
  type: 'string' | 'boolean';
  /** One line for the help. */
  summary: string;
  /** What the help shows in place of the value, such as `url`. */
  placeholder?: string;
  /** May be given several times. */
  multiple?: true;
}

export type Options = Readonly<Record<string, Option>>;

type ValueOf<O extends Option> = O['type'] extends 'boolean'
  ? boolean
  : O extends { multiple: true }
    ? string[]
    : string;

/** What was given on the command line, already checked against the command's options. */
export interface Args<O extends Options = Options> {
  values: { readonly [Name in keyof O]?: ValueOf<O[Name]> };
  positionals: readonly string[];
  /** Machine output on stdout: one JSON document, or one per line for streams. */
  isJson: boolean;
}

/** What a command came to: one JSON document under `--json`, otherwise the text. The exit code is 0 unless stated. */
export interface Result {
  document: object;
  text: string;
  exitCode?: number;
}

/** A result, an exit code where the output was written on the way, or nothing: done. */
export type Outcome = Result | number | undefined;

/** One command of `payassent`; the table of commands runs it and prints its help. */
export interface Command {
  /** The words that select it, such as `request create`. */
  name: string;
  /** One line for the list of commands. */
  summary: string;
  options: Options;
  /** What follows the options, for the usage line, such as `<request id>`; none are allowed without it. */
  positionals?: string;
  /** Paragraphs and examples below the options of `--help`. */
  details?: string | (() => Promise<string>);
  /** Throw `UsageError` for wrong usage; the caller reports the errors of calls. */
  run(io: Io, args: Args): Promise<Outcome>;
}

/** Gives `run` the types of the options it declares. */
export function defineCommand<const O extends Options>(
  command: Omit<Command, 'options' | 'run'> & {
    options: O;
    run(io: Io, args: Args<O>): Promise<Outcome>;
  },
): Command {
  // The parser fills `values` from these very options, so the narrower type holds.
  return command as unknown as Command;
}

/** The command line is wrong; printed with a pointer to the command's help, exit code 2 unless given. */
export class UsageError extends Error {
  override name = 'UsageError';
  readonly exitCode: number;
  constructor(message: string, exitCode: number = EXIT.usage) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Something outside the service went wrong, such as a file that cannot be written. */
export class LocalError extends Error {
  override name = 'LocalError';
  readonly code: string;
  readonly advice: string | undefined;
  readonly exitCode: number;
  constructor(code: string, message: string, advice?: string, exitCode: number = EXIT.refused) {
    super(message);
    this.code = code;
    this.advice = advice;
    this.exitCode = exitCode;
  }
}
