import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { typedCommand } from './typed-command.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const runs = (command: string) =>
  promisify(execFile)('sh', ['-c', `${command} --version`], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'] },
  });

it('is the name where the command is on the PATH', () => {
  const PATH = '/usr/local/bin:/usr/bin';
  expect(typedCommand('/usr/local/bin/payassent', { PATH })).toBe('payassent');
  expect(typedCommand('/shop/node_modules/.bin/payassent', { PATH })).toMatch(/^node .*\.bin\/payassent$/);
});

it('is what works in the folder where npm or node started it', async () => {
  const folder = await mkdtemp(join(tmpdir(), "payassent's own "));
  onTestFinished(() => rm(folder, { recursive: true }));
  await symlink(resolve(ROOT, 'cli'), join(folder, 'cli'));
  for (const command of [
    typedCommand(resolve(ROOT, 'cli/bin/payassent.js'), { npm_command: 'run-script' }),
    typedCommand(resolve('cli/bin/payassent.js'), {}),
    typedCommand(join(folder, 'cli/bin/payassent.js'), {}),
  ])
    expect((await runs(command)).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});
