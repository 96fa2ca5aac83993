// Slow: types every command of every guide at real processes.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createDatabase } from '@payassent/proof/database/database';
import { stellarAddress } from '@payassent/proof/people/payees';
import { activeMerchant, type World as Everyone, wholeWorld } from '@payassent/proof/people/sdk';
import { startService, type TestService } from '@payassent/proof/service/service';
import { evidenceDigest } from '@payassent/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Block, blocksOf, nameOf, PAGES, ROOT, readPage } from './guides/blocks.ts';
import { type Checkout, makeCheckout } from './guides/checkout.ts';
import { CLAIMS, claimOf } from './guides/claims.ts';
import { createPlace, type Place, readerEnv } from './guides/place.ts';
import { membersOf, shownMembers, shownRequest, type Values } from './guides/policies.ts';
import { tryReceiver } from './guides/receivers.ts';
import { type TypingOptions, typeBlocks } from './guides/script.ts';

const MERCHANT = 'docs/guides/quick-start-merchant.md';
const AGENT = 'docs/guides/quick-start-agent.md';
const WALLET = 'docs/guides/quick-start-wallet.md';
const AUDITOR = 'docs/guides/quick-start-auditor.md';
const OPERATOR = 'docs/guides/quick-start-operator.md';
const RETRIES = 'docs/guides/idempotency-and-retries.md';
const COMMAND = 'docs/guides/cli.md';
/** Many processes on a machine that may have much else to do. */
const PATIENCE_MS = 300_000;

const executed = new Set<string>();

/** Types blocks in order and sees every command succeed. */
async function type(blocks: readonly Block[], options: Omit<TypingOptions, 'timeoutMs'>) {
  const typed = await typeBlocks(blocks, { ...options, timeoutMs: PATIENCE_MS - 60_000 });
  expect(typed.code, typed.output).toBe(0);
  for (const block of blocks) executed.add(nameOf(block));
  return typed;
}

function unclaimed(file: string): Block[] {
  return blocksOf(file).filter((block) => claimOf(block) === undefined);
}

/** Blocks of a page in one language, which the test runs in its own way. */
function take(file: string, language: string): Block[] {
  const blocks = unclaimed(file).filter((block) => block.language === language);
  for (const block of blocks) executed.add(nameOf(block));
  return blocks;
}

describe('in the world of npm run dev', () => {
  /** Where the quick start for agents ends; one guide continues from there. */
  const asAgent = 'export PATH="$PWD/node_modules/.bin:$PATH"\ncd data/try\n';
  /** What the guide of the command needs, from the agent of the world. */
  const asCommand = [
    'export PATH="$PWD/node_modules/.bin:$PATH"',
    'value() { sed -n "s/^PAYASSENT_$1=//p" .env; }',
    'export RECIPIENT_ID=$(value RECIPIENT_ID) AGENT_ID=$(value AGENT_ID) KID=$(value KID) KEY_FILE=$(value KEY_FILE)',
    '',
  ].join('\n');
  let place: Place;
  let agentOutput: string;
  const follow = async (file: string, before = '') => {
    const { folder: cwd, env, replacements } = place;
    return (await type(unclaimed(file), { cwd, env, replacements, before })).output;
  };

  beforeAll(async () => {
    place = await createPlace();
    agentOutput = await follow(AGENT);
  }, PATIENCE_MS);
  afterAll(() => place.remove());

  it('quick start for agents: requests by command, SDK, curl and Python, and sees payments confirmed', () => {
    expect(agentOutput).toContain('Reached: confirmed');
    expect(agentOutput).toContain('"type": "payment_request.confirmed"');
    expect(agentOutput).toContain('This request was already there');
    expect(agentOutput.match(/^pr_\w+ is confirmed$/gm)).toHaveLength(3);
  });

  it(
    'quick start for auditors: a bundle holds without the service, and a changed one does not',
    async () => {
      const output = await follow(AUDITOR);
      for (const claim of ['decision', 'final_logged', 'log', 'checkpoint'])
        expect(output).toMatch(new RegExp(`^✓ ${claim} `, 'm'));
      expect(output).toMatch(/^✗ facts /m);
      expect(output).toContain('the change was found');
    },
    PATIENCE_MS,
  );

  // What they wait for overlaps.
  describe.concurrent('in its folder', () => {
    it(
      'quick start for merchants: from a mail address to a payee, an agent, verified webhooks and a paid test request',
      async () => {
        const output = await follow(MERCHANT);
        expect(output.match(/^active$/gm)).toHaveLength(5);
        expect(output).toContain('recipient.version_activated');
        expect(output).toMatch(/^pr_\w+ is confirmed$/m);
        expect(output).toMatch(/^webhook\.verification .* payment_request\.confirmed\b/m);
      },
      PATIENCE_MS,
    );

    it(
      'quick start for wallets: decides, survives a crash without signing twice, joins and recovers',
      async () => {
        const output = await follow(WALLET);
        expect(output.match(/^pr_\w+ is confirmed$/gm)).toHaveLength(3);
        expect(output.match(/^pr_\w+ is rejected$/gm)).toHaveLength(1);
        expect(output).toContain('the wallet died');
        expect(output).toContain('signed once');
        const wallets = [...output.matchAll(/belongs to (wlt_\w+)/g)].map((match) => match[1]);
        expect(wallets).toHaveLength(3);
        expect(new Set(wallets).size).toBe(1);
      },
      PATIENCE_MS,
    );

    it(
      'idempotency and retries: a program that is killed twice has made one request',
      async () => {
        const output = await follow(RETRIES, asAgent);
        expect(output).toContain('killed before the create was sent');
        expect(output).toContain('killed before the response was used');
        expect(output).toMatch(/^order-77: pr_\w+ \(already requested\)$/m);
      },
      PATIENCE_MS,
    );

    it(
      'the command: every example',
      async () => {
        const output = await follow(COMMAND, asCommand);
        expect(output).toContain('exit code 4');
        expect(output).toContain('the wallet died');
      },
      PATIENCE_MS,
    );
  });
});

