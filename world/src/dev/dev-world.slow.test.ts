// Slow: starts a whole dev world several times.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { MerchantClient } from '@payassent/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../free-port.ts';
import { type DevWorld, type DevWorldOptions, startDevWorld } from './dev-world.ts';

const EMAIL = 'ada@shop.example';
const said: string[] = [];
let options: DevWorldOptions & { ports: NonNullable<DevWorldOptions['ports']> };
let dev: DevWorld;

beforeAll(async () => {
  const ports = {
    service: await freePort(),
    dns: await freePort(),
    smtp: await freePort(),
    viewer: await freePort(),
    webhooks: await freePort(),
  };
  const dataDir = await mkdtemp(join(tmpdir(), 'dev-world-'));
  options = { dataDir, ports, say: (text) => said.push(text) };
  dev = await startDevWorld(options);
}, 60_000);
afterAll(async () => {
  await dev.stop();
  await rm(options.dataDir, { recursive: true, force: true });
});

function send(url: string, method: 'PUT' | 'DELETE', body?: string): Promise<number> {
  return fetch(url, { method, ...(body === undefined ? {} : { body }) }).then(({ status }) => status);
}

/** As a newcomer does it: reads the newest mail in the viewer and follows its link. */
async function signIn(merchant: MerchantClient) {
  const before = (await readMails()).length;
  await merchant.sessions.requestLink({ email: EMAIL });
  await expect.poll(async () => (await readMails()).length).toBeGreaterThan(before);
  const [link = ''] = (await readMails()).at(-1)?.links ?? [];
  return merchant.sessions.verifyEmail({ token: new URL(link).hash.replace('#token=', '') });
}

async function readMails(): Promise<{ to: string[]; links: string[] }[]> {
  const answer = await fetch(`${dev.viewer.url}/mails.json`);
  return (await answer.json()) as { to: string[]; links: string[] }[];
}

describe('a world that stays', () => {
  it('lets a newcomer sign up, prove a domain and receive webhooks with plain commands', async () => {
    const merchant = new MerchantClient({ baseUrl: dev.world.service.url });
    const { session_grant } = await signIn(merchant);
    const { next_grant } = await merchant.sessions.createOrganization({ session_grant, name: 'Shop' });
    await merchant.sessions.open({ next_grant });

    const mailPage = await fetch(`${dev.viewer.url}/mails/1`);
    expect(mailPage.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await mailPage.text()).toContain(`<a href="${dev.world.service.url}/portal/verify#token=svc_ml_`);
    expect(await (await fetch(dev.viewer.url)).text()).toContain('<a href="/mails/1">');

    const { domain, challenge } = await merchant.domains.create({ domain: 'shop.example' });
    const record = `${dev.viewer.url}/txt/${challenge.dns.name}`;
    expect(await send(record, 'PUT', `${challenge.dns.value}\n`)).toBe(200);
    expect((await merchant.domains.verify(domain.domain_id)).domain.status).toBe('verified');

    const { webhook_endpoint, secret } = await merchant.webhooks.create({
      url: `${dev.world.webhooks.url}/hooks`,
    });
    expect(await send(`${dev.world.webhooks.url}/secret`, 'PUT', secret)).toBe(200);
    const verified = await merchant.webhooks.verify(webhook_endpoint.webhook_endpoint_id);
    expect(verified.webhook_endpoint.status).toBe('active');
    expect(await (await fetch(dev.world.webhooks.url)).text()).toContain('webhook.verification evt_');
    expect(said).toContainEqual(expect.stringMatching(/^webhook {2}webhook.verification evt_/));
    expect(said).toContainEqual(expect.stringContaining(`${dev.viewer.url}/mails/1`));
    expect(said.join('\n')).not.toContain(secret);
  }, 60_000);

  it('refuses names and values that no record can have', async () => {
    const { url } = dev.viewer;
    expect(await send(`${url}/txt/not%20a%20name`, 'PUT', 'x')).toBe(400);
    expect(await send(`${url}/txt/shop.example`, 'PUT', '')).toBe(400);
    expect(await send(`${url}/txt/shop.example`, 'PUT', 'x'.repeat(256))).toBe(400);
    expect(await send(`${dev.world.webhooks.url}/secret`, 'PUT', 'whsec_short')).toBe(400);
    expect(dev.world.dns.records().map(({ name }) => name)).toEqual(['_svc-challenge.shop.example']);
  });

  it('has everything again after a second start, in files for its owner only', async () => {
    const records = dev.world.dns.records();
    const secrets = [...dev.world.webhooks.secrets];
    await dev.stop();
    dev = await startDevWorld(options);
    expect(dev.world.dns.records()).toEqual(records);
    expect(dev.world.webhooks.secrets).toEqual(secrets);
    expect((await readMails())[0]?.to).toEqual([EMAIL]);
    const { merchants } = await signIn(new MerchantClient({ baseUrl: dev.world.service.url }));
    expect(merchants.map(({ name }) => name)).toEqual(['Shop']);
    for (const file of ['dns.json', 'mails.jsonl', 'webhook-secrets.json']) {
      expect((await stat(join(options.dataDir, file))).mode & 0o077).toBe(0);
    }
  }, 90_000);

  it('the commands of its guide work as they are written there', async () => {
    const guide = await readFile(new URL('../../../docs/guides/demo.md', import.meta.url), 'utf8');
    const blocks = [...guide.matchAll(/^```sh\n(.*?)^```/gms)].map((match) => match[1] ?? '');
    const commands = blocks
      .join('')
      .replaceAll('\\\n', '')
      .split('\n')
      .filter((line) => line.startsWith('curl '));
    expect(commands).toHaveLength(6);
    const { service, viewer, webhooks } = options.ports;
    const here = { 8787: service, 8826: viewer, 8827: webhooks };
    for (const command of commands) {
      const filled = command
        .replace(/127\.0\.0\.1:(8787|8826|8827)/, (_, port: keyof typeof here) => `127.0.0.1:${here[port]}`)
        .replace('whsec_…', `whsec_${randomBytes(32).toString('base64')}`)
        .replace('…', 'abc');
      await promisify(execFile)('sh', ['-c', filled.replace('curl', 'curl --fail --silent --show-error')]);
    }
    expect(dev.world.webhooks.secrets).toEqual([]);
    expect(dev.world.dns.records()).toEqual([]);
  });
});
