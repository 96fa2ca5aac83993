import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { typedCommand } from './typed-command.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const runs = (command: string) =>
  promisify(execFile)('sh', ['-c', `${command} --version`], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'] },
  });

it('is the name where the command is on the PATH', () => {
  expect(typedCommand('/usr/local/bin/payassent', {})).toBe('payassent');
});

it('is what works in the folder where npm or node started it', async () => {
  for (const command of [
    typedCommand(resolve(ROOT, 'cli/bin/payassent.js'), { npm_command: 'run-script' }),
    typedCommand(resolve('cli/bin/payassent.js'), {}),
  ])
    expect((await runs(command)).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});
