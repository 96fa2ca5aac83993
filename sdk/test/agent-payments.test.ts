import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startHttpProxy } from '@payassent/proof/faults/http-proxy';
import { type World, wholeWorld } from '@payassent/proof/people/sdk';
import { startService, type TestService } from '@payassent/proof/service/service';
import { AgentPaymentsClient, isApiError, type PolicyInput } from '@payassent/sdk';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { payWithinPolicy } from './examples/policies.ts';
import { caught } from './harness/scripted.ts';

let service: TestService;
let world: World;
let apiKey: string;
let agent: AgentPaymentsClient;
let person: AgentPaymentsClient;
beforeAll(async () => {
  service = await startService();
  world = await wholeWorld(service);
  const { agentId } = world.registered;
  apiKey = (await world.merchant.access.createApiKey({ name: 'agent', agent_id: agentId })).api_key;
  const { session_token } = await world.merchant.access.createAdminSession();
  agent = new AgentPaymentsClient({ baseUrl: service.url, apiKey });
  person = new AgentPaymentsClient({ baseUrl: service.url, sessionToken: session_token });
});
afterAll(() => service.close());

function intent(amount: string) {
  const { connectionId, payee } = world;
  const place = { network: 'stellar_testnet', asset: 'XLM' } as const;
  return { connection_id: connectionId, ...place, amount, recipient_id: payee.recipientId };
}

function filledPolicy(): PolicyInput {
  const from = new Date(Date.now() - 60_000).toISOString();
  const until = new Date(Date.now() + 86_400_000).toISOString();
  return {
    connection_id: world.connectionId,
    network: 'stellar_testnet',
    asset: 'XLM',
    single_tx_limit: '10',
    validity_window: { from, until },
    allowlist: [{ recipient_id: world.payee.recipientId }],
  };
}

