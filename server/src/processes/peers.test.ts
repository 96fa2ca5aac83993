import cluster from 'node:cluster';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { countServingWorkers } from './peers.ts';

/** Serves, and echoes what it receives. */
const WORKER = `
  process.on('message', (heard) => process.send({ heard }));
  setInterval(() => process.send({ type: 'svc:serving', isServing: true }), 50);
`;

it('workers that serve wait for one that does not come up, but not for good', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'peers-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const script = join(folder, 'worker.cjs');
  await writeFile(script, WORKER);
  const heard: { serving: number; haveStarted: boolean }[] = [];
  cluster.on('message', (_worker, message: { heard?: (typeof heard)[number] }) => {
    if (message.heard) heard.push(message.heard);
  });
  countServingWorkers(2, 500);
  cluster.setupPrimary({ exec: script, args: [], execArgv: [] });
  const worker = cluster.fork();
  onTestFinished(() => void worker.process.kill('SIGKILL'));
  await expect.poll(() => heard[0], { timeout: 10_000 }).toMatchObject({ serving: 1, haveStarted: false });
  await expect.poll(() => heard.at(-1), { timeout: 10_000 }).toMatchObject({ serving: 1, haveStarted: true });
});
