import { usableAgent } from '@payassent/proof/people/agents';
import { type Autonomy, autonomy, createKey, openAdminSession } from '@payassent/proof/people/autonomy';
import {
  outcome,
  signIn,
  signUp,
  succeed,
  type TestMerchant,
  verifiedMerchant,
} from '@payassent/proof/people/merchants';
import { startService, type TestService } from '@payassent/proof/service/service';
import { withTypo } from '@payassent/proof/surroundings/hostile-inputs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let service: TestService;
let world: Autonomy;
beforeAll(async () => {
  service = await startService();
  world = await autonomy(service);
});
afterAll(() => service.close());

const uses = (sent: { apiKey?: string; bearer?: string }) => service.call('GET', '/v1/agent-payments', sent);

describe('API keys', () => {
  it('are shown once, listed without the key, and refused immediately after they are revoked', async () => {
    const { session } = world.merchant;
    const body = { name: 'Deploy', agent_id: world.agent.agentId };
    const made = await service.call('POST', '/v1/api-keys', { session, body });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ ok: true, ...body, api_key_id: expect.stringMatching(/^key_/) });
    const { api_key: apiKey, api_key_id: id } = made.body;
    expect(apiKey).toMatch(/^svc_key_test_/);
    expect((await uses({ apiKey })).status).toBe(200);

    const list = await service.call('GET', '/v1/api-keys', { bearer: world.admin });
    expect(list.body.api_keys[0]).toMatchObject({ api_key_id: id, name: 'Deploy', status: 'active' });
    expect(list.text).not.toContain(apiKey);
    const stored = await service.db`select key_hash from api_keys where api_key_id = ${id}`;
    expect(JSON.stringify(stored)).not.toContain(apiKey);

    const revoked = await service.call('DELETE', `/v1/api-keys/${id}`, { bearer: world.admin });
    expect(revoked.body).toMatchObject({ ok: true, api_key: { api_key_id: id, status: 'revoked' } });
    expect(outcome(await uses({ apiKey }))).toBe('401 token_revoked');
    const again = await service.call('DELETE', `/v1/api-keys/${id}`, { session });
    expect(again.body).toEqual(revoked.body);
    const trail = await service.call('GET', '/v1/audit-events', { session, query: { target_id: id } });
    const types = trail.body.audit_events.map((event: { type: string }) => event.type);
    expect(types).toEqual(['api_key.revoked', 'api_key.created']);
  });

  it('work while their agent does', async () => {
    const { session } = world.merchant;
    const agent = await usableAgent(service, world.merchant);
    const { apiKey } = await createKey(service, session, agent.agentId);
    let { version } = agent;
    const set = async (status: string) => {
      const path = `/v1/agents/${agent.agentId}`;
      const answer = await succeed(service.call('PATCH', path, { session, body: { status, version } }));
      version = answer.body.agent.version;
    };
    await set('suspended');
    expect(outcome(await uses({ apiKey }))).toBe('403 agent_not_active');
    await set('active');
    expect(outcome(await uses({ apiKey }))).toBe('200 ok');
    const path = `/v1/agents/${agent.agentId}/credentials/${agent.credentialId}`;
    await succeed(service.call('DELETE', path, { session }));
    expect(outcome(await uses({ apiKey }))).toBe('403 agent_not_active');
    await set('revoked');
    expect(outcome(await uses({ apiKey }))).toBe('403 agent_not_active');
    const body = { name: 'Late', agent_id: agent.agentId };
    expect(outcome(await service.call('POST', '/v1/api-keys', { session, body }))).toBe(
      '403 agent_not_active',
    );
  });

  it('belong to the merchant: others see nothing, and keys make no keys', async () => {
    const stranger = await autonomy(service);
    const { session } = stranger.merchant;
    const body = { name: 'Key', agent_id: world.agent.agentId };
    expect(outcome(await service.call('POST', '/v1/api-keys', { session, body }))).toBe(
      '404 resource_not_found',
    );
    const path = `/v1/api-keys/${world.apiKeyId}`;
    expect(outcome(await service.call('DELETE', path, { session }))).toBe('404 resource_not_found');
    const list = await service.call('GET', '/v1/api-keys', { session });
    expect(list.body.api_keys.map((key: { agent_id: string }) => key.agent_id)).toEqual([
      stranger.agent.agentId,
    ]);
    expect(outcome(await service.call('POST', '/v1/api-keys', { apiKey: world.apiKey, body }))).toBe(
      '401 unauthenticated',
    );
  });

  it('come in their own header, undamaged and once', async () => {
    const { apiKey } = world;
    expect(outcome(await uses({ apiKey: withTypo(apiKey) }))).toBe('401 unauthenticated');
    expect(outcome(await uses({ bearer: apiKey }))).toBe('401 unauthenticated');
    expect(outcome(await uses({ apiKey: world.admin }))).toBe('401 unauthenticated');
    expect(outcome(await uses({}))).toBe('401 unauthenticated');
  });

  it('have a name that people can read', async () => {
    const { session } = world.merchant;
    for (const name of ['', '  ', 'a\u202eb', 'x'.repeat(201)]) {
      const body = { name, agent_id: world.agent.agentId };
      const { status } = await service.call('POST', '/v1/api-keys', { session, body });
      expect([400, 422]).toContain(status);
    }
  });
});

