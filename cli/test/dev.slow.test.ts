// Slow: starts a whole dev world and pays in it.
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PayAssent, payassent, type ReadyWorld, type Running } from '@payassent/proof/service/command';
import { DEV_PORTS, startServiceProcess } from '@payassent/world';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const OWN_ENV = 'MINE=1\n';
const OWN_MCP = `${JSON.stringify({ mcpServers: { other: { command: 'true' } } }, null, 2)}\n`;

let cli: PayAssent;
let world: Running;
let ready: ReadyWorld;
let folder: string;
let temporary: string;
const taken: Server[] = [];
const inProject = (name: string) => join(folder, name);
const settle = { timeout: 60_000 };

/** A port that another program has already is as taken as one that this test takes. */
async function take(port: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const server = createServer((socket) => socket.destroy()).on('error', () => resolve());
    server.listen(port, '127.0.0.1', () => {
      taken.push(server);
      resolve();
    });
  });
}

beforeAll(async () => {
  for (const port of Object.values(DEV_PORTS)) await take(port);
  cli = await payassent();
  folder = await mkdtemp(join(tmpdir(), 'dev-project-'));
  temporary = await mkdtemp(join(tmpdir(), 'dev-data-'));
  await writeFile(inProject('.env'), OWN_ENV);
  await writeFile(inProject('.mcp.json'), OWN_MCP);
  world = cli.start(['dev', '--json', '--folder', folder], { env: { TMPDIR: temporary } });
  ready = await world.line('ready');
});
afterAll(async () => {
  await world.stop();
  for (const server of taken) server.close();
  await cli.remove();
  for (const made of [folder, temporary]) await rm(made, { recursive: true, force: true });
});

