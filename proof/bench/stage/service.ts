import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@payassent/world';
import { ROOT } from '../../stage/root.ts';
import type { Disposal } from '../disposal.ts';
import { endChild } from '../helper.ts';

const MAIN = join(ROOT, 'server/dist/main.js');
const BESIDE = new URL('./beside-service.js', import.meta.url).href;
const READY_MS = 60_000;

/** Sealed webhook secrets are seeded, so the bench has to know the key. It guards nothing but made-up rows. */
export const MASTER_KEY = Buffer.alloc(32, 9);

/** The compiled service in a process of its own. */
export interface Service {
  port: number;
  pid: number;
  /** From the start of the process to the first good answer of /health. */
  startMs: number;
  stop(): Promise<void>;
  /** Samples of the main thread while something is done. */
  profiled(work: () => Promise<unknown>): Promise<CpuProfile>;
}

export interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[];
  samples: number[];
  timeDeltas: number[];
}

export interface ServiceOptions {
  /** Absent: the service brings its own embedded PostgreSQL. */
  databaseUrl?: string;
  dataDir?: string;
  env?: Readonly<Record<string, string>>;
}

/** As `npm start`, the image and the unit have it. */
const NODE_FLAGS = ['--max-semi-space-size=32'];

export async function startService(disposal: Disposal, options: ServiceOptions): Promise<Service> {
  const port = await freePort();
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'payassent-bench-data-')));
  const startedMs = performance.now();
  const child = spawn(process.execPath, [...NODE_FLAGS, '--import', BESIDE, MAIN], {
    env: {
      PATH: process.env['PATH'],
      TMPDIR: process.env['TMPDIR'],
      ...(options.databaseUrl === undefined ? {} : { DATABASE_URL: options.databaseUrl }),
      SVC_DATA_DIR: dataDir,
      SVC_MASTER_KEY: MASTER_KEY.toString('base64'),
      SVC_PORT: String(port),
      SVC_LOG_LEVEL: 'warn',
      ...options.env,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output = `${output}${chunk.toString()}`.slice(-4000);
    });
  const stop = disposal.add(async () => {
    const killer = setTimeout(() => child.kill('SIGKILL'), 20_000);
    await endChild(child, 'SIGTERM');
    clearTimeout(killer);
    if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
  });
  const isOver = () => child.exitCode !== null || child.signalCode !== null;
  while (!(await isHealthy(port))) {
    if (isOver()) throw new Error(`The service ended:\n${output}`);
    if (performance.now() - startedMs > READY_MS)
      throw new Error(`The service was not ready in time:\n${output}`);
    await sleep(10);
  }
  const order = async (text: string): Promise<unknown> => {
    const answered = once(child, 'message') as Promise<[{ profile: unknown }]>;
    child.send(text);
    return (await answered)[0].profile;
  };
  return {
    port,
    pid: child.pid ?? 0,
    startMs: performance.now() - startedMs,
    stop,
    async profiled(work) {
      await order('start profile');
      await work();
      return (await order('stop profile')) as CpuProfile;
    },
  };
}

async function isHealthy(port: number): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined);
  await answer?.arrayBuffer().catch(() => undefined);
  return answer?.status === 200;
}
