import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../free-port.ts';

const PATIENCE_MS = 150_000;
const ATTEMPTS = 3;

interface RunningNode {
  url: string;
  stop(): Promise<void>;
}

/**
 * Starts a node and waits until it responds. A free port may be taken before the node binds it: then it gets another
 * one.
 */
export async function startNode(
  program: string,
  argsOf: (port: number) => readonly string[],
  isReady: (url: string) => Promise<unknown>,
): Promise<RunningNode> {
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    try {
      return { url, stop: await start(program, argsOf(port), () => isReady(url)) };
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
    }
  }
}

async function start(
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
    const answers = await isReady().then(Boolean, () => false);
    if (answers && child.exitCode === null) return () => stop(child);
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
