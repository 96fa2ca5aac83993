// Slow: starts services with everything around them.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { MerchantClient } from '@payassent/sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../src/dev/free-port.ts';
import { startLoopbackServer } from '../src/dev/loopback-server.ts';
import { type Surroundings, startOn } from '../src/dev/surroundings.ts';

const EMAIL = 'ada@shop.example';
let dataDir: string;
let ports: Parameters<typeof startOn>[0];
let around: Surroundings | undefined;
let said: string[];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'surroundings-'));
  ports = { service: await freePort(), viewer: await freePort(), webhooks: await freePort() };
  said = [];
});
afterEach(async () => {
  await around?.stop();
  around = undefined;
  await rm(dataDir, { recursive: true, force: true });
});

async function start(signal = new AbortController().signal): Promise<Surroundings> {
  around = await startOn(ports, { dataDir, signal, say: (text) => said.push(text) });
  return around;
}

function send(url: string, method: 'PUT' | 'DELETE', body?: string): Promise<number> {
  return fetch(url, { method, ...(body === undefined ? {} : { body }) }).then(({ status }) => status);
}

async function refuses(port: number): Promise<void> {
  const [error] = await once(connect(port, '127.0.0.1'), 'error').catch((reason: unknown) => [reason]);
  expect(error).toMatchObject({ code: 'ECONNREFUSED' });
}

describe('the surroundings of a service', () => {
  it('let a newcomer sign up, prove a domain and receive webhooks with plain commands', async () => {
    const { service, viewer, webhooks, names, stop } = await start();
    const merchant = new MerchantClient({ baseUrl: service.url });
    await merchant.sessions.requestLink({ email: EMAIL });
    const mails = async () =>
      (await (await fetch(`${viewer.url}/mails.json`)).json()) as { to: string[]; links: string[] }[];
    await expect.poll(async () => (await mails()).length).toBe(1);
    const [mail] = await mails();
    expect(mail?.to).toEqual([EMAIL]);
    const token = new URL(mail?.links[0] ?? '').hash.replace('#token=', '');
    const { session_grant } = await merchant.sessions.verifyEmail({ token });
    const { next_grant } = await merchant.sessions.createOrganization({ session_grant, name: 'Shop' });
    await merchant.sessions.open({ next_grant });

    const mailPage = await fetch(`${viewer.url}/mails/1`);
    expect(mailPage.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await mailPage.text()).toContain(`<a href="${service.url}/portal/verify#token=svc_ml_`);
    expect(await (await fetch(viewer.url)).text()).toContain('<a href="/mails/1">');

    const { domain, challenge } = await merchant.domains.create({ domain: 'shop.example' });
    const record = `${viewer.url}/txt/${challenge.dns.name}`;
    expect(await send(record, 'PUT', `${challenge.dns.value}\n`)).toBe(200);
    expect((await merchant.domains.verify(domain.domain_id)).domain.status).toBe('verified');

    const { webhook_endpoint, secret } = await merchant.webhooks.create({ url: `${webhooks.url}/hooks` });
    expect(await send(`${webhooks.url}/secret`, 'PUT', secret)).toBe(200);
    const verified = await merchant.webhooks.verify(webhook_endpoint.webhook_endpoint_id);
    expect(verified.webhook_endpoint.status).toBe('active');
    expect(await (await fetch(webhooks.url)).text()).toContain('webhook.verification evt_');
    expect(said).toContainEqual(expect.stringMatching(/^webhook {2}webhook.verification evt_/));
    expect(said).toContainEqual(expect.stringContaining(`${viewer.url}/mails/1`));
    expect(said.join('\n')).not.toContain(secret);

    // What no record and no secret can be.
    expect(await send(`${viewer.url}/txt/not%20a%20name`, 'PUT', 'x')).toBe(400);
    expect(await send(`${viewer.url}/txt/shop.example`, 'PUT', '')).toBe(400);
    expect(await send(`${viewer.url}/txt/shop.example`, 'PUT', 'x'.repeat(256))).toBe(400);
    expect(await send(`${webhooks.url}/secret`, 'PUT', 'whsec_short')).toBe(400);
    expect([...names.keys()]).toEqual(['_svc-challenge.shop.example']);

    // A client that has connected and sends nothing does not delay the shutdown.
    const silent = connect(ports.service, '127.0.0.1').on('error', () => undefined);
    await once(silent, 'connect');
    const startedAt = performance.now();
    await Promise.all([stop(), stop()]);
    expect(performance.now() - startedAt).toBeLessThan(40_000);
    silent.destroy();
    expect(service.child.exitCode).toBe(0);
    await expect(fetch(`${service.address}/health`)).rejects.toThrow();
  });

  it('take what the guide types', async () => {
    const { webhooks, names } = await start();
    const guide = await readFile(new URL('../../docs/guides/try-it.md', import.meta.url), 'utf8');
    const commands = [...guide.matchAll(/^```sh\n(.*?)^```/gms)]
      .map((match) => match[1] ?? '')
      .join('')
      .replaceAll('\\\n', '')
      .split('\n')
      .filter((line) => line.startsWith('curl '));
    expect(commands).toHaveLength(6);
    const here = { 8787: ports.service, 8826: ports.viewer, 8827: ports.webhooks };
    for (const command of commands) {
      const filled = command
        .replace(/127\.0\.0\.1:(8787|8826|8827)/, (_, port: keyof typeof here) => `127.0.0.1:${here[port]}`)
        .replace('whsec_…', `whsec_${Buffer.alloc(32, 7).toString('base64')}`)
        .replace('…', 'abc');
      await promisify(execFile)('sh', ['-c', filled.replace('curl', 'curl --fail --silent --show-error')]);
    }
    expect(webhooks.secrets).toEqual([]);
    expect([...names]).toEqual([]);
  });

  it('do not take another program on the port for the service, and leave nothing running', async () => {
    const stranger = await startLoopbackServer(() => ({ status: 200, body: '{"ok":true}' }));
    ports.service = stranger.port;
    await expect(start()).rejects.toMatchObject({ code: 'EADDRINUSE', port: stranger.port });
    await stranger.close();
    for (const port of [ports.viewer, ports.webhooks]) await refuses(port);
  });

  it('give up their start on a signal', async () => {
    const startedAt = performance.now();
    await expect(start(AbortSignal.timeout(300))).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(performance.now() - startedAt).toBeLessThan(45_000);
    for (const port of Object.values(ports)) await refuses(port);
  });
});
