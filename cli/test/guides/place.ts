import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@payassent/world';
import { DEV_PORTS, type DevWorld, startDevWorld } from '../../../world/src/dev/dev-world.ts';
import { ROOT } from './blocks.ts';

/** A folder that looks to a reader like the repository after `npm ci && npm run build`, with `dev:world` running. */
export interface Place {
  folder: string;
  env: Record<string, string>;
  replacements: ReadonlyMap<string, string>;
  world: DevWorld;
  remove(): Promise<void>;
}

export async function createPlace(): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'payassent-guides-'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const ports = { ...DEV_PORTS };
  for (const name of Object.keys(ports) as (keyof typeof DEV_PORTS)[]) {
    Object.assign(ports, { [name]: await freePort() });
  }
  const world = await startDevWorld({ dataDir: join(folder, 'data', 'world'), ports, say: () => undefined });
  const replacements = new Map(
    Object.entries(DEV_PORTS).map(([name, port]) => [
      `127.0.0.1:${port}`,
      `127.0.0.1:${ports[name as keyof typeof ports]}`,
    ]),
  );
  // Of `webhooks listen` in the guide of the command.
  const listener = String(await freePort());
  replacements.set('--port 4400', `--port ${listener}`).set('127.0.0.1:4400', `127.0.0.1:${listener}`);
  return {
    folder,
    env: readerEnv(folder),
    replacements,
    world,
    async remove() {
      await world.stop();
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** What a reader's shell has; nothing of the machine's own settings reaches the commands. */
export function readerEnv(folder: string): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', HOME: folder, TMPDIR: tmpdir(), LANG: 'C.UTF-8' };
}
