import { type SpawnOptions, spawn } from 'node:child_process';

/** The search path for system tools; the caller's PATH is not trusted with a database. */
const TOOL_PATH = [
  '/usr/local/sbin',
  '/usr/local/bin',
  '/usr/sbin',
  '/usr/bin',
  '/sbin',
  '/bin',
  '/run/current-system/sw/bin',
].join(':');

/** A clean environment: none of the caller's PG*, LD_* or locale settings reach the database. */
export function toolEnvironment(): NodeJS.ProcessEnv {
  const environment = { PATH: TOOL_PATH, TZ: 'UTC', LC_ALL: 'C', LANG: 'C' };
  // Windows programs do not load without the system folder.
  return process.platform === 'win32'
    ? { ...environment, PATH: 'C:\\Windows\\System32;C:\\Windows', SystemRoot: 'C:\\Windows' }
    : environment;
}

export interface RunResult {
  /** Exit code; undefined when the program could not be started or was ended by a signal. */
  code: number | undefined;
  /** Why it could not be started (ENOENT, EPERM …). */
  startError: string | undefined;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  input?: string;
  timeoutMs: number;
  spawnOptions?: SpawnOptions;
}

/** Runs one program to its end; never throws. */
export function run(command: readonly string[], options: RunOptions): Promise<RunResult> {
  const [file = '', ...args] = command;
  return new Promise((resolve) => {
    const output = { stdout: '', stderr: '' };
    const child = spawn(file, args, {
      env: toolEnvironment(),
      // A Ctrl-C for the service must not kill a program halfway.
      detached: process.platform !== 'win32',
      windowsHide: true,
      ...options.spawnOptions,
      stdio: 'pipe',
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), options.timeoutMs);
    const finish = (code: number | undefined, startError: string | undefined) => {
      clearTimeout(timer);
      resolve({ code, startError, ...output });
    };
    child.stdout?.on('data', (chunk: Buffer) => {
      output.stdout += chunk.toString();
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      output.stderr += chunk.toString();
    });
    child.on('error', (error: NodeJS.ErrnoException) => finish(undefined, error.code ?? error.message));
    child.on('close', (code) => finish(code ?? undefined, undefined));
    // A program that does not read its input closes the pipe, which is expected.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(options.input ?? '');
  });
}
