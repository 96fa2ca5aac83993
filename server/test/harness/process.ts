import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Env } from '../../src/config.ts';
import { type Caller, createCaller } from './client.ts';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

/** The compiled service in a process of its own: for races between processes, crashes and signals. */
export interface ServiceProcess {
  url: string;
  call: Caller;
  child: ChildProcess;
  output(): string;
  /** Sends a signal and waits for the end; answers the exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

export async function startProcess(
  env: Env,
  options: { readyWithinMs?: number } = {},
): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH: process.env['PATH'], TMPDIR: process.env['TMPDIR'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const exited = once(child, 'exit');
  const url = env['SVC_BASE_URL'] ?? `http://127.0.0.1:${env['SVC_PORT']}`;
  const handle: ServiceProcess = {
    url,
    call: createCaller(url),
    child,
    output: () => text,
    async end(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      await exited;
      return child.exitCode;
    },
  };
  await untilReady(handle, options.readyWithinMs ?? 20_000);
  return handle;
}

async function untilReady(service: ServiceProcess, withinMs: number): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (Date.now() < deadline) {
    if (service.child.exitCode !== null || service.child.signalCode !== null)
      throw new Error(`The service ended:\n${service.output()}`);
    const health = await service.call('GET', '/health').catch(() => undefined);
    if (health?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  service.child.kill('SIGKILL');
  throw new Error(`The service was not ready in time:\n${service.output()}`);
}