describe('in a clone after npm ci', () => {
  let checkout: Checkout;
  beforeAll(async () => {
    checkout = await makeCheckout();
  }, PATIENCE_MS);
  afterAll(() => checkout.remove());

  it(
    'README and the API with curl: starts with one command, every call as written, and a backup that restores',
    async () => {
      const { folder: cwd, port } = checkout;
      const replacements = new Map([['127.0.0.1:8787', `127.0.0.1:${port}`]]);
      const options = { cwd, env: readerEnv(cwd), replacements };
      const [start] = unclaimed('README.md');
      expect(start?.code).toBe('npm ci && npm start\n');
      if (start) executed.add(nameOf(start));
      const first = await checkout.start();
      expect(first.output()).toContain(`http://127.0.0.1:${port}`);
      // Twice, as readers do: every time with the link of the newest mail.
      for (let time = 0; time < 2; time += 1) {
        const { output } = await type(unclaimed('docs/guides/by-hand.md'), options);
        expect(output).toContain('_svc-challenge.shop.example');
        expect(output).toContain('svc_dt_');
      }
      await first.stop();

      const backup = unclaimed(OPERATOR).filter(({ code }) => code.includes('payassent.backup'));
      expect(backup).toHaveLength(2);
      // Next to the clone, so that it is removed with it.
      replacements.set('../payassent.backup', './payassent.backup');
      await type(backup, options);
      const second = await checkout.start();
      const cookie = /svc_session\t(\S+)/.exec(readFileSync(join(cwd, 'data.broken/cookies'), 'utf8'))?.[1];
      const session = await fetch(`http://127.0.0.1:${port}/v1/merchant-sessions/current`, {
        headers: { cookie: `svc_session=${cookie}` },
      });
      expect(await session.json()).toMatchObject({ ok: true, merchant: { name: 'My Shop' } });
      await second.stop();
    },
    PATIENCE_MS,
  );

  it(
    'quick start for hosts: settings, several processes, health, metrics, a backup and a new master key',
    async () => {
      const database = await createDatabase({ empty: true });
      const { folder: cwd, port } = checkout;
      const under = (step: string) => unclaimed(OPERATOR).filter(({ heading }) => heading.startsWith(step));
      const [[settings], starts, restarts, [learn, swap, rotate]] = [
        under('2.'),
        under('3.'),
        under('8.'),
        under('9.'),
      ];
      const key = [mustBe(learn), ...restarts, mustBe(swap), ...restarts, mustBe(rotate)];
      const env = { ...readerEnv(cwd), SVC_PORT: String(port) };
      const address = /^DATABASE_URL=(.*)$/m.exec(mustBe(settings).code)?.[1] ?? '';
      const replacements = new Map([
        ['127.0.0.1:8787', `127.0.0.1:${port}`],
        [address, database.url],
      ]);
      const { output } = await type([mustBe(settings), ...starts, ...under('7.'), ...key], {
        cwd,
        env,
        replacements,
      });
      expect(output).toMatch(/"status":\s*"ok"/);
      expect(output.match(/"status":\s*"ready"/g)).toHaveLength(2);
      expect(output).toContain('The database is at schema');
      expect(output).toContain('Written and restored on trial');
      await database.drop();
    },
    PATIENCE_MS,
  );
});

