import { spawn } from 'node:child_process';
import { toolEnvironment } from './run.ts';

/**
 * Reads until end of input, which the system closes when the service exits for whatever reason; then requests a fast
 * shutdown of the server. A line on the input means that the service stopped the server itself.
 */
const SCRIPT = 'read -r word; test "$word" = stopped || kill -INT "$1"';

export interface OwnerWatch {
  /** Call when the server has ended; safe to call twice. */
  end(): Promise<void>;
}

/** Makes sure that a server does not outlive a service that was killed. */
export function stopServerWithOwner(serverPid: number): OwnerWatch {
  // Windows has no such shell; there the next start ends what was left.
  if (process.platform === 'win32') return { end: async () => undefined };
  const child = spawn('/bin/sh', ['-c', SCRIPT, 'payassent-database-watch', String(serverPid)], {
    env: toolEnvironment(),
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  child.stdin.on('error', () => undefined);
  child.unref();
  return {
    end() {
      child.ref();
      if (!child.stdin.writableEnded) child.stdin.end('stopped\n');
      return ended;
    },
  };
}
