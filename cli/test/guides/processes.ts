import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** A program in a separate process group: what it leaves in the background ends with it. */
export interface Started {
  /** Everything it printed. */
  output(): string;
  hasEnded(): boolean;
  /** Resolves with its exit code when it has ended, or was killed after so many milliseconds. */
  ended(withinMs: number): Promise<number | null>;
  /** As Ctrl-C does, then kills what is left of the group. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

const PATIENCE_MS = 30_000;

export function startGroup(
  [program = '', ...args]: readonly string[],
  options: { cwd: string; env: Record<string, string | undefined> },
): Started {
  const child = spawn(program, args, { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  const exited = once(child, 'exit');
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const signalGroup = (signal: NodeJS.Signals) => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, signal);
    } catch {
      // Every process of the group has exited without being stopped.
    }
  };
  const ended = async (withinMs: number) => {
    const timer = setTimeout(() => {
      text += `\nnot done within ${withinMs} ms\n`;
      signalGroup('SIGKILL');
    }, withinMs);
    await exited;
    clearTimeout(timer);
    signalGroup('SIGKILL');
    return child.exitCode;
  };
  return {
    output: () => text,
    hasEnded,
    ended,
    async stop(signal = 'SIGINT') {
      if (!hasEnded()) signalGroup(signal);
      await ended(PATIENCE_MS);
    },
  };
}
