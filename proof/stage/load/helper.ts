import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { atEnd } from '../ending.ts';

/** A process of ours that does one job after the other. */
export interface Helper<Job, Result> {
  pid: number;
  ask(job: Job): Promise<Result>;
  end(): Promise<void>;
}

type Reply<Result> = { result: Result } | { fault: string };

export function startHelper<Job, Result>(file: URL): Helper<Job, Result> {
  const child = fork(fileURLToPath(file), [], { serialization: 'advanced' });
  const end = atEnd(() => endChild(child));
  return {
    pid: child.pid ?? 0,
    end,
    ask: (job) =>
      new Promise((resolve, reject) => {
        const gone = () => reject(new Error(`${file.pathname.split('/').at(-1)} ended before it responded`));
        child.once('exit', gone);
        child.once('message', (message) => {
          child.removeListener('exit', gone);
          const answer = message as Reply<Result>;
          if ('fault' in answer) reject(new Error(answer.fault));
          else resolve(answer.result);
        });
        child.send(job as object);
      }),
  };
}

async function endChild(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}

/** The other side. It ends with the process that started it. */
export function serveJobs<Job, Result>(work: (job: Job) => Promise<Result>): void {
  process.on('disconnect', () => process.exit());
  process.on('message', (job) => {
    work(job as Job).then(
      (result) => process.send?.({ result }),
      (error: unknown) =>
        process.send?.({ fault: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    );
  });
}
