import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@payassent/proof/free-port';
import { payassent, type ReadyWorld } from '@payassent/proof/service/command';
import { ROOT } from './blocks.ts';

/**
 * A folder that a reader cannot distinguish from the repository after `npm ci && npm run build`, with `npm run dev`
 * running.
 */
export interface Place {
  folder: string;
  env: Record<string, string>;
  replacements: ReadonlyMap<string, string>;
  remove(): Promise<void>;
}

export async function createPlace(): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'payassent-guides-'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const command = await payassent();
  // The reader's own home, where commands find the profile, and the reader's folder, where programs find `.env`.
  const env = { ...readerEnv(folder), XDG_CONFIG_HOME: join(folder, '.config') };
  const dev = command.start(['dev', '--json', '--folder', folder], { env });
  const { service, viewer, webhooks }: ReadyWorld = await dev.line('ready');
  // The port of `webhooks listen` in the guide of the command.
  const listener = String(await freePort());
  const host = (url: string) => new URL(url).host;
  return {
    folder,
    env: readerEnv(folder),
    replacements: new Map([
      ['127.0.0.1:8787', host(service)],
      ['127.0.0.1:8826', host(viewer)],
      ['127.0.0.1:8827', host(webhooks)],
      ['--port 4400', `--port ${listener}`],
      ['127.0.0.1:4400', `127.0.0.1:${listener}`],
    ]),
    async remove() {
      await dev.stop();
      await command.remove();
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** What a reader's shell has; nothing of the machine's own settings reaches the commands. */
export function readerEnv(folder: string): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', HOME: folder, TMPDIR: tmpdir(), LANG: 'C.UTF-8' };
}
