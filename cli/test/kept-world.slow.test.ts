// Slow: starts a dev world twice.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type PayAssent, payassent, type ReadyWorld, type Running } from '@payassent/proof/service/command';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let cli: PayAssent;
let folder: string;
let shop: string;
let world: Running | undefined;
let ready: ReadyWorld;
beforeAll(async () => {
  cli = await payassent();
  folder = await mkdtemp(join(tmpdir(), 'kept-'));
  shop = join(folder, 'shop');
  await mkdir(shop);
  await git('init', '--quiet');
});
afterAll(async () => {
  await world?.stop();
  await cli.remove();
  await rm(folder, { recursive: true, force: true });
});

const git = async (...args: string[]) => (await promisify(execFile)('git', ['-C', folder, ...args])).stdout;

async function start(): Promise<ReadyWorld> {
  world = cli.start(['dev', '--keep', '--json', '--folder', shop]);
  ready = await world.line('ready');
  return ready;
}

async function here(...args: string[]) {
  const { code, lines, stderr } = await cli.here([...args, '--profile', 'dev', '--json']);
  return { code, stderr, ...lines.at(-1) };
}

describe('payassent dev --keep', () => {
  it('continues where it was stopped: data, tokens, addresses, records, secrets and the clock', async () => {
    const first = await start();
    const { payment_request } = await here('trigger', 'created');
    await fetch(`${first.viewer}/txt/_svc-challenge.tea.example`, { method: 'PUT', body: 'kept' });
    await here('dev', 'clock', '+3h');
    expect((await world?.stop())?.code).toBe(0);
    expect((await readdir(cli.folder)).sort()).toEqual(['dev.data', 'dev.json', 'dev.key']);
    expect((await cli(['dev', '--no-files'])).stderr).toContain('continue it with --keep');

    const second = await start();
    expect({ ...second, pid: 0, link_code: '' }).toEqual({ ...first, pid: 0, link_code: '' });
    const { request_id } = payment_request;
    expect(await here('request', 'get', request_id)).toMatchObject({ payment_request: { request_id } });
    expect(await (await fetch(`${second.viewer}/txt`)).text()).toContain(
      '_svc-challenge.tea.example TXT "kept"',
    );
    expect((await here('dev', 'clock')).offset_ms).toBeGreaterThan(3 * 3_600_000 - 60_000);
    // The webhooks of try are genuine, the session is renewed, the chain continues.
    expect((await cli(['try', '--json'])).lines.at(-1)).toMatchObject({ status: 'confirmed' });
    expect((await here('merchant', 'payee', 'list')).recipients).toHaveLength(2);
    expect(await here('trigger', 'settlement-updated')).toMatchObject({
      payment_request: { settlement: { state: 'final' } },
    });
  });

  it('names a command that works where it was started', async () => {
    const { stdout } = await promisify(execFile)('sh', ['-c', ready.next], { env: cli.env });
    expect(stdout).toMatch(/^done .*confirmed$/m);
  });

  it('lets git ignore the files with the token, and takes that back at the end', async () => {
    const before = await readFile(join(folder, '.git/info/exclude'), 'utf8');
    expect(before).toContain('/shop/.env\n/shop/.mcp.json\n');
    expect(await git('status', '--porcelain')).toBe('');
    await world?.stop();
    world = undefined;
    expect(await readFile(join(folder, '.git/info/exclude'), 'utf8')).toBe(
      before.replace('/shop/.env\n/shop/.mcp.json\n', ''),
    );
  });
});
