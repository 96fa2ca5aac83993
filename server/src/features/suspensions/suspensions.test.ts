import { signAssertion } from '@payassent/proof/people/agents';
import { createKey, openAdminSession } from '@payassent/proof/people/autonomy';
import {
  outcome,
  proveDomain,
  succeed,
  verifiedMerchant,
  verifyEmail,
} from '@payassent/proof/people/merchants';
import {
  type PaymentStage,
  paymentStage,
  pendingRequest,
  pollRequests,
  postRequest,
  readRequest,
} from '@payassent/proof/people/payments';
import { agentToken, claim, deviceOf } from '@payassent/proof/people/wallets';
import { secondService } from '@payassent/proof/service/second-service';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeSuspension } from '../../maintenance/commands.ts';
import type { SuspensionOrder } from './suspend.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const order = (kind: SuspensionOrder['kind'], target: string, more: Partial<SuspensionOrder> = {}) =>
  changeSuspension(service.env, () => {}, { kind, target, isLifted: false, ...more });
const lift = (kind: SuspensionOrder['kind'], target: string) => order(kind, target, { isLifted: true });

/** Every credential of a merchant's side, each on a call that works while nothing is suspended. */
async function doors(stage: PaymentStage): Promise<Record<string, () => Promise<string>>> {
  const { merchant, agent, connectionId } = stage;
  const { session } = merchant;
  const { apiKey } = await createKey(service, session, agent.agentId);
  const admin = await openAdminSession(service, session);
  const bearer = await agentToken(service, agent);
  const { claimToken, invitationId } = await claim(service, agent, stage.device);
  const answers = async (pending: ReturnType<typeof service.call>) => outcome(await pending);
  const payment = { connection_id: connectionId, network: 'stellar_testnet', asset: 'XLM', amount: '1' };
  return {
    'a session reads': () => answers(service.call('GET', '/v1/merchants/current', { session })),
    'a session changes': () =>
      answers(
        service.call('POST', '/v1/agents', {
          session,
          body: { name: 'x', runtime: 'node', environment: 'test', allowed_scopes: agent.allowedScopes },
        }),
      ),
    'an admin session': () => answers(service.call('GET', '/v1/agent-payments', { bearer: admin })),
    'an API key': () => answers(service.call('GET', '/v1/agent-payments', { apiKey })),
    'an agent token': () => answers(service.call('GET', '/v1/connections', { bearer })),
    'an assertion': () =>
      answers(
        service.call('POST', '/v1/agent-auth/token', {
          body: { assertion: signAssertion(service, agent) },
        }),
      ),
    'a claim token': () =>
      answers(service.call('GET', `/v1/connect-invitations/${invitationId}`, { bearer: claimToken })),
    'a poll': () => answers(pollRequests(service, stage)),
    'a create': () => answers(postRequest(service, stage)),
    "the user's own payment": () =>
      answers(
        service.call('POST', '/v1/agent-payments', {
          device: deviceOf(stage.device),
          idempotencyKey: Math.random().toString(36),
          body: { ...payment, recipient_id: stage.payee.recipientId },
        }),
      ),
  };
}

async function knock(all: Record<string, () => Promise<string>>): Promise<Record<string, string>> {
  const results: Record<string, string> = {};
  for (const [name, door] of Object.entries(all)) results[name] = await door();
  return results;
}