describe('against a service', () => {
  let service: TestService;
  let everyone: Everyone;
  beforeAll(async () => {
    service = await startService();
    everyone = await wholeWorld(service);
  });
  afterAll(() => service.close());

  it('webhooks: the receiver in Python passes verification, takes genuine messages, refuses others', async () => {
    const [block] = take('docs/guides/webhooks.md', 'python');
    if (block === undefined) throw new Error('There is no receiver in Python');
    const receiver = await tryReceiver(block, ['python3'], everyone.merchant);
    const { payment_request } = await everyone.connection.paymentRequests.create({
      recipient_id: everyone.payee.recipientId,
      payment: { amount: '1' },
      display: { note: 'über — 支払い 🧾' },
    });
    await expect.poll(receiver.output).toMatch(/evt_\w+ payment_request\.created/);
    expect(payment_request.status).toBe('pending');
    const refused = await receiver.sendForgeries();
    expect(refused).toEqual([401, 401, 401, 401, 401]);
    await receiver.stop();
  });

  it('automation policies: the requests of the page do what the page describes', async () => {
    const { merchant, registered, connectionId, payee, deviceToken, wallet } = everyone;
    const { api_key } = await merchant.access.createApiKey({ name: 'Shop', agent_id: registered.agentId });
    const { devices } = await wallet.devices.list();
    const values: Record<string, string> = {
      con_: connectionId,
      rcp_: payee.recipientId,
      svc_key_test_: api_key,
      G: stellarAddress(),
      dev_: devices[0]?.device_id ?? '',
      svc_dt_: deviceToken,
      pol_: '',
    };
    const [create, pay] = take('docs/guides/automation-policies.md', 'http');
    const [optIn] = take('docs/guides/wallet-duties.md', 'http');
    const now = Date.now();
    const window = {
      from: new Date(now - 60_000).toISOString(),
      until: new Date(now + 3_600_000).toISOString(),
    };
    const draft = await send(create, values, { validity_window: window });
    expect(draft).toMatchObject({ status: 201, body: { data: { status: 'draft' } } });
    values['pol_'] = draft.body.data.id;
    const active = await send(optIn, values, { version: draft.body.data.version });
    expect(active).toMatchObject({ status: 200, body: { data: { status: 'active' } } });
    expect(await send(pay, values)).toMatchObject({ status: 201, body: { data: { amount: '7.50' } } });
    expect((await send(pay, values)).status).toBe(200);
    const [details] = take('docs/guides/automation-policies.md', 'json');
    const { headers, body } = shownRequest(mustBe(pay), values);
    const refused = await sendAs(
      { ...headers, 'X-Idempotency-Key': 'order-1043' },
      { ...body, amount: '300' },
    );
    expect(refused).toMatchObject({ status: 403, body: { error: { code: 'HC_NC_5_HITL_REQUIRED' } } });
    expect(membersOf(refused.body.error.details)).toEqual(shownMembers(mustBe(details)));
  });

  it('evidence: the digests of the page, in code and by hand', async () => {
    const [line] = take('docs/auditors/payee-proof.md', 'json');
    const [digest] = take('docs/auditors/payee-proof.md', '');
    const [byHand] = take('docs/auditors/payee-proof.md', 'sh');
    const [inCode] = take('docs/auditors/payee-proof.md', 'ts');
    const canonical = mustBe(line).code.trim();
    const expected = mustBe(digest).code.trim();
    expect(`sha256:${createHash('sha256').update(canonical).digest('hex')}`).toBe(expected);
    const env = { ...process.env, canonical_json: canonical };
    const printed = execFileSync('sh', ['-c', mustBe(byHand).code], { env, encoding: 'utf8' });
    expect(`sha256:${printed.split(' ')[0]}`).toBe(expected);

    const { merchant, domainId } = await activeMerchant(service);
    const { recipient, recipient_version } = await merchant.recipients.create({
      ...{ name: 'Shop', network: 'stellar_testnet', asset: 'XLM', address: stellarAddress() },
    });
    const answer = await merchant.recipients.verify(recipient.recipient_id, {
      recipient_version_id: recipient_version.recipient_version_id,
      type: 'domain_proof',
      source_id: domainId,
      version: recipient.version,
    });
    const [, ...code] = mustBe(inCode).code.split('\n');
    const same = new Function('answer', 'evidenceDigest', `${code.join('\n')}\nreturn same;`);
    expect(same(answer, evidenceDigest)).toBe(true);
  });

  async function send(block: Block | undefined, values: Values, change: object = {}) {
    const { path, headers, body } = shownRequest(mustBe(block), values);
    return sendAs(headers, { ...body, ...change }, path);
  }

  async function sendAs(headers: Record<string, string>, body: object, path = '/v1/agent-payments') {
    const answer = await fetch(`${service.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: await answer.json() };
  }
});

function mustBe<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The page has no such block');
  return value;
}

describe('every page', () => {
  const blocks = PAGES.flatMap(blocksOf);

  it('has no block that was neither executed nor claimed with a reason', () => {
    expect(blocks.length).toBeGreaterThan(80);
    const forgotten = blocks.filter((block) => !executed.has(nameOf(block)) && claimOf(block) === undefined);
    expect(forgotten.map(nameOf)).toEqual([]);
  });

  it('needs every claim', () => {
    const used = new Set(blocks.map(claimOf));
    expect(CLAIMS.filter((claim) => !used.has(claim))).toEqual([]);
  });

  it('cites only existing code and tests', () => {
    const security = PAGES.filter((page) => page.startsWith('docs/security/'))
      .map(readPage)
      .join('\n');
    const cited = [...security.matchAll(/`((?:protocol|sdk|server)\/[\w./-]+)`/g)];
    expect(cited.length).toBeGreaterThan(50);
    expect(cited.map((match) => match[1] ?? '').filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });
});