describe('payassent dev and try', () => {
  it('has everything for a first payment, with every usual port taken', async () => {
    expect(ready.service).not.toContain(`:${DEV_PORTS.service}`);
    expect(ready.payees).toHaveLength(2);
    expect(ready.link_code).toMatch(/^svc_lc_/);
    const shown = await cli(['profiles', 'show', '--profile', 'dev', '--json']);
    expect(shown.lines[0]).toMatchObject({ base_url: ready.service });
    expect((await cli(['agent', 'token', '--profile', 'dev'])).stdout).toMatch(/^svc_at_/);
    const page = await fetch(`${ready.service}/health`);
    expect(page.status).toBe(200);
  });

  it('writes .env for programs and .mcp.json for models beside what stands in them', async () => {
    const env = await readFile(inProject('.env'), 'utf8');
    expect(env).toContain(OWN_ENV);
    expect(env).toContain(`PAYASSENT_BASE_URL=${ready.service}\n`);
    expect(env).toMatch(/^PAYASSENT_CONNECTION_TOKEN=svc_ct_/m);
    expect(env).toContain(`PAYASSENT_RECIPIENT_ID=${ready.payees[0].recipient_id}\n`);
    const { mcpServers } = JSON.parse(await readFile(inProject('.mcp.json'), 'utf8'));
    expect(mcpServers.other).toEqual({ command: 'true' });
    expect(mcpServers.payassent).toMatchObject({ env: { PAYASSENT_PROFILE: 'dev' } });
    expect(existsSync(mcpServers.payassent.args[0])).toBe(true);
  });

  it('pays from the first word to the proof in one command and ten lines', async () => {
    const told = await cli(['try']);
    expect(told.code, told.stderr).toBe(0);
    const lines = told.stdout.trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(10);
    expect(lines.at(-1)).toMatch(/^done .*confirmed$/);
    const { lines: steps } = await cli(['try', '--json']);
    expect(steps.map(({ step }) => step)).toEqual([
      'service',
      'asked',
      'shown',
      'approved',
      'sent',
      'confirmed',
      'heard',
      'verified',
      'done',
    ]);
    expect(steps.find(({ step }) => step === 'heard').webhooks).toContain('confirmed');
    const { claims } = steps.find(({ step }) => step === 'verified');
    expect(claims).toEqual(expect.arrayContaining(['service_signature', 'facts', 'final_logged']));
  });

  it('is not led elsewhere by variables of the shell', async () => {
    const env = { PAYASSENT_BASE_URL: 'http://127.0.0.1:1', PAYASSENT_CONNECTION_TOKEN: 'svc_ct_other' };
    expect((await cli(['try', '--json'], { env })).code).toBe(0);
  });

  it('refuses a second world of the same name, and a profile that is somebody’s', async () => {
    const second = await cli(['dev', '--no-files']);
    expect(second.code).toBe(2);
    expect(second.stderr).toContain('A world runs under the name dev already');
    await cli(['profiles', 'set', '--profile', 'mine', '--agent-id', 'agt_1']);
    expect((await cli(['dev', '--no-files', '--profile', 'mine'])).stderr).toContain('Profile mine is yours');
  });

  it('moves its clock: a pending request expires, the webhook is genuine, and agents still sign in', async () => {
    const recipient = ready.payees[1].recipient_id;
    const line = ['request', 'create', '--profile', 'dev', '--recipient', recipient, '--amount', '1'];
    const created = await cli([...line, '--expires-in', '1h', '--json']);
    const { request_id } = created.lines[0].payment_request;
    const moved = await cli(['dev', 'clock', '+2h', '--json']);
    expect(moved.lines[0].offset_ms).toBeGreaterThan(7_000_000);
    const status = async () =>
      (await cli(['request', 'get', request_id, '--profile', 'dev', '--json'])).lines[0].payment_request
        .status;
    await expect.poll(status, settle).toBe('expired');
    const heard = async () => await (await fetch(`${ready.webhooks}/webhooks.json`)).json();
    const expired = expect.objectContaining({
      verdict: 'genuine',
      event: expect.objectContaining({ type: 'payment_request.expired' }),
    });
    await expect.poll(heard, settle).toContainEqual(expired);
    expect((await cli(['agent', 'token', '--profile', 'dev'])).code).toBe(0);
    expect((await (await fetch(`${ready.service}/health`)).json()).checks.clock_skew_ms).toBeLessThan(60_000);
    expect((await cli(['dev', 'clock', 'yesterday'])).code).toBe(2);
    expect((await cli(['try', '--json'])).code).toBe(0);
  });

  it('ends at Ctrl-C with nothing left: no process, no profile, no data, files as they were', async () => {
    const ended = await world.stop();
    expect(ended.code, ended.stderr).toBe(0);
    expect(await readFile(inProject('.env'), 'utf8')).toBe(OWN_ENV);
    expect(await readFile(inProject('.mcp.json'), 'utf8')).toBe(OWN_MCP);
    expect((await readdir(cli.folder)).sort()).toEqual(['mine.json']);
    expect(await readdir(temporary)).toEqual([]);
    await expect(fetch(`${ready.service}/health`)).rejects.toThrow();
    expect((await cli(['dev', 'clock', '+1h'])).code).toBe(2);
  });

  it('try without a world makes one for this payment and removes it', async () => {
    const told = await cli(['try', '--json'], { env: { TMPDIR: temporary } });
    expect(told.code, told.stdout + told.stderr).toBe(0);
    expect(told.lines.at(-1)).toMatchObject({ step: 'done', status: 'confirmed' });
    expect(await readdir(temporary)).toEqual([]);
    expect((await readdir(cli.folder)).sort()).toEqual(['mine.json']);
  });
});

describe('a service that no dev world has started', () => {
  it('has no clock that can be moved', async () => {
    const service = await startServiceProcess();
    try {
      await expect(service.advance(3_600_000)).rejects.toThrow('cannot be moved');
    } finally {
      await service.stop();
    }
  });

  it('is refused as a dev world where its address is not on this machine', async () => {
    const env = { SVC_BASE_URL: 'https://pay.shop.example', SVC_METRICS_TOKEN: 'x'.repeat(32) };
    await expect(startServiceProcess({ isMovable: true, env })).rejects.toThrow('on this machine');
  });
});
