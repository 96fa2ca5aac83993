import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { readProcess } from './process-info.ts';

const compiled = fileURLToPath(new URL('../../dist/lib/parent-watch.js', import.meta.url));

/** Exits when its starter is gone, as the service does. */
const SERVICE = `
  const { watchStartingParent } = await import(process.argv[1]);
  watchStartingParent(() => process.exit(0));
  process.stdout.write(process.pid + '\\n');
  setInterval(() => {}, 1000);`;

/** Simulates npm: starts the service, perhaps through a shell that stays. */
const STARTER = `
  const { spawn } = require('node:child_process');
  const [shell, ...service] = process.argv.slice(1);
  if (shell === 'shell') spawn('sh', ['-c', '"$0" "$@"; true', ...service], { stdio: 'inherit' });
  else spawn(service[0], service.slice(1), { stdio: 'inherit' });
  setInterval(() => {}, 1000);`;

let starter: ChildProcess | undefined;
let servicePid = 0;

async function startService(way: 'shell' | 'direct'): Promise<void> {
  const service = [process.execPath, '--input-type=module', '-e', SERVICE, compiled];
  const child = spawn(process.execPath, ['-e', STARTER, way, ...service], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  starter = child;
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
  servicePid = Number(chunk.toString());
}

afterEach(() => {
  starter?.kill('SIGKILL');
  if (readProcess(servicePid) !== undefined) process.kill(servicePid, 'SIGKILL');
});

describe('the watch on the starting npm', () => {
  it.each(['direct', 'shell'] as const)(
    'ends the service within 2 s after npm was killed (%s)',
    async (way) => {
      await startService(way);
      starter?.kill('SIGKILL');
      await sleep(2000);
      expect(readProcess(servicePid)).toBeUndefined();
    },
  );

  it('leaves the service alone while npm lives', async () => {
    await startService('shell');
    await sleep(1500);
    expect(readProcess(servicePid)).toBeDefined();
  });
});
