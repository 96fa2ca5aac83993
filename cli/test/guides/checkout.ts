import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@payassent/proof/free-port';
import { ROOT } from './blocks.ts';
import { type Started, startGroup } from './processes.ts';

/** A copy of the repository as a clone would be after `npm ci`: nothing compiled, dependencies there. */
export interface Checkout {
  folder: string;
  port: number;
  /** `npm start` in it; resolves when the service is healthy. */
  start(): Promise<Started>;
  remove(): void;
}

/** The built pages come along: they take long, and the service does not need them to start. */
const COPY =
  '{ git ls-files -z --cached --others --exclude-standard; printf "server/pages/app\\0"; } | tar -c --null --ignore-failed-read -T - 2>/dev/null | tar -x -C "$0"';

export async function makeCheckout(): Promise<Checkout> {
  const folder = mkdtempSync(join(tmpdir(), 'payassent-clone-'));
  execFileSync('sh', ['-c', COPY, folder], { cwd: ROOT });
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

/** npm may end by a signal too, so its exit code proves nothing. */
async function startIn(folder: string, port: number): Promise<Started> {
  const env = { PATH: process.env['PATH'], HOME: folder, SVC_PORT: String(port), NO_UPDATE_NOTIFIER: '1' };
  const started = startGroup(['npm', 'start'], { cwd: folder, env });
  for (const deadline = Date.now() + 120_000; Date.now() < deadline && !started.hasEnded(); ) {
    const health = await fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined);
    await health?.body?.cancel();
    if (health?.ok) return started;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await started.stop();
  throw new Error(`npm start did not lead to a service:\n${started.output()}`);
}