describe('admin sessions', () => {
  let operator: TestMerchant;
  beforeAll(async () => {
    operator = await verifiedMerchant(service);
  });

  it('live for an hour, to the millisecond', async () => {
    service.clock.freeze();
    try {
      const { session } = world.merchant;
      const made = await service.call('POST', '/v1/admin-sessions', { session });
      expect(made.status).toBe(201);
      const { session_token: bearer, expires_at } = made.body;
      expect(Date.parse(expires_at) - service.clock.now().getTime()).toBe(3_600_000);
      service.clock.advance(3_600_000);
      expect(outcome(await uses({ bearer }))).toBe('200 ok');
      service.clock.advance(1);
      expect(outcome(await uses({ bearer }))).toBe('401 token_expired');
    } finally {
      service.clock.release();
    }
  });

  it('need a signed-in team member with the CSRF proof, of an active organization', async () => {
    const session = await signIn(service, operator.email);
    const forged = { session: { ...session, csrf: 'x' } };
    expect(outcome(await service.call('POST', '/v1/admin-sessions', forged))).toBe('403 csrf_invalid');
    const bearer = await openAdminSession(service, session);
    expect(outcome(await service.call('POST', '/v1/admin-sessions', { bearer }))).toBe('401 unauthenticated');
    const pending = await signUp(service);
    expect(outcome(await service.call('POST', '/v1/admin-sessions', { session: pending.session }))).toBe(
      '403 merchant_not_active',
    );
  });

  it('end on request, and with the sign-in that made them', async () => {
    const session = await signIn(service, operator.email);
    const other = await signIn(service, operator.email);
    const bearers = await Promise.all(
      [session, session, other].map((from) => openAdminSession(service, from)),
    );
    const states = () => Promise.all(bearers.map(async (bearer) => outcome(await uses({ bearer }))));
    const ended = await service.call('DELETE', '/v1/admin-sessions/current', { bearer: bearers[0] ?? '' });
    expect(ended.body).toEqual({ ok: true });
    expect(await states()).toEqual(['401 token_revoked', '200 ok', '200 ok']);
    await succeed(service.call('DELETE', '/v1/merchant-sessions/current', { session }));
    expect(await states()).toEqual(['401 token_revoked', '401 token_revoked', '200 ok']);
    await succeed(service.call('DELETE', '/v1/merchant-sessions', { session: other }));
    expect(await states()).toEqual(Array(3).fill('401 token_revoked'));
  });

  it('none is born while its sign-in ends', async () => {
    const session = await signIn(service, operator.email);
    const [ended, ...made] = await Promise.all([
      service.call('DELETE', '/v1/merchant-sessions/current', { session }),
      ...Array.from({ length: 8 }, () => service.call('POST', '/v1/admin-sessions', { session })),
    ]);
    expect(ended?.status).toBe(200);
    for (const { status, body } of made) {
      if (status !== 201) continue;
      expect(outcome(await uses({ bearer: body.session_token }))).toBe('401 token_revoked');
    }
  });
});
