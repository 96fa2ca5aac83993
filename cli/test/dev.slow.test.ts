// Slow: starts a whole dev world and pays in it.
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type HttpProxy, type PassedCall, startHttpProxy } from '@payassent/proof/faults/http-proxy';
import { type PayAssent, payassent, type ReadyWorld, type Running } from '@payassent/proof/service/command';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../src/dev/free-port.ts';
import { spawnService } from '../src/dev/service.ts';
import { USUAL_PORTS } from '../src/dev/surroundings.ts';

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
const PAYMENT_STEPS = [
  'service',
  'asked',
  'shown',
  'approved',
  'sent',
  'confirmed',
  'heard',
  'verified',
  'done',
];

/** Another profile of the same world, whose calls pass a proxy. Without the key: its proofs are for the service's address. */
async function throughProxy(): Promise<{ proxy: HttpProxy; profile: string }> {
  const proxy = await startHttpProxy(ready.service);
  const read = async (name: string) => JSON.parse(await readFile(join(cli.folder, name), 'utf8'));
  const { kid, key_file, ...profile } = await read('dev.json');
  const options = { mode: 0o600 };
  await writeFile(
    join(cli.folder, 'watched.json'),
    JSON.stringify({ ...profile, base_url: proxy.url }),
    options,
  );
  const seen = { ...(await read('dev.world')), service: proxy.url };
  await writeFile(join(cli.folder, 'watched.world'), JSON.stringify(seen), options);
  return { proxy, profile: 'watched' };
}

