// Slow: installs the packages of each template and runs it.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@payassent/proof/free-port';
import { type PayAssent, payassent, type Running } from '@payassent/proof/service/command';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ROOT } from './guides/blocks.ts';

const settle = { timeout: 120_000 };
/** Many processes on a machine that may have much else to do. */
const PATIENCE_MS = 600_000;

let cli: PayAssent;
let world: Running;
let place: string;
beforeAll(async () => {
  cli = await payassent();
  place = await mkdtemp(join(tmpdir(), 'init-'));
  world = cli.start(['dev', '--json', '--folder', place]);
  await world.line('ready');
}, PATIENCE_MS);
afterAll(async () => {
  await world.stop();
  await cli.remove();
  await rm(place, { recursive: true, force: true });
});

/** The project as it is written, with the packages of this checkout in place of `npm install`, and the .env of `dev`. */
async function project(template: string): Promise<string> {
  const folder = join(place, `my-${template}`);
  const { code, lines, stdout } = await cli(['init', template, folder, '--json']);
  expect(code, stdout).toBe(0);
  expect(lines[0]).toMatchObject({ template, folder, next: expect.arrayContaining(['npm install']) });
  expect((await readdir(folder)).sort()).toEqual([...new Set(lines[0].files.map(firstPart))].sort());
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  await copyFile(join(place, '.env'), join(folder, '.env'));
  return folder;
}

const firstPart = (file: string) => file.split('/')[0];

interface Program {
  url: string;
  output(): string;
}

/** Starts a server of the project, with a secret of `payassent listen` that forwards to it. */
async function serve(folder: string, args: string[], webhooks: string): Promise<Program> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const listener = cli.start(['listen', '--profile', 'dev', '--forward', `${url}${webhooks}`, '--json']);
  onTestFinished(async () => void (await listener.stop()));
  const { secret } = await listener.line('listening');
  const env = { PATH: process.env['PATH'], PORT: String(port), PAYASSENT_WEBHOOK_SECRET: secret };
  const child = spawn(process.execPath, args, { cwd: folder, env });
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    child.kill();
    await ended;
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  await expect.poll(() => text, settle).toContain(url);
  return { url, output: () => text };
}

/** Requests payment twice for one order, approves it, and sees it paid by polling and by webhook. */
async function buy({ url, output }: Program, path: string, order: string) {
  const ask = async (amount: string) => {
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{"amount":"${amount}"}`,
    };
    const response = await fetch(`${url}${path}/${order}`, init);
    return { status: response.status, body: (await response.json()) as Record<string, string> };
  };
  const request_id = `order-${order}`;
  const asked = await ask('12.50');
  expect(asked).toMatchObject({ status: 202, body: { request_id, outcome: 'waiting' } });
  expect(await ask('12.50')).toEqual(asked);
  expect(await ask('99')).toMatchObject({ status: 422, body: { error: 'idempotency_key_reused' } });
  const told = await cli(['wallet', 'simulate', '--profile', 'dev', '--approve', '--once', '--json']);
  expect(told.code, told.stdout).toBe(0);
  const look = async () => (await (await fetch(`${url}${path}/${order}`)).json()) as unknown;
  await expect.poll(look, settle).toMatchObject({ request_id, outcome: 'paid', standing: 'paid' });
  await expect.poll(output, settle).toContain(`${request_id} is paid`);
}

async function forge(url: string): Promise<number> {
  const headers = {
    'content-type': 'application/json',
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
    'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}`,
  };
  return (await fetch(url, { method: 'POST', headers, body: '{"id":"evt_1","type":"connection.revoked"}' }))
    .status;
}

