import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { freePort } from '@payassent/world';
import type { Entry } from '../../src/demo/entries.ts';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

export interface DemoProcess {
  child: ChildProcess;
  entries: Entry[];
  output(): string;
  /** Resolves when an entry matches. */
  until(matches: (entry: Entry) => boolean): Promise<void>;
  /** Answers the exit code. */
  ended: Promise<number | null>;
  /** Names of whatever it left: folders, processes, listeners. */
  leftovers(): Promise<string[]>;
  /** Ends it, whatever it does. */
  cleanUp(): Promise<void>;
}

/** `payassent demo --json` as a real process with a folder for temporary files of its own. */
export async function startDemo(
  args: readonly string[],
  place: { port?: number; baseUrl?: string } = {},
): Promise<DemoProcess> {
  const temporary = await mkdtemp(join(tmpdir(), 'demo-test-'));
  const port = place.port ?? (await freePort());
  const child = spawn(
    process.execPath,
    [
      MAIN,
      'demo',
      '--json',
      `--port=${port}`,
      ...(place.baseUrl === undefined ? [] : [`--base-url=${place.baseUrl}`]),
      ...args,
    ],
    { env: { PATH: process.env['PATH'], TMPDIR: temporary }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const entries: Entry[] = [];
  const lookers = new Set<() => void>();
  let text = '';
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
  createInterface({ input: child.stdout }).on('line', (line) => {
    text += `${line}\n`;
    entries.push(JSON.parse(line));
    for (const look of lookers) look();
  });
  const ended = once(child, 'close').then(() => child.exitCode);
  return {
    child,
    entries,
    output: () => text,
    ended,
    until: (matches) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (!entries.some(matches)) return;
          lookers.delete(look);
          resolve();
        };
        lookers.add(look);
        ended.then(() => reject(new Error(`It ended before:\n${text}`)));
        look();
      }),
    leftovers: async () => [
      ...(await readdir(temporary)),
      ...(await processesOf(temporary)),
      ...((await isListening(port)) ? [`a listener on ${port}`] : []),
    ],
    async cleanUp() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await ended;
      await rm(temporary, { recursive: true, force: true });
    },
  };
}

/** Everything it starts has the folder in its environment or on its command line. */
async function processesOf(folder: string): Promise<string[]> {
  if (process.platform !== 'linux') return [];
  const found: string[] = [];
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const texts = await Promise.all(
      ['environ', 'cmdline'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')),
    );
    if (texts.some((content) => content.includes(folder))) found.push(`process ${pid}: ${texts[1]}`);
  }
  return found;
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
