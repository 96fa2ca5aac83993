import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Io } from '../../../cli/src/command.ts';
import { runCommandLine } from '../../../cli/src/run.ts';

const MAIN = fileURLToPath(new URL('../../../cli/dist/main.js', import.meta.url));

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
  /** Every line of stdout as JSON; throws when one is anything else. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read the lines member by member
  lines: any[];
}

export interface Running {
  child: ChildProcess;
  /** The first line of stdout that is JSON with this `type`. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  line(type: string): Promise<any>;
  ended: Promise<Ended>;
  /** Ends it as Ctrl-C does. */
  stop(): Promise<Ended>;
}

interface CommandOptions {
  env?: Record<string, string>;
  input?: string;
}

/** The compiled command with a temporary home, so that no profile of this machine is read or written. */
export interface PayAssent {
  (args: readonly string[], options?: CommandOptions): Promise<Ended>;
  start(args: readonly string[], options?: CommandOptions): Running;
  /** The same command line in this process: for what does not depend on being a process, at a tenth of the time. */
  here(args: readonly string[], options?: CommandOptions): Promise<Ended>;
  /** Where the profiles are. */
  folder: string;
  env: Record<string, string>;
  remove(): Promise<void>;
}

export async function payassent(baseUrl?: string): Promise<PayAssent> {
  const home = await mkdtemp(join(tmpdir(), 'payassent-cli-'));
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    XDG_CONFIG_HOME: home,
    ...(baseUrl === undefined ? {} : { PAYASSENT_BASE_URL: baseUrl }),
  };
  const start = (args: readonly string[], options: CommandOptions = {}) =>
    run(args, { ...env, ...options.env }, options.input);
  return Object.assign((args: readonly string[], options?: CommandOptions) => start(args, options).ended, {
    start,
    here: (args: readonly string[], options: CommandOptions = {}) =>
      runHere(args, { ...env, ...options.env }, options.input ?? ''),
    env,
    folder: join(home, 'payassent'),
    remove: () => rm(home, { recursive: true, force: true }),
  });
}

async function runHere(args: readonly string[], env: Record<string, string>, input: string): Promise<Ended> {
  let stdout = '';
  let stderr = '';
  const io: Io = {
    stdout: { write: (text) => (stdout += text) },
    stderr: { write: (text) => (stderr += text) },
    stdin: Readable.from([input]),
    env,
    signal: new AbortController().signal,
    isColoured: false,
  };
  const code = await runCommandLine(io, args);
  return endedWith({ code, signal: null, stdout, stderr });
}

function endedWith(facts: Omit<Ended, 'lines'>): Ended {
  return {
    ...facts,
    get lines() {
      return complete(facts.stdout).map((line) => JSON.parse(line));
    },
  };
}

function run(args: readonly string[], env: Record<string, string>, input: string | undefined): Running {
  const child = spawn(process.execPath, [MAIN, ...args], { env, stdio: ['pipe', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  const hearers = new Set<() => void>();
  const hear = () => {
    for (const hearer of hearers) hearer();
  };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    hear();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  // A command that ends early has no one left to read its input.
  child.stdin.on('error', () => undefined);
  if (input !== undefined) child.stdin.end(input);
  const ended = once(child, 'close').then(([code, signal]): Ended => {
    hear();
    return endedWith({ code, signal, stdout, stderr });
  });
  return {
    child,
    ended,
    line: (type) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = complete(stdout).find((line) => JSON.parse(line).type === type);
          if (found !== undefined) resolve(JSON.parse(found));
          else if (child.exitCode !== null || child.signalCode !== null)
            reject(new Error(`It ended without "${type}":\n${stdout}${stderr}`));
          else return;
          hearers.delete(look);
        };
        hearers.add(look);
        look();
      }),
    async stop() {
      child.kill('SIGINT');
      return ended;
    },
  };
}

function complete(text: string): string[] {
  return text.split('\n').slice(0, -1);
}

/** The line that a development world prints when it is ready. */
export interface ReadyWorld {
  pid: number;
  /** What to type next. */
  next: string;
  service: string;
  payees: [Payee, Payee];
  link_code: string;
  webhooks: string;
  viewer: string;
}

interface Payee {
  recipient_id: string;
  name: string;
}