describe('payassent init', () => {
  it(
    'express: requests once per order, sees it paid, receives genuine webhooks and refuses a forged one',
    async () => {
      const folder = await project('express');
      const server = await serve(folder, ['server.js'], '/webhooks');
      await buy(server, '/orders', 'e1');
      expect(await forge(`${server.url}/webhooks`)).toBe(400);
    },
    PATIENCE_MS,
  );

  it(
    'next: its types hold, and its route handlers do the same with real requests (Next.js itself is too heavy here)',
    async () => {
      const folder = await project('next');
      const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
      const { stdout } = await promisify(execFile)(process.execPath, [tsc, '-p', folder]);
      expect(stdout).toBe('');
      const outfile = join(folder, 'routes.mjs');
      await build({
        stdin: { contents: ROUTES, resolveDir: folder, loader: 'ts' },
        outfile,
        bundle: true,
        platform: 'node',
        format: 'esm',
        packages: 'external',
        tsconfig: join(folder, 'tsconfig.json'),
        logLevel: 'silent',
      });
      const server = await serve(folder, ['--env-file=.env', outfile], '/api/webhooks');
      await buy(server, '/api/orders', 'n1');
      expect(await forge(`${server.url}/api/webhooks`)).toBe(400);
    },
    PATIENCE_MS,
  );

  it(
    'mcp: the script pays through the tools, once per purchase, and dev leaves the configuration alone',
    async () => {
      const folder = await project('mcp');
      const configured = JSON.parse(await readFile(join(folder, '.mcp.json'), 'utf8'));
      expect(configured.mcpServers.payassent).toEqual({
        command: 'npx',
        args: ['--no', '--', 'payassent', 'mcp'],
        env: { PAYASSENT_PROFILE: 'dev' },
      });
      const wallet = cli.start(['wallet', 'simulate', '--profile', 'dev', '--approve', '--json']);
      onTestFinished(async () => void (await wallet.stop()));
      const run = (...args: string[]) =>
        promisify(execFile)(process.execPath, ['purchase.js', ...args], { cwd: folder, env: cli.env });
      const { stdout } = await run('tickets-42', '12.51');
      expect(stdout).toMatch(/^outcome: paid$/m);
      expect((await run('tickets-42', '12.51')).stdout).toMatch(/^outcome: paid$/m);
      const listed = await cli(['request', 'list', '--profile', 'dev', '--json']);
      const requests = listed.lines[0].payment_requests as { idempotency_key: string }[];
      expect(requests.filter(({ idempotency_key }) => idempotency_key === 'tickets-42')).toHaveLength(1);
      await expect(run()).rejects.toMatchObject({
        code: 2,
        stderr: expect.stringContaining('tickets-42 12.50'),
      });
    },
    PATIENCE_MS,
  );

  it('uses our packages in its own version, and names what is missing when there is no .env', async () => {
    const folder = join(place, 'fresh');
    await cli(['init', 'express', folder]);
    const { version } = JSON.parse(await readFile(join(ROOT, 'cli/package.json'), 'utf8'));
    const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    expect(manifest).toMatchObject({
      name: 'fresh',
      dependencies: { '@payassent/sdk': version },
      devDependencies: { payassent: version },
    });
    expect(await readFile(join(folder, '.gitignore'), 'utf8')).toContain('.env\n');
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    const started = promisify(execFile)(process.execPath, ['server.js'], { cwd: folder, env: {} });
    await expect(started).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^PAYASSENT_BASE_URL is not set: run "payassent dev"/),
    });
  });

  it('refuses a folder that has anything in it, a file, and an unknown template; nothing is changed', async () => {
    const full = join(place, 'full');
    await mkdir(full);
    await writeFile(join(full, 'mine.txt'), 'mine');
    const refused = await cli(['init', 'mcp', full]);
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`${full} is not empty: name a folder`),
    });
    expect(await readdir(full)).toEqual(['mine.txt']);
    const file = await cli(['init', 'mcp', join(full, 'mine.txt'), '--json']);
    expect(file).toMatchObject({ code: 2, lines: [{ ok: false, error: { code: 'usage' } }] });
    expect(await cli(['init', 'rails', join(place, 'none')])).toMatchObject({ code: 2 });
    expect((await cli(['completion', 'bash'])).stdout).toContain(
      "'init') words='express next mcp --json --help'",
    );
  });
});

/** What Next.js does with the handlers: a path of the folder each, a `Request` in and a `Response` out. */
const ROUTES = `
import { createServer } from 'node:http';
import * as orders from './app/api/orders/[id]/route.ts';
import * as webhooks from './app/api/webhooks/route.ts';

const server = createServer(async (req, res) => {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk);
  const body = chunks.length > 0 ? new Uint8Array(Buffer.concat(chunks)) : undefined;
  const headers = new Headers(req.headers as Record<string, string>);
  const request = new Request('http://shop.example' + req.url, { method: req.method, headers, body });
  const id = /^\\/api\\/orders\\/(.+)$/.exec(req.url ?? '')?.[1];
  const handlers = (id === undefined ? webhooks : orders) as unknown as Record<string, (request: Request, context: object) => Promise<Response>>;
  const response = await handlers[req.method ?? ''](request, { params: Promise.resolve({ id }) });
  res.writeHead(response.status).end(Buffer.from(await response.arrayBuffer()));
});
server.listen(Number(process.env.PORT), '127.0.0.1', () => console.log('http://127.0.0.1:' + process.env.PORT));
`;