/** Every token that was sent or received. */
function secretsIn({ path, body, answer, headers, answerHeaders }: PassedCall): string[] {
  const texts = [path, body, answer, ...Object.values(headers), ...Object.values(answerHeaders)];
  return texts.flatMap((text) => text.match(/(?:svc_(?:key_test|[a-z]{2})_|whsec_)[\w+/=-]{16,}/g) ?? []);
}

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
  for (const port of Object.values(USUAL_PORTS)) await take(port);
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
    expect(ready.service).not.toContain(`:${USUAL_PORTS.service}`);
    expect(ready.payees).toHaveLength(2);
    expect(ready.link_code).toMatch(/^svc_lc_/);
    const shown = await cli(['profiles', 'show', '--profile', 'dev', '--json']);
    expect(shown.lines[0]).toMatchObject({ base_url: ready.service });
    expect((await cli(['agent', 'token', '--profile', 'dev'])).stdout).toMatch(/^svc_at_/);
    const page = await fetch(`${ready.service}/health`);
    expect(page.status).toBe(200);
  });

  it('writes .env for programs and .mcp.json for models next to what is in them', async () => {
    const env = await readFile(inProject('.env'), 'utf8');
    expect(env).toContain(OWN_ENV);
    expect(env).toContain(`PAYASSENT_BASE_URL=${ready.service}\n`);
    expect(env).toContain(`PAYASSENT_MAIL_URL=${ready.viewer}\n`);
    expect(env).toContain(`PAYASSENT_WEBHOOKS_URL=${ready.webhooks}\n`);
    expect(env).toMatch(/^PAYASSENT_CONNECTION_TOKEN=svc_ct_/m);
    expect(env).toContain(`PAYASSENT_RECIPIENT_ID=${ready.payees[0].recipient_id}\n`);
    const { mcpServers } = JSON.parse(await readFile(inProject('.mcp.json'), 'utf8'));
    expect(mcpServers.other).toEqual({ command: 'true' });
    expect(mcpServers.payassent).toMatchObject({ env: { PAYASSENT_PROFILE: 'dev' } });
    expect(existsSync(mcpServers.payassent.args[0])).toBe(true);
  });

  it('pays from the first word to the proof in one command, and describes in sentences who does what', async () => {
    const told = await cli(['try']);
    expect(told.code, told.stderr).toBe(0);
    const lines = told.stdout.trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(30);
    expect(told.stdout).toMatch(/^asked +The agent requests 12\.50 XLM to Blue Door Coffee/m);
    expect(told.stdout).toMatch(/^ +agent: POST \/v1\/payment-requests → 201$/m);
    expect(lines.at(-1)).toMatch(/^done .*confirmed$/);
    const { lines: steps } = await cli(['try', '--json']);
    expect(steps.map(({ step }) => step)).toEqual(PAYMENT_STEPS);
    expect(steps.find(({ step }) => step === 'heard').webhooks).toContain('confirmed');
    const { claims } = steps.find(({ step }) => step === 'verified');
    expect(claims).toEqual(expect.arrayContaining(['service_signature', 'facts', 'final_logged']));
  });

  it('try prints every call that went over the wire, in order and no other, and shows no secret', async () => {
    const { proxy, profile } = await throughProxy();
    for (const args of [['--json'], []]) {
      proxy.calls.length = 0;
      const told = await cli(['try', '--profile', profile, ...args]);
      expect(told.code, told.stdout + told.stderr).toBe(0);
      const secrets = proxy.calls.flatMap(secretsIn);
      expect(new Set(secrets.map((secret) => secret.slice(0, 7)))).toEqual(new Set(['svc_ct_', 'svc_dt_']));
      expect(secrets.filter((secret) => told.stdout.includes(secret.slice(0, 24)))).toEqual([]);
      if (args.length === 0) continue;
      const calls = told.lines.flatMap((line) => line.calls.map(({ call }: { call: string }) => call));
      expect(calls).toEqual(
        proxy.calls.map(({ method, path, status }) => `${method} ${path.split('?')[0]} → ${status}`),
      );
    }
    await proxy.close();
  });

  it('try reports what it could not do, ends with the exit code of the failure, and prints no success', async () => {
    const { proxy, profile } = await throughProxy();
    const error = { code: 'resource_not_found', message: 'It is gone.', request_id: 'req_1' };
    proxy.treat(({ method, path }) =>
      method === 'POST' && path.endsWith('/status')
        ? { status: 404, body: JSON.stringify({ ok: false, error }) }
        : 'forward',
    );
    const told = await cli(['try', '--profile', profile]);
    expect(told).toMatchObject({ code: 1, stderr: expect.stringContaining('Request id: req_1') });
    expect(told.stderr).toMatch(/wallet: POST \/v1\/payment-requests\/pr_…\/status → 404/);
    expect(told.stdout).not.toContain('done');
    await proxy.close();
  });

  it('is not led elsewhere by variables of the shell', async () => {
    const env = { PAYASSENT_BASE_URL: 'http://127.0.0.1:1', PAYASSENT_CONNECTION_TOKEN: 'svc_ct_other' };
    expect((await cli(['try', '--json'], { env })).code).toBe(0);
  });

  it('refuses a second world of the same name, and a profile that is someone’s', async () => {
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
    expect((await readdir(cli.folder)).sort()).toEqual(LEFT);
    expect(await readdir(temporary)).toEqual([]);
    await expect(fetch(`${ready.service}/health`)).rejects.toThrow();
    expect((await cli(['dev', 'clock', '+1h'])).code).toBe(2);
  });

  it('ends with nothing running when its profile cannot be written', async () => {
    const [world, key] = ['world', 'key'].map((end) => join(cli.folder, `blocked.${end}`)) as [
      string,
      string,
    ];
    await mkdir(key);
    const line = ['dev', '--no-files', '--profile', 'blocked'];
    const told = await cli(line, { env: { TMPDIR: temporary } });
    expect(told).toMatchObject({ code: 1, stderr: expect.stringContaining(key) });
    expect(await readdir(temporary)).toEqual([]);
    expect(await processesOf(temporary)).toEqual([]);
    for (const made of [world, key]) await rm(made, { recursive: true });
  });

  it('try without a world makes one, describes how it was made, pays in it and leaves nothing', async () => {
    const told = await cli(['try', '--json'], { env: { TMPDIR: temporary } });
    expect(told.code, told.stdout + told.stderr).toBe(0);
    const [service = '', ...payment] = PAYMENT_STEPS;
    expect(told.lines.map(({ step }) => step)).toEqual([
      service,
      ...['merchant', 'domain', 'webhooks', 'payees', 'agent', 'wallet', 'connected'],
      ...payment,
    ]);
    expect(told.lines.at(-1)).toMatchObject({ step: 'done', status: 'confirmed' });
    expect(told.stdout).not.toMatch(/(?:svc_(?:key_test|[a-z]{2})_|whsec_)[\w+/=-]{16,}/);
    expect(await readdir(temporary)).toEqual([]);
    expect(await processesOf(temporary)).toEqual([]);
    expect((await readdir(cli.folder)).sort()).toEqual(LEFT);
  });

  it('try stops everything at Ctrl-C, while the service is still starting and between two steps', async () => {
    const isStarting = async () => (await readdir(temporary)).length > 0;
    const starting = cli.start(['try', '--json'], { env: { TMPDIR: temporary } });
    // Its folder is the first thing it creates: from then on it handles signals, and the service is not there yet.
    await expect.poll(isStarting).toBe(true);
    expect((await starting.stop()).code).toBe(130);
    const walking = cli.start(['try', '--json'], { env: { TMPDIR: temporary } });
    let told = '';
    walking.child.stdout?.on('data', (text: string) => (told += text));
    await expect.poll(() => told, settle).toContain('"step":"domain"');
    expect((await walking.stop()).code).toBe(130);
    expect(await readdir(temporary)).toEqual([]);
    expect(await processesOf(temporary)).toEqual([]);
  });
});

/** What the tests above have kept themselves. */
const LEFT = ['mine.json', 'watched.json', 'watched.world'];

/** Everything that is started has the folder in its environment or on its command line. */
async function processesOf(place: string): Promise<string[]> {
  if (process.platform !== 'linux') return [];
  const found: string[] = [];
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const texts = await Promise.all(
      ['environ', 'cmdline'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')),
    );
    if (texts.some((content) => content.includes(place))) found.push(`process ${pid}: ${texts[1]}`);
  }
  return found;
}

describe('a service that no dev world has started', () => {
  it('has no clock that can be moved', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'dev-plain-'));
    const env = { SVC_PORT: String(await freePort()), SVC_DATA_DIR: dataDir };
    const service = await spawnService(env);
    try {
      await expect(service.advance(3_600_000)).rejects.toThrow('cannot be moved');
    } finally {
      await service.end();
      await rm(dataDir, { recursive: true });
    }
  });

  it('is refused as a dev world where its address is not on this machine', async () => {
    const env = { SVC_BASE_URL: 'https://pay.shop.example', SVC_METRICS_TOKEN: 'x'.repeat(32) };
    const place = { SVC_PORT: String(await freePort()), SVC_DATA_DIR: join(temporary, 'never') };
    await expect(spawnService({ ...place, ...env }, { isMovable: true })).rejects.toThrow('on this machine');
  });
});
