// Slow: starts a whole dev world and walks through its commands.
import { execFile } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type PayAssent, payassent, type ReadyWorld, type Running } from '@payassent/proof/service/command';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { USUAL_PORTS } from '../src/dev/surroundings.ts';
import { COMMANDS } from '../src/registry.ts';

const ADDRESS = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';
const settle = { timeout: 120_000 };

let cli: PayAssent;
let world: Running;
let ready: ReadyWorld;
const taken: Server[] = [];
beforeAll(async () => {
  // Another test takes the usual ports at any moment: this world begins without them.
  for (const port of Object.values(USUAL_PORTS)) {
    const server = createServer().listen(port, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve).once('error', resolve));
    taken.push(server);
  }
  cli = await payassent();
  world = cli.start(['dev', '--json', '--no-files']);
  ready = await world.line('ready');
});
afterAll(async () => {
  await world.stop();
  await cli.remove();
  for (const server of taken) server.close();
});

/** In the world, as JSON. */
async function here(...args: string[]) {
  const { code, lines, stderr } = await cli.here([...args, '--profile', 'dev', '--json']);
  return { code, stderr, ...lines.at(-1) };
}

async function heard(): Promise<{ verdict: string; event: { type: string } }[]> {
  return (await (await fetch(`${ready.webhooks}/webhooks.json`)).json()) as Awaited<ReturnType<typeof heard>>;
}

describe('a merchant from a terminal', () => {
  const as = async (...args: string[]) => {
    const { code, lines } = await cli.here([...args, '--profile', 'shop', '--json'], {
      env: { PAYASSENT_BASE_URL: ready.service },
    });
    return { code, ...lines.at(-1) };
  };

  it('signs up, proves a domain, pins a payee, and has an agent that connects and requests a payment', async () => {
    await as('merchant', 'link', 'eve@tea.example');
    interface Mail {
      to: string[];
      links: string[];
    }
    const mails = async () => (await (await fetch(`${ready.viewer}/mails.json`)).json()) as Mail[];
    const link = async () => (await mails()).find(({ to }) => to.includes('eve@tea.example'))?.links[0];
    await expect.poll(link, settle).toBeDefined();
    const signedIn = await as('merchant', 'sign-in', '--link', (await link()) ?? '', '--found', 'Tea House');
    expect(signedIn).toMatchObject({ code: 0, merchant: { name: 'Tea House' }, operator: { role: 'owner' } });

    const { challenge } = await as('merchant', 'domain', 'add', 'tea.example');
    await fetch(`${ready.viewer}/txt/${challenge.dns.name}`, { method: 'PUT', body: challenge.dns.value });
    expect(await as('merchant', 'domain', 'verify', 'tea.example')).toMatchObject({
      domain: { status: 'verified' },
      merchant: { status: 'active' },
    });
    expect((await as('merchant', 'domain', 'list')).domains).toHaveLength(1);
    expect((await as('merchant', 'domain', 'verify', 'other.example')).code).toBe(2);

    const payee = await as('merchant', 'payee', 'add', 'Tea House', '--address', ADDRESS, '--memo', 'till 1');
    expect(payee).toMatchObject({ code: 0, recipient: { name: 'Tea House', status: 'active' } });
    const { recipient_id } = payee.recipient;
    expect((await as('merchant', 'payee', 'list')).recipients).toMatchObject([{ recipient_id }]);

    const keyFile = join(cli.folder, 'shop-agent.key');
    await cli.here(['keys', 'generate', '--out', keyFile]);
    const added = await as('merchant', 'agent', 'add', 'Tea agent', '--kid', 'tea-1', '--key-file', keyFile);
    expect(added).toMatchObject({
      agent: { status: 'active' },
      credential: { kid: 'tea-1', status: 'active' },
    });
    const second = join(cli.folder, 'second.key');
    await cli.here(['keys', 'generate', '--out', second]);
    expect(await as('merchant', 'key', 'add', '--kid', 'tea-2', '--key-file', second)).toMatchObject({
      credential: { kid: 'tea-2', status: 'active' },
    });
    expect((await as('merchant', 'agent', 'list')).agents).toHaveLength(1);
    const token = await cli.here(['agent', 'token', '--profile', 'shop'], {
      env: { PAYASSENT_BASE_URL: ready.service },
    });
    expect(token.stdout).toMatch(/^svc_at_/);
  });

  it('creates and verifies a webhook endpoint', async () => {
    const added = await as('merchant', 'webhook', 'add', `${ready.webhooks}/shop`, '--event', 'connection.*');
    expect(added).toMatchObject({ code: 0, webhook_endpoint: { status: 'pending_verification' } });
    await fetch(`${ready.webhooks}/secret`, { method: 'PUT', body: added.secret });
    const id = added.webhook_endpoint.webhook_endpoint_id;
    expect(await as('merchant', 'webhook', 'verify', id)).toMatchObject({
      webhook_endpoint: { status: 'active' },
    });
    expect((await as('merchant', 'webhook', 'list')).webhook_endpoints).toHaveLength(1);
  });
});

