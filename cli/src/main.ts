#!/usr/bin/env node
import { constants, setPriority } from 'node:os';
import { runCommandLine } from './run.ts';
import { typedCommand } from './typed-command.ts';

const stop = new AbortController();
// Handles only the first signal: a second Ctrl-C ends the process without waiting.
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.once(name, () => stop.abort(new DOMException('Interrupted', 'AbortError')));

// A reader that has seen enough, such as `head`, closes the pipe; that is no error, but no one is left to read the output.
let isReaderGone = false;
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  isReaderGone = true;
  stop.abort(new DOMException('The output is closed', 'AbortError'));
});

const { env, stdout, stderr, stdin } = process;
const isColoured = stdout.isTTY === true && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
const exitCode = await runCommandLine(
  {
    stdout,
    stderr,
    stdin,
    env,
    signal: stop.signal,
    isColoured,
    columns: stderr.columns,
    typed: typedCommand(process.argv[1] ?? '', env),
    stepBack: () => setPriority(constants.priority.PRIORITY_LOW),
  },
  process.argv.slice(2),
);
process.exitCode = isReaderGone ? 0 : exitCode;
// Input that a command waited for must not keep the process after the command has ended.
stdin.destroy();
