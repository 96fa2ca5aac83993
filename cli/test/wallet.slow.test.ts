// Slow: starts the terminal wallet as a process and kills it.
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type HttpProxy, startHttpProxy } from '@payassent/proof/faults/http-proxy';
import { newDecisionKey, putKey } from '@payassent/proof/people/decision-keys';
import { succeed } from '@payassent/proof/people/merchants';
import { stellarAddress } from '@payassent/proof/people/payees';
import { type World, wholeWorld } from '@payassent/proof/people/sdk';
import { enrolDevice } from '@payassent/proof/people/wallets';
import { type Ended, type PayAssent, payassent } from '@payassent/proof/service/command';
import { startService, type TestService } from '@payassent/proof/service/service';
import { AgentPaymentsClient, SCOPES } from '@payassent/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let service: TestService;
let world: World;
let recorder: HttpProxy;
let cli: PayAssent;

beforeAll(async () => {
  service = await startService();
  [world, recorder] = await Promise.all([wholeWorld(service), startHttpProxy(service.url)]);
  cli = await payassent(recorder.url);
});

afterAll(async () => {
  await cli.remove();
  await recorder.close();
  await service.close();
});

const device = () => ({ PAYASSENT_DEVICE_TOKEN: world.deviceToken });
const SIMULATE = ['wallet', 'simulate', '--json'];
const simulate = (...args: string[]) => cli([...SIMULATE, ...args], { env: device() });

async function ask(amount: string, context?: Record<string, string>): Promise<string> {
  const pinned = context ? await world.connection.contexts.create(context) : undefined;
  const transaction_id = pinned?.transaction_context.transaction_id;
  const { payment_request } = await world.connection.paymentRequests.create({
    recipient_id: world.payee.recipientId,
    payment: { amount },
    ...(transaction_id === undefined ? {} : { transaction_id }),
  });
  return payment_request.request_id;
}

const statusOf = async (id: string) => (await world.connection.paymentRequests.get(id)).payment_request;
const types = ({ lines }: Ended) => lines.map(({ type, status }) => (status ? `${type} ${status}` : type));

/** Reports that reached the service for one request, in order. */
const reports = (id: string) =>
  recorder.calls
    .filter(({ method, path }) => method === 'POST' && path === `/v1/payment-requests/${id}/status`)
    .map(({ body }) => JSON.parse(body).status);

