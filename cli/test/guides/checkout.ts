import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort } from '@payassent/test-kit/free-port';
import { ROOT } from './blocks.ts';
import { endGroup } from './script.ts';

/** A copy of the repository as a clone would be after `npm ci`: nothing compiled, dependencies there. */
export interface Checkout {
  folder: string;
  port: number;
  /** `npm start` in it; resolves when the service is healthy. */
  start(): Promise<Started>;
  remove(): void;
}

export interface Started {
  output(): string;
  /** As Ctrl-C does. npm ends by the signal too, so its exit code tells nothing. */
  stop(): Promise<void>;
}

export async function makeCheckout(): Promise<Checkout> {
  const folder = mkdtempSync(join(tmpdir(), 'payassent-clone-'));
  const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  // The built pages come along: they take long, and the service does not need them to start.
  for (const file of [...list.split('\0'), 'server/pages/app'].filter((name) =>
    existsSync(join(ROOT, name)),
  )) {
    if (file === '') continue;
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(ROOT, file), join(folder, file), { recursive: true });
  }
  linkDependencies(folder);
  const port = await freePort();
  return {
    folder,
    port,
    start: () => startIn(folder, port),
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** Installed packages are shared, our own are those of the copy. */
function linkDependencies(folder: string): void {
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '@payassent'), { recursive: true });
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (name !== '@payassent') symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  for (const name of readdirSync(join(ROOT, 'node_modules', '@payassent')))
    symlinkSync(join(folder, name), join(modules, '@payassent', name));
}

async function startIn(folder: string, port: number): Promise<Started> {
  const env = { PATH: process.env['PATH'], HOME: folder, SVC_PORT: String(port), NO_UPDATE_NOTIFIER: '1' };
  const child: ChildProcess = spawn('npm', ['start'], { cwd: folder, env, detached: true });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  const ended = once(child, 'exit');
  const stop = async (): Promise<void> => {
    // A terminal sends Ctrl-C to everything in its foreground.
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
      process.kill(-child.pid, 'SIGINT');
    const timer = setTimeout(() => endGroup(child.pid), 30_000);
    await ended;
    clearTimeout(timer);
    endGroup(child.pid);
  };
  for (const deadline = Date.now() + 120_000; Date.now() < deadline; ) {
    if (child.exitCode !== null || child.signalCode !== null) break;
    const health = await fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined);
    await health?.body?.cancel();
    if (health?.ok) return { output: () => text, stop };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await stop();
  throw new Error(`npm start did not lead to a service:\n${text}`);
}
