import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

const PATIENCE_MS = 150_000;

/** Starts a node and waits until it answers; its end is the caller's to ask for. */
export async function startNode(
  program: string,
  args: readonly string[],
  isReady: () => Promise<unknown>,
): Promise<() => Promise<void>> {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let complaint = '';
  child.stderr.on('data', (chunk) => {
    complaint = `${complaint}${chunk}`.slice(-2000);
  });
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    if (await isReady().then(Boolean, () => false)) return () => stop(child);
    if (child.exitCode !== null || Date.now() > deadline) {
      await stop(child);
      throw new Error(`${program} did not start: ${complaint}`);
    }
    await sleep(200);
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const isOver = once(child, 'exit');
  child.kill('SIGKILL');
  await isOver;
}