describe('a merchant that the host suspends', () => {
  it('is immediately refused with every credential, in every process, until it is lifted', async () => {
    const [stage, other] = [await paymentStage(service), await paymentStage(service)];
    const all = await doors(stage);
    const before = await knock(all);
    expect(Object.values(before).filter((answer) => !/^20[01] ok$/.test(answer))).toEqual([]);
    const elsewhere = await secondService(service);

    const done = await order('merchant', stage.merchant.merchantId, { reason: 'phishing' });
    expect(done).toMatchObject({ kind: 'merchant', suspended: true, changed: true });
    expect(new Set(Object.values(await knock(all)))).toEqual(new Set(['403 merchant_not_active']));
    expect(outcome(await postRequest(elsewhere, stage))).toBe('403 merchant_not_active');
    expect((await postRequest(service, other)).status).toBe(201);

    expect((await order('merchant', stage.merchant.merchantId)).changed).toBe(false);
    expect((await lift('merchant', stage.merchant.merchantId)).changed).toBe(true);
    expect(await knock(all)).toEqual(before);
    const trail = await succeed(
      service.call('GET', '/v1/audit-events', {
        session: stage.merchant.session,
        query: { target_id: stage.merchant.merchantId },
      }),
    );
    expect(trail.body.audit_events.slice(0, 2)).toMatchObject([
      { type: 'merchant.unsuspended', actor: { kind: 'installation' } },
      { type: 'merchant.suspended', actor: { kind: 'installation' }, details: { reason: 'phishing' } },
    ]);
  });

  it('is not verified any more in the open decisions of its customers, nor among their connections', async () => {
    const stage = await paymentStage(service);
    const { request_id } = await pendingRequest(service, stage);
    const device = deviceOf(stage.device);
    const seen = async () => {
      const { body } = await succeed(service.call('GET', `/v1/payment-requests/${request_id}`, { device }));
      const listed = await succeed(service.call('GET', '/v1/connections', { device }));
      const { verified, is_current } = body.payment_request.payee;
      return { verified, is_current, domain: listed.body.connections[0].merchant.verified_domain };
    };
    await order('merchant', stage.merchant.merchantId);
    expect(await seen()).toEqual({ verified: false, is_current: false, domain: null });
    await lift('merchant', stage.merchant.merchantId);
    expect(await seen()).toEqual({ verified: true, is_current: true, domain: stage.merchant.domain });
  });

  it('cannot sign in, keeps its grant, and can still sign out', async () => {
    const merchant = await verifiedMerchant(service);
    const { session_grant, merchants } = await verifyEmail(service, merchant.email);
    const body = { session_grant, choice_id: merchants[0]?.choice_id };
    await order('merchant', merchant.merchantId);
    expect(outcome(await service.call('POST', '/v1/merchant-sessions', { body }))).toBe(
      '403 merchant_not_active',
    );
    const { session } = merchant;
    expect(outcome(await service.call('DELETE', '/v1/merchant-sessions/current', { session }))).toBe(
      '200 ok',
    );
    await lift('merchant', merchant.merchantId);
    expect((await service.call('POST', '/v1/merchant-sessions', { body })).status).toBe(201);
  });

  it('ends a poll that waits, and leaves the customer able to end the connection', async () => {
    const stage = await paymentStage(service);
    await succeed(pollRequests(service, stage));
    const waiting = pollRequests(service, stage, { wait: 20 });
    await new Promise((resolve) => setTimeout(resolve, 300));
    const started = performance.now();
    await order('merchant', stage.merchant.merchantId);
    expect(outcome(await waiting)).toBe('403 merchant_not_active');
    expect(performance.now() - started).toBeLessThan(15_000);
    const device = deviceOf(stage.device);
    expect(outcome(await service.call('DELETE', `/v1/connections/${stage.connectionId}`, { device }))).toBe(
      '200 ok',
    );
  });

  it('has no agent that slips by: 20 that are being made meanwhile are suspended or refused', async () => {
    const { merchant, agent } = await paymentStage(service);
    const { session } = merchant;
    const body = { name: 'x', runtime: 'node', environment: 'test', allowed_scopes: agent.allowedScopes };
    const making = Array.from({ length: 20 }, () => service.call('POST', '/v1/agents', { session, body }));
    await order('merchant', merchant.merchantId);
    await Promise.all(making);
    const free = await service.db`
      select from agents where merchant_id = ${merchant.merchantId} and merchant_suspended_at is null`;
    expect(free).toHaveLength(0);
  });
});