describe('an agent from a terminal', () => {
  it('sees whom it may request, lists its requests and takes one back', async () => {
    const { payees } = await here('payees', 'list');
    expect(payees.map((one: { name: string }) => one.name)).toEqual(
      expect.arrayContaining(ready.payees.map((one: { name: string }) => one.name)),
    );
    expect((await here('payees', 'list', '--query', 'beans')).payees).toHaveLength(1);
    const [payee] = payees;
    const preview = ['request', 'preview', '--recipient', payee.recipient_id, '--amount', '7.77'];
    const before = (await here('request', 'list')).payment_requests.length;
    expect(await here(...preview)).toMatchObject({ code: 0, preview: { payment: { amount: '7.77' } } });
    expect((await here('request', 'list')).payment_requests).toHaveLength(before);
    const { payment_request } = await here('trigger', 'created');
    expect(await here('request', 'withdraw', payment_request.request_id)).toMatchObject({
      code: 0,
      payment_request: { status: 'expired', reason: 'withdrawn_by_agent' },
    });
    const { payment_requests } = await here('request', 'list', '--status', 'expired', '--limit', '1');
    expect(payment_requests).toMatchObject([{ request_id: payment_request.request_id }]);
  });
});

describe('payassent trigger', () => {
  it.each([
    ['approved', 'signed'],
    ['broadcasted', 'broadcasted'],
    ['confirmed', 'confirmed'],
    ['rejected', 'rejected'],
    ['failed', 'failed'],
    ['withdrawn', 'expired'],
  ])('makes %s happen', async (event, status) => {
    expect(await here('trigger', event)).toMatchObject({ code: 0, event, payment_request: { status } });
  });

  it('makes a mismatch, a pause, a new version of a payee and a broken receiver happen', async () => {
    expect(await here('trigger', 'mismatch')).toMatchObject({ error: { code: 'expectation_mismatch' } });
    expect(await here('trigger', 'paused')).toMatchObject({ connection: { status: 'active' } });
    expect(await here('trigger', 'payee-changed')).toMatchObject({ recipient: { status: 'active' } });
    await expect
      .poll(async () => (await heard()).map(({ event }) => event.type), settle)
      .toEqual(
        expect.arrayContaining(['connection.paused', 'connection.resumed', 'recipient.version_activated']),
      );
    const { payment_request } = await here('trigger', 'webhook-failure');
    const repeated = async () =>
      (await heard()).filter(({ event }) => JSON.stringify(event).includes(payment_request.request_id))
        .length;
    // Refused once, then sent again.
    await expect.poll(repeated, settle).toBe(2);
  });

  it('makes a payment that the chain shows, and one of the agent alone', async () => {
    expect(await here('trigger', 'settlement-updated')).toMatchObject({
      code: 0,
      payment_request: { status: 'confirmed', settlement: { state: 'final', differences: [] } },
    });
    for (let again = 0; again < 2; again += 1)
      expect(await here('trigger', 'agent-payment')).toMatchObject({
        code: 0,
        agent_payment: { status: 'confirmed' },
      });
    await expect
      .poll(async () => (await heard()).map(({ event }) => event.type), settle)
      .toEqual(
        expect.arrayContaining(['payment_request.settlement_updated', 'agent_payment.settlement_updated']),
      );
  });

  it('makes 429 happen, which ends with the minute', async () => {
    expect(await here('trigger', 'rate-limited')).toMatchObject({
      code: 0,
      error: { code: 'rate_limited' },
      retry_after_s: expect.any(Number),
    });
    await here('dev', 'clock', '+1m');
    expect(await here('trigger', 'created')).toMatchObject({ code: 0 });
  });
});

/** `listen` with a program behind it, until the messages of the trigger have been forwarded. */
async function listenTo(event: string, types: readonly string[]): Promise<void> {
  const bodies: string[] = [];
  const target: Server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    bodies.push(body);
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
  const { port } = target.address() as AddressInfo;
  const before = (await here('merchant', 'webhook', 'list')).webhook_endpoints.length;
  const forward = `http://127.0.0.1:${port}/hooks`;
  const what = ['--forward', forward, '--event', 'payment_request.*'];
  const listening = cli.start(['listen', '--profile', 'dev', '--json', ...what]);
  expect((await listening.line('listening')).secret).toMatch(/^whsec_/);
  const { payment_request } = await here('trigger', event);
  const forwarded = () =>
    bodies.filter((body) => body.includes(payment_request.request_id)).map((body) => JSON.parse(body).type);
  // One may come twice, where the clock was moved while it was on its way, and what the chain shows follows later.
  await expect
    .poll(forwarded, settle)
    .toEqual(expect.arrayContaining(types.map((type) => `payment_request.${type}`)));
  const { code, lines } = await listening.stop();
  expect(code).toBe(0);
  expect(lines.filter(({ type }) => type === 'refused')).toEqual([]);
  expect((await here('merchant', 'webhook', 'list')).webhook_endpoints).toHaveLength(before);
  target.close();
}