describe('the second surface', () => {
  it('walks from a refused intent over consent to a confirmed payment, with data unwrapped', async () => {
    const refused = await caught(agent.payments.create(intent('5')));
    if (!isApiError(refused) || refused.code !== 'HC_NC_5_HITL_REQUIRED') throw refused;
    expect(refused.details.triggered_thresholds).toEqual(['no_active_policy']);

    const draft = await agent.policies.create(filledPolicy());
    expect(draft.status).toBe('draft');
    const early = await caught(world.wallet.policies.optIn(draft.id, { version: draft.version }));
    if (!isApiError(early) || early.code !== 'policy_incomplete') throw early;
    expect(early.details.missing).toEqual(['cumulative_limit']);
    const change = { cumulative_limit: '12', version: draft.version };
    const filled = await person.policies.update(draft.id, change);
    const active = await world.wallet.policies.optIn(draft.id, { version: filled.version });
    expect(active.status).toBe('active');

    const trial = await agent.policies.evaluate(draft.id, {
      amount: '11',
      recipient_id: world.payee.recipientId,
    });
    expect(trial).toMatchObject({ verdict: 'hitl_required', triggered_thresholds: ['single_tx_limit'] });

    const folder = await mkdtemp(join(tmpdir(), 'svc-policy-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const { connectionId, payee } = world;
    const example = { baseUrl: service.url, apiKey, connectionId, recipientId: payee.recipientId, folder };
    const told = await payWithinPolicy(example, 'order-7');
    expect(told).toMatch(/ is intent_created$/);
    expect(await payWithinPolicy(example, 'order-7')).toBe(told);
    await agent.payments.cancel(told.split(' ')[0] ?? '');

    const payment = await agent.payments.create(intent('5'));
    expect(payment).toMatchObject({ status: 'intent_created', amount: '5', replayed: false });
    const again = await agent.payments.create(intent('5'), { idempotencyKey: payment.idempotency_key });
    expect([again.id, again.replayed]).toEqual([payment.id, true]);
    const { agentPayments } = world.wallet;
    await agentPayments.reportStatus(payment.id, { status: 'signed' });
    await agentPayments.reportStatus(payment.id, { status: 'broadcasted', tx_hash: 'cd34' });
    await agentPayments.reportStatus(payment.id, { status: 'confirmed' });
    expect(await agent.payments.get(payment.id)).toMatchObject({ status: 'confirmed', tx_hash: 'cd34' });
    expect((await agent.policies.get(draft.id)).usage).toMatchObject({ spent: '5', remaining: '7' });

    const over = await caught(agent.payments.create(intent('8')));
    if (!isApiError(over, 'HC_NC_5_HITL_REQUIRED')) throw over;
    expect([over.details.triggered_thresholds, over.details.max_amount_allowed]).toEqual([
      ['cumulative_limit'],
      '7',
    ]);
    const { resubmit } = over.details;
    const human = await person.payments.create({ ...intent('8'), ...resubmit });
    expect(human.initiated_by).toBe('human');
    expect((await person.payments.cancel(human.id)).status).toBe('cancelled');

    const ids: string[] = [];
    for await (const entry of agent.payments.each({ limit: 1 })) ids.push(entry.id);
    expect(ids).toContain(payment.id);
  });

  it('a create whose response is lost is repeated with the same key', async () => {
    const proxy = await startHttpProxy(service.url);
    proxy.treat((_, index) => (index === 0 ? 'cut_after_commit' : 'forward'));
    const client = new AgentPaymentsClient({ baseUrl: proxy.url, apiKey });
    const created = await client.payments.create(intent('1'));
    expect(created.replayed).toBe(true);
    expect(proxy.calls.map(({ headers }) => headers['x-idempotency-key'])).toEqual([
      created.idempotency_key,
      created.idempotency_key,
    ]);
    expect(proxy.calls.every(({ headers }) => headers['x-svc-api-key'] === apiKey)).toBe(true);
    await proxy.close();
  });

  it('policies are paused, resumed and revoked by those who may', async () => {
    let policy: { id: string; version: number } | undefined;
    for await (const entry of person.policies.each({ status: 'active' })) policy = entry;
    if (!policy) throw new Error('no active policy');
    expect((await person.policies.pause(policy.id)).status).toBe('paused');
    const { version } = await world.wallet.policies.get(policy.id);
    const forbidden = await caught(agent.policies.resume(policy.id, { version }));
    expect(isApiError(forbidden)).toBe(true);
    expect((await world.wallet.policies.resume(policy.id, { version })).status).toBe('active');
    expect((await world.wallet.policies.revoke(policy.id)).status).toBe('revoked');
    expect((await world.merchant.policies.get(policy.id)).status).toBe('revoked');
  });

  it('mainnet is closed, an unknown payment is reported with everything that an error has', async () => {
    const closed = await caught(
      agent.payments.create({ ...intent('1'), network: 'stellar_public' as 'stellar_testnet' }),
    );
    expect(isApiError(closed, 'phase_0_mainnet_disabled')).toBe(true);
    const absent = await caught(agent.payments.get('ap_01ARYZ6S410000000000000000'));
    if (!isApiError(absent, 'resource_not_found')) throw absent;
    expect(absent.requestId).toBeTruthy();
    const { amount: _, ...rest } = intent('1');
    const invalid = await caught(agent.payments.create({ ...rest, amount: '01' }));
    if (!isApiError(invalid, 'validation_failed')) throw invalid;
    expect(invalid.issues.map(({ field, code }) => [field, code])).toEqual([['amount', 'amount_invalid']]);
  });

  it('an admin session ends', async () => {
    await person.endSession();
    const ended = await caught(person.payments.list());
    expect(isApiError(ended) && ended.httpStatus).toBe(401);
  });
});

describe('agent payments of a connection', () => {
  const human = async () => {
    const { session_token: sessionToken } = await world.merchant.access.createAdminSession();
    const operator = new AgentPaymentsClient({ baseUrl: service.url, sessionToken });
    return operator.payments.create({ ...intent('1'), initiated_by: 'human' });
  };

  it('are waited for with any credential, streamed, and read with their history and policies', async () => {
    const { connection, wallet } = world;
    const payment = await human();
    const { next_cursor: since } = await connection.agentPayments.listEvents({ limit: 500 });
    const waiting = connection.agentPayments.waitForStatus(payment.id);
    const byKey = agent.payments.waitForStatus(payment.id, { statuses: ['signed', 'failed'] });
    await wallet.agentPayments.reportStatus(payment.id, { status: 'signed' });
    expect((await byKey).status).toBe('signed');
    for (const status of ['broadcasted', 'confirmed'] as const)
      await wallet.agentPayments.reportStatus(payment.id, { status });
    expect((await waiting).status).toBe('confirmed');

    const streamed = [];
    for await (const event of connection.agentPayments.events({ since, stream: true })) {
      streamed.push(event);
      if (streamed.length === 3) break;
    }
    const { events, status } = await connection.agentPayments.history(payment.id);
    expect([status, events]).toEqual(['confirmed', streamed]);
    expect((await agent.payments.history(payment.id)).events).toEqual(events);
    expect(await connection.agentPayments.get(payment.id)).toMatchObject({ id: payment.id, status });
    expect((await connection.agentPayments.list({ limit: 1 })).items).toMatchObject([{ id: payment.id }]);
    expect(await connection.agentPayments.evidence(payment.id)).toMatchObject({ history: events });
    const [policy] = (await connection.agentPayments.policies()).items;
    if (!policy) throw new Error('the policy of this world is missing');
    expect(await connection.agentPayments.policy(policy.id)).toEqual(policy);
  });

  it('end a wait when what is waited for can no longer come, or the time is over', async () => {
    const { connection, wallet } = world;
    const payment = await human();
    const late = await caught(connection.agentPayments.waitForStatus(payment.id, { timeoutMs: 300 }));
    expect(late).toMatchObject({
      code: 'wait_timeout',
      status: 'intent_created',
      agentPayment: { id: payment.id },
    });
    await wallet.agentPayments.reportStatus(payment.id, { status: 'rejected' });
    const ended = await agent.payments.waitForStatus(payment.id, { statuses: ['confirmed'] });
    expect(ended.status).toBe('rejected');
  });
});