describe('an agent that the host suspends', () => {
  it('is immediately refused with every credential, and its merchant can revoke it but not lift it', async () => {
    const stage = await paymentStage(service);
    const all = await doors(stage);
    const { session } = stage.merchant;
    const path = `/v1/agents/${stage.agent.agentId}`;
    await order('agent', stage.agent.agentId);
    const after = await knock(all);
    for (const door of [
      'an API key',
      'an agent token',
      'an assertion',
      'a claim token',
      'a poll',
      'a create',
    ])
      expect([door, after[door]]).toEqual([door, '403 agent_not_active']);
    expect(after['a session reads']).toBe('200 ok');
    const { agent } = (await succeed(service.call('GET', path, { session }))).body;
    expect(agent.status).toBe('suspended');
    const change = (status: string) =>
      service.call('PATCH', path, { session, body: { status, version: agent.version } });
    expect(outcome(await change('active'))).toBe('409 invalid_status_transition');
    expect(outcome(await change('suspended'))).toBe('409 invalid_status_transition');
    expect(outcome(await postRequest(service, stage))).toBe('403 agent_not_active');
    expect(outcome(await change('revoked'))).toBe('200 ok');
    expect(await lift('agent', stage.agent.agentId)).toMatchObject({ changed: true });
    expect((await succeed(service.call('GET', path, { session }))).body.agent.status).toBe('revoked');
  });

  it('stays suspended when the suspension of its merchant is lifted', async () => {
    const stage = await paymentStage(service);
    await order('agent', stage.agent.agentId);
    await order('merchant', stage.merchant.merchantId);
    await lift('merchant', stage.merchant.merchantId);
    expect(outcome(await postRequest(service, stage))).toBe('403 agent_not_active');
    await lift('agent', stage.agent.agentId);
    expect((await postRequest(service, stage)).status).toBe(201);
  });
});

describe('a domain that the host suspends', () => {
  it('immediately vouches for no one, and cannot be proved by anyone until it is lifted', async () => {
    const stage = await paymentStage(service);
    const { session, domain, domainId, merchantId } = stage.merchant;
    const pending = await pendingRequest(service, stage);
    await order('domain', domainId, { reason: 'phishing' });
    const { payee } = (await succeed(readRequest(service, stage, pending.request_id))).body.payment_request;
    expect(payee).toMatchObject({ verified: false, is_current: false });
    expect(outcome(await postRequest(service, stage))).toBe('409 recipient_not_active');

    const verify = () =>
      service.call('POST', `/v1/merchant-domains/${domainId}/verify`, { session, body: {} });
    const refused = await verify();
    expect(outcome(refused)).toBe('409 domain_proof_failed');
    expect(refused.body.error.details.reason).toBe('suspended_by_operator');
    const rival = await verifiedMerchant(service);
    await expect(proveDomain(service, rival.session, domain)).rejects.toThrow(/domain_proof_failed/);
    const trail = await service.db`
      select actor_kind from audit_events where merchant_id = ${merchantId} and type = 'domain.suspended'`;
    expect(trail.map((row) => row['actor_kind'])).toEqual(['installation']);
    const told = () => service.smtp.mails.filter(({ to }) => to.includes(stage.merchant.email)).at(-1)?.text;
    await expect.poll(told).toMatch(/suspended the\s+domain/);

    expect(await lift('domain', domain.toUpperCase())).toMatchObject({ changed: true, id: domain });
    service.dns.set(`_svc-challenge.${domain}`, 'TXT', [stage.merchant.challenge]);
    expect(outcome(await verify())).toBe('200 ok');
  });
});

describe('an order', () => {
  it('takes a name that only one has, and refuses what is absent or ambiguous', async () => {
    const stage = await paymentStage(service);
    await service.db`
      update merchants set name = 'The Only Shop' where merchant_id = ${stage.merchant.merchantId}`;
    expect(await order('merchant', 'The Only Shop')).toMatchObject({ id: stage.merchant.merchantId });
    await expect(order('merchant', 'Example Shop')).rejects.toThrow(/Give its id/);
    await expect(order('merchant', 'nobody')).rejects.toThrow(/There is no merchant "nobody"/);
  });
});