describe('payassent listen', () => {
  it('forwards genuine webhooks to a local program, and removes its endpoint at the end', () =>
    listenTo('rejected', ['created', 'rejected']));

  it('reports that the service could not reach it', async () => {
    const line = ['listen', '--base-url', 'https://pay.example', '--session-cookie', 'svc_session=x'];
    expect((await cli.here(line)).code).toBe(2);
  });
});

describe('payassent completion', () => {
  it('completes every command and its options in bash', async () => {
    const { stdout } = await cli.here(['completion', 'bash']);
    const complete = async (...words: string[]) => {
      const quoted = words.map((word) => `'${word}'`).join(' ');
      const program = `${stdout}\nCOMP_WORDS=(payassent ${quoted}); COMP_CWORD=${words.length}; _payassent; echo "\${COMPREPLY[@]}"`;
      const told = await promisify(execFile)('bash', ['-c', program]);
      return told.stdout.trim().split(' ');
    };
    expect(await complete('mer')).toEqual(['merchant']);
    expect(await complete('merchant', 'domain', '')).toEqual(['add', 'verify', 'list']);
    expect(await complete('request', 'create', '--am')).toEqual(['--amount']);
    const first = new Set(Object.keys(COMMANDS).map((name) => name.split(' ')[0]));
    expect(new Set(await complete(''))).toEqual(first);
    for (const shell of ['zsh', 'fish'])
      expect((await cli.here(['completion', shell])).stdout).toContain('payassent');
    expect((await cli.here(['completion', 'sh'])).code).toBe(2);
  });
});

describe('a world whose wallet signs its decisions', () => {
  it('serves trigger and try', async () => {
    const flags = ['--approve', '--sign-decisions', '--once'];
    expect(await here('wallet', 'simulate', ...flags)).toMatchObject({ code: 0 });
    for (const event of ['approved', 'agent-payment', 'rejected'])
      expect(await here('trigger', event)).toMatchObject({ code: 0 });
    const { code, lines, stderr } = await cli(['try', '--json']);
    expect(code, stderr).toBe(0);
    const verified = lines.find(({ step }) => step === 'verified');
    expect(verified.claims).toContain('decision');
  });
});

describe('a world that is three hours old', () => {
  it('serves listen, trigger, try and everything else of its profile', async () => {
    expect((await here('dev', 'clock', '+3h')).code).toBe(0);
    // The session of the owner has ended with its time.
    const sessions = async () => (await here('sessions', 'list')).sessions.length;
    expect(await sessions()).toBe(1);
    const both = await Promise.all([here('merchant', 'domain', 'list'), here('merchant', 'payee', 'list')]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(await sessions()).toBe(1);
    await listenTo('approved', ['created', 'signed']);
    expect((await cli(['try', '--json'])).lines.at(-1)).toMatchObject({ status: 'confirmed' });
    expect(await here('agent', 'token')).toMatchObject({ code: 0 });
    expect(await here('trigger', 'payee-changed')).toMatchObject({ recipient: { status: 'active' } });
  });

  it('forwards webhooks while the clock is moved', () => listenTo('expired', ['created', 'expired']));

  it('renews the session once for commands that find it ended together', async () => {
    await here('dev', 'clock', '+1h');
    const lists = ['domain', 'payee', 'agent'].map((what) => here('merchant', what, 'list'));
    expect((await Promise.all(lists)).map(({ code }) => code)).toEqual([0, 0, 0]);
  });

  it('makes an unknown outcome by silence after a signature', async () => {
    expect(await here('trigger', 'unknown')).toMatchObject({
      payment_request: { status: 'signed' },
      outcome: 'unknown',
      standing: 'outcome_unknown',
    });
  });
});

describe('payassent trigger expired', () => {
  it('makes a request expire by moving the clock, and names what it can', async () => {
    expect(await here('trigger', 'expired')).toMatchObject({ payment_request: { status: 'expired' } });
    expect(await here('trigger', 'confirmed')).toMatchObject({ payment_request: { status: 'confirmed' } });
    expect(await here('trigger', 'everything')).toMatchObject({ code: 2 });
    const nowhere = await cli.here(['trigger', 'created', '--profile', 'none']);
    expect(nowhere).toMatchObject({ code: 2, stderr: expect.stringContaining('payassent dev') });
  });
});