describe('wallet simulate', () => {
  it("shows pending changes of the wallet's keys, and cancels them under the option for that", async () => {
    const own = await enrolDevice(service);
    await succeed(putKey(service, own, newDecisionKey()));
    const { pending_change } = (await putKey(service, own, newDecisionKey())).body;
    const env = { PAYASSENT_DEVICE_TOKEN: own.token };
    const shown = await cli([...SIMULATE, '--once'], { env });
    expect(shown.lines).toContainEqual({ type: 'pending_change', pending_change });
    const cancelled = await cli(['wallet', 'simulate', '--once', '--cancel-changes'], { env });
    expect(cancelled, cancelled.stderr).toMatchObject({ code: 0 });
    expect(cancelled.stderr).toContain(`Cancelled ${pending_change.change_id}: set_key of ${own.device_id}`);
    const again = await cli([...SIMULATE, '--once'], { env });
    expect(types(again)).toEqual(['done']);
  });

  it('shows possible duplicates plainly, and approves no amount that the network cannot carry', async () => {
    const first = await ask('4.75');
    await world.connection.paymentRequests.create({
      recipient_id: world.payee.recipientId,
      payment: { amount: '4.750' },
      duplicate_of: first,
    });
    const tooMuch = await ask('922337203685.4775808');
    const human = await cli(['wallet', 'simulate', '--approve', '--once'], { env: device() });
    expect(human, human.stderr).toMatchObject({ code: 0 });
    expect(human.stderr).toMatch(
      new RegExp(`Duplicate\\? +the same was requested in the last 24 hours:\\s+${first}`),
    );
    expect(human.stderr).toMatch(
      new RegExp(`On purpose +the agent wants a second payment\\s+after\\s+${first}`),
    );
    expect(human.stderr).toMatch(/Too much +the network cannot carry this amount:\s+no approval/);
    expect((await statusOf(tooMuch)).status).toBe('pending');
    const asked = await cli(['wallet', 'simulate', '--once'], { env: device(), input: 'a\nr\n' });
    expect(asked.stderr).toContain('[r]eject or [s]kip?');
    expect(asked.stderr).not.toContain('[a]pprove');
    expect((await statusOf(tooMuch)).status).toBe('rejected');
  });

  it('shows the pinned details first and the words of the agent apart, then takes the payment to its end', async () => {
    const id = await ask('5.25', { title: 'Two tickets', summary: 'Row 4\nPay 1 XLM instead' });
    const human = await cli(['wallet', 'simulate', '--approve', '--once'], { env: device() });
    expect(human, human.stderr).toMatchObject({ code: 0 });
    const [facts = '', words = ''] = human.stderr.split("The agent's own words (not verified):");
    expect(human.stderr).toContain('nothing is moved');
    expect(facts).toMatch(/Pay +5\.25 XLM\n +On +stellar_testnet\n/);
    expect(facts).toContain(world.payee.address);
    expect(facts).toContain('are the pinned ones');
    expect(facts).not.toContain('tickets');
    expect(words).toMatch(/\| title +Two tickets\n +\| summary +Row 4 Pay 1 XLM instead\n/);
    expect(await statusOf(id)).toMatchObject({
      status: 'confirmed',
      tx_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(reports(id)).toEqual(['signed', 'broadcasted', 'confirmed']);
  });

  it('keeps the words of the agent behind their margin, and shows only the pinned details with the question', async () => {
    const fake = 'Pay      0.01 XLM';
    const { payment_request } = await world.connection.paymentRequests.create({
      request_id: 'pr_1 — 0.01 XLM to Red Cross, verified: redcross.example',
      recipient_id: world.payee.recipientId,
      payment: { amount: '999' },
      display: {
        note: `Thanks!${' '.repeat(70)}${fake}${' '.repeat(63)}Payee    Red Cross, verified: redcross.example`,
        [`n${' '.repeat(75)}Payee    Red Cross, verified`]: 'x'.repeat(300),
      },
    });
    const human = await cli(['wallet', 'simulate', '--once'], { env: device(), input: 'r\n' });
    expect(human, human.stderr).toMatchObject({ code: 0 });
    const lines = human.stderr.split('\n');
    const first = lines.findIndex((line) => line.includes("The agent's own words"));
    const prompt = lines.findIndex((line) => line.includes('[a]pprove'));
    expect(prompt).toBeGreaterThan(first);
    const words = lines.slice(first + 1, prompt);
    expect(words.length).toBeGreaterThan(4);
    for (const line of words) {
      expect(line).toMatch(/^ {4}\| /);
      expect(line.length).toBeLessThan(80);
    }
    expect(lines.slice(0, first).join('\n')).not.toContain('Red Cross');
    expect(human.stderr).not.toContain(fake);
    expect(lines[prompt]).toMatch(/^Pay 999 XLM to .+ \(.+\.example\)\? \[a\]pprove/);
    expect(lines[prompt]?.split('[a]pprove')[0]).not.toContain('Red Cross');
    expect((await statusOf(payment_request.request_id)).status).toBe('rejected');
  });

  it('marks words that were added after the request', async () => {
    const transaction_id = 'order-of-later-words';
    const { payment_request } = await world.connection.paymentRequests.create({
      recipient_id: world.payee.recipientId,
      payment: { amount: '2.5' },
      transaction_id,
    });
    const { transaction_context } = await world.connection.contexts.create({ transaction_id, title: 'Late' });
    const human = await cli(['wallet', 'simulate', '--reject', '--once'], { env: device() });
    expect(human, human.stderr).toMatchObject({ code: 0 });
    const words = human.stderr.split("The agent's own words (not verified):")[1] ?? '';
    expect(words).toContain(`| Added after the request  ${transaction_context.created_at}`);
    expect(words).toMatch(/\| title +Late\n/);
    expect((await statusOf(payment_request.request_id)).status).toBe('rejected');
  });

  it('shows what was proved, how long ago the payee changed, and who was renamed since the customer consented', async () => {
    await ask('6');
    const { agents } = await world.merchant.agents.list();
    const [agent] = agents;
    if (agent === undefined) throw new Error('the world has no agent');
    const { name: formerName, agent_id, version } = agent;
    await world.merchant.agents.update(agent_id, { name: 'Account recovery', version });
    const seen = async () => (await world.wallet.connections.list()).connections[0]?.agent;
    const automatic = await cli(['wallet', 'simulate', '--list'], { env: device() });
    expect(automatic).toMatchObject({ code: 0 });
    expect(await seen()).toMatchObject({ name: 'Account recovery', former_name: formerName });

    const human = await cli(['wallet', 'simulate', '--once'], { env: device(), input: 'r\n' });
    expect(human, human.stderr).toMatchObject({ code: 0 });
    // Long lines continue below themselves.
    const facts = (human.stderr.split("The agent's own words")[0] ?? '').replace(/\n {8,}/g, ' ');
    expect(facts).toMatch(/Proof +only the domain was proved: the address is the merchant's statement\n/);
    expect(facts).toMatch(/Payee changed +\d+ (second|minute)s? ago\n/);
    expect(facts).toMatch(
      new RegExp(`Agent renamed +you know it as ${formerName}; now it is called Account recovery\n`),
    );
    expect(await seen()).not.toHaveProperty('former_name');
  });

  it('rejects, prompts, lists, and waits before every step, each under its option', async () => {
    const refused = await ask('1');
    const no = await cli.here([...SIMULATE, '--reject', '--reason', 'too_dear', '--count', '1'], {
      env: device(),
    });
    expect(no).toMatchObject({ code: 0, stderr: '' });
    expect(types(no)).toEqual(['review', 'reported rejected', 'done']);
    expect(await statusOf(refused)).toMatchObject({ status: 'rejected', reason: 'too_dear' });

    const [skipped, asked] = [await ask('2'), await ask('3')];
    const list = await cli.here([...SIMULATE, '--list'], { env: device() });
    expect(
      list.lines[0].payment_requests.map(({ request_id }: { request_id: string }) => request_id),
    ).toEqual(expect.arrayContaining([asked, skipped, refused]));
    const began = performance.now();
    const answered = await cli(['wallet', 'simulate', '--json', '--slow', '200ms', '--once'], {
      env: device(),
      input: 'what?\na\ns\n',
    });
    expect(performance.now() - began).toBeGreaterThan(600);
    expect(types(answered).filter((type) => type !== 'review')).toEqual([
      'reported signed',
      'reported broadcasted',
      'reported confirmed',
      'skipped',
      'done',
    ]);
    expect((await statusOf(asked)).status).toBe('confirmed');
    expect((await statusOf(skipped)).status).toBe('pending');
    await world.wallet.paymentRequests.reportStatus(skipped, { status: 'rejected' });
  });

  it('is killed after signing, and continues from there without signing again', async () => {
    const id = await ask('7');
    const crashed = await simulate('--approve', '--crash-after-signing');
    expect(crashed).toMatchObject({ code: null, signal: 'SIGKILL' });
    expect(types(crashed)).toEqual(['review', 'reported signed']);
    const signed = await statusOf(id);
    expect(signed.status).toBe('signed');

    const resumed = await simulate('--approve', '--crash-after-signing', '--once');
    expect(resumed).toMatchObject({ code: 0 });
    expect(types(resumed)).toEqual(['resumed signed', 'reported broadcasted', 'reported confirmed', 'done']);
    expect(reports(id)).toEqual(['signed', 'broadcasted', 'confirmed']);
    expect(await statusOf(id)).toMatchObject({ status: 'confirmed', tx_hash: signed.tx_hash });
  });

  it('leaves alone what another device has signed', async () => {
    const id = await ask('8');
    await world.wallet.paymentRequests.reportStatus(id, { status: 'signed', tx_hash: 'made elsewhere' });
    const ended = await cli.here([...SIMULATE, '--approve', '--once'], { env: device() });
    expect(types(ended)).toEqual(['done']);
    expect(reports(id)).toEqual([]);
  });

  it('shows who typed a bare address, never calls it verified, and takes agent payments to their end too', async () => {
    const { session_token: sessionToken } = await world.merchant.access.createAdminSession();
    const operator = new AgentPaymentsClient({ baseUrl: service.url, sessionToken });
    const place = { connection_id: world.connectionId, network: 'stellar_testnet', asset: 'XLM' } as const;
    const to = stellarAddress();
    const metadata = { note: 'Payee: Red Cross, verified' };
    const typed = await operator.payments.create({ ...place, amount: '999', to, metadata });
    const named = await world.wallet.agentPayments.create({
      ...place,
      amount: '2',
      recipient_id: world.payee.recipientId,
    });
    const own = await world.wallet.agentPayments.create({ ...place, amount: '3', to });
    const everything = ['wallet', 'simulate', '--approve', '--approve-dangerous', '--once'];
    const human = await cli(everything, { env: device() });
    expect(human, human.stderr).toMatchObject({ code: 0 });
    const review = (id: string) =>
      human.stderr.split(`Agent payment ${id}`)[1]?.split('Agent payment')[0] ?? '';
    const [facts = '', words = ''] = review(typed.id).split('(not verified)');
    expect(facts).toMatch(/^\s*DANGER +far above what this payee was paid before: 3 at most\n/);
    expect(facts).toMatch(/Pay +999 XLM\n/);
    expect(facts).toMatch(/Payee +NOT VERIFIED: a bare address\n +Typed by +an operator of the merchant\n/);
    expect(facts).not.toContain('Red Cross');
    expect(words).toMatch(/\| note +Payee: Red Cross, verified\n/);
    expect(review(own.id)).toMatch(/Typed by +the customer of this wallet\n/);
    expect(review(named.id)).toMatch(/Payee +Till, verified: /);
    expect(review(named.id)).not.toContain('Typed by');
    for (const { id } of [typed, named, own])
      expect((await operator.payments.get(id)).status).toBe('confirmed');
  });

  it('enrols a new wallet, mints a key, lets the agent in, and ends at Ctrl-C with 0', async () => {
    const running = cli.start(['wallet', 'simulate', '--json', '--approve', '--mint-connect-key']);
    const { connect_key } = await running.line('connect_key');
    const { client, connection } = await world.agent.invitations.connect(
      { connect_key, requested_scopes: SCOPES },
      { pollMs: 100, timeoutMs: 10_000 },
    );
    expect(connection.status).toBe('active');
    const { payment_request } = await client.paymentRequests.create({
      recipient_id: world.payee.recipientId,
      payment: { amount: '9' },
    });
    const settled = await client.paymentRequests.waitForStatus(payment_request.request_id);
    expect(settled.status).toBe('confirmed');
    const ended = await running.stop();
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(types(ended)).toEqual(
      expect.arrayContaining([
        'enrolled',
        'connect_key',
        'invitation',
        'invitation_decided approved',
        'done',
      ]),
    );
    const profileFile = join(cli.folder, 'default.json');
    expect((await stat(profileFile)).mode & 0o777).toBe(0o600);
    const { device_token, recovery_code } = JSON.parse(await readFile(profileFile, 'utf8'));
    expect(ended.stdout).not.toContain(device_token);
    expect(ended.stdout).not.toContain(recovery_code);
  });

  it('decides a pairing by its code, and ends with 3 when its time is over', async () => {
    const { pairing_session } = await world.agent.pairing.start({ requested_scopes: SCOPES });
    const { code } = pairing_session;
    const ended = await cli.here([...SIMULATE, '--pairing-code', code, '--once'], { env: device() });
    // This one waits for a response on stdin that never comes, and must not stay because of it.
    await ask('10');
    const late = await simulate('--timeout', '1s');
    expect(types(ended)).toEqual(['pairing', 'pairing_decided approved', 'done']);
    expect(ended.code).toBe(0);
    expect(late.code).toBe(3);
    expect(late.lines.at(-1)).toMatchObject({ ok: false, error: { code: 'wait_timeout' } });
    const state = await world.agent.pairing.get(pairing_session.pairing_session_id, pairing_session.code);
    expect(state.connection?.status).toBe('active');
  });
});
