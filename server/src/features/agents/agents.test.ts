import { exchangeAssertion, provedCredential, usableAgent } from '@payassent/proof/people/agents';
import { type TestMerchant, verifiedMerchant } from '@payassent/proof/people/merchants';
import { stellarAddress } from '@payassent/proof/people/payees';
import type { Received } from '@payassent/proof/service/client';
import { startService, type TestService } from '@payassent/proof/service/service';
import { SCOPES } from '@payassent/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isAgentUsable } from './usable.ts';

let service: TestService;
let merchant: TestMerchant;
beforeAll(async () => {
  service = await startService();
  merchant = await verifiedMerchant(service);
});
afterAll(() => service.close());

const call = (method: string, path: string, body?: unknown): Promise<Received> =>
  service.call(method, path, { session: merchant.session, ...(body === undefined ? {} : { body }) });

const input = {
  name: 'Shopping agent',
  runtime: 'node',
  environment: 'test',
  allowed_scopes: ['payment.requests.create', 'payment.requests.read'],
};

async function newAgent(): Promise<string> {
  return (await call('POST', '/v1/agents', input)).body.agent.agent_id;
}

const issuesOf = (received: Received) =>
  received.body.error.issues.map((issue: { field: string; code: string }) => [issue.field, issue.code]);

describe('registering an agent', () => {
  it('begins as pending with the stated scopes', async () => {
    const received = await call('POST', '/v1/agents', input);
    expect(received.status).toBe(201);
    expect(received.body.agent).toMatchObject({ ...input, status: 'pending', version: 1 });
    const { agent_id } = received.body.agent;
    expect((await call('GET', `/v1/agents/${agent_id}`)).body.agent).toEqual(received.body.agent);
    const events = await call('GET', `/v1/audit-events?target_id=${agent_id}`);
    expect(events.body.audit_events).toMatchObject([{ type: 'agent.created', actor: { kind: 'operator' } }]);
  });

  it('names every unknown scope by its place in the list', async () => {
    const allowed_scopes = ['payment.requests.create', 'payments.all', 'PAYMENT.REQUESTS.READ'];
    const received = await call('POST', '/v1/agents', { ...input, allowed_scopes, name: '' });
    expect(received.status).toBe(400);
    expect(issuesOf(received)).toEqual([
      ['name', 'too_short'],
      ['allowed_scopes[1]', 'scope_unknown'],
      ['allowed_scopes[2]', 'scope_unknown'],
    ]);
  });

  it.each([
    ['no scope', { allowed_scopes: [] }, 'allowed_scopes', 'too_short'],
    ['a scope twice', { allowed_scopes: [SCOPES[0], SCOPES[0]] }, 'allowed_scopes', 'invalid_format'],
    ['a scope that is no text', { allowed_scopes: [5] }, 'allowed_scopes[0]', 'invalid_type'],
    ['a blank name', { name: ' \t' }, 'name', 'invalid_format'],
    ['a runtime of 65 characters', { runtime: 'x'.repeat(65) }, 'runtime', 'too_long'],
    ['an empty environment', { environment: '' }, 'environment', 'too_short'],
    ['an agent_id', { agent_id: 'agt_01ARYZ6S410000000000000000' }, 'agent_id', 'identity_field_forbidden'],
    ['a status', { status: 'active' }, 'status', 'unknown_field'],
  ])('%s is refused', async (_, members, field, code) => {
    const received = await call('POST', '/v1/agents', { ...input, ...members });
    expect(received.status).toBe(400);
    expect(issuesOf(received)).toEqual([[field, code]]);
  });

  it.each([
    ['invisible characters in the name', { name: 'A\u2066gent' }, 'name', 'risk_control_characters'],
    ['an address in the name', { name: `Pay ${stellarAddress()}` }, 'name', 'risk_foreign_address'],
    ['invisible characters in the runtime', { runtime: 'no\u00adde' }, 'runtime', 'risk_control_characters'],
  ])('%s alone is 422', async (_, members, field, code) => {
    const received = await call('POST', '/v1/agents', { ...input, ...members });
    expect(received.status).toBe(422);
    expect(issuesOf(received)).toEqual([[field, code]]);
  });

  it('accepts any word as environment', async () => {
    expect((await call('POST', '/v1/agents', { ...input, environment: 'production' })).status).toBe(201);
  });
});

describe('changing an agent', () => {
  it('moves along the state table and nowhere else', async () => {
    const outcomes: unknown[] = [];
    const agentId = await newAgent();
    let version = 1;
    for (const status of [
      'pending',
      'suspended',
      'active',
      'active',
      'pending',
      'suspended',
      'active',
      'revoked',
    ]) {
      const received = await call('PATCH', `/v1/agents/${agentId}`, { status, version });
      if (received.status === 200) {
        version += 1;
        expect(received.body.agent).toMatchObject({ status, version });
      }
      outcomes.push([status, received.body.error?.code ?? received.status]);
    }
    expect(outcomes).toEqual([
      ['pending', 'invalid_status_transition'],
      ['suspended', 'invalid_status_transition'],
      ['active', 200],
      ['active', 'invalid_status_transition'],
      ['pending', 'invalid_status_transition'],
      ['suspended', 200],
      ['active', 200],
      ['revoked', 200],
    ]);
    const events = await call('GET', `/v1/audit-events?target_id=${agentId}`);
    expect(events.body.audit_events.map((event: { type: string }) => event.type)).toEqual([
      'agent.revoked',
      'agent.activated',
      'agent.suspended',
      'agent.activated',
      'agent.created',
    ]);
  });

  it('names what would have been possible', async () => {
    const agentId = await newAgent();
    const received = await call('PATCH', `/v1/agents/${agentId}`, { status: 'suspended', version: 1 });
    expect(received.body.error).toMatchObject({
      code: 'invalid_status_transition',
      details: { from: 'pending', to: 'suspended', allowed: ['active', 'revoked'] },
    });
  });

  it('a revoked agent never changes again', async () => {
    const agentId = await newAgent();
    await call('PATCH', `/v1/agents/${agentId}`, { status: 'revoked', version: 1 });
    for (const change of [{ status: 'active' }, { status: 'revoked' }, { name: 'Other' }]) {
      const received = await call('PATCH', `/v1/agents/${agentId}`, { ...change, version: 2 });
      expect(received.status).toBe(409);
      expect(received.body.error).toMatchObject({
        code: 'invalid_status_transition',
        details: { from: 'revoked', allowed: [] },
      });
    }
    const key = {
      kid: 'late',
      alg: 'Ed25519',
      public_key: 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    };
    const late = await call('POST', `/v1/agents/${agentId}/credentials`, key);
    expect(late.body.error.code).toBe('invalid_status_transition');
  });

  it('changes name and scopes together with the version', async () => {
    const agentId = await newAgent();
    const change = { name: 'Renamed', allowed_scopes: ['transaction_contexts.read'] };
    const received = await call('PATCH', `/v1/agents/${agentId}`, { ...change, version: 1 });
    expect(received.body.agent).toMatchObject({ ...change, status: 'pending', version: 2 });
  });

  it.each([
    ['no version', { name: 'X' }, [['version', 'required']]],
    ['nothing to change', { version: 1 }, [['body', 'required']]],
    ['an unknown status', { status: 'paused', version: 1 }, [['status', 'invalid_enum']]],
    ['an unknown scope', { allowed_scopes: ['x'], version: 1 }, [['allowed_scopes[0]', 'scope_unknown']]],
    ['a runtime', { runtime: 'deno', version: 1 }, [['runtime', 'unknown_field']]],
  ])('%s is refused', async (_, body, issues) => {
    const received = await call('PATCH', `/v1/agents/${await newAgent()}`, body);
    expect(received.status).toBe(400);
    expect(issuesOf(received)).toEqual(issues);
  });

  it.each([0, 2, -1, 1e15])('version %d instead of 1 is a conflict', async (version) => {
    const received = await call('PATCH', `/v1/agents/${await newAgent()}`, { name: 'X', version });
    expect(received.status).toBe(409);
    expect(received.body.error).toMatchObject({ code: 'version_conflict', details: { current_version: 1 } });
  });
});

describe('revoking an agent', () => {
  it('ends its credentials in the background and is on record', async () => {
    const agent = await usableAgent(service, merchant);
    await provedCredential(service, merchant.session, agent.agentId, 'second');
    await call('PATCH', `/v1/agents/${agent.agentId}`, { status: 'revoked', version: agent.version });
    await expect
      .poll(async () => {
        const { credentials } = (await call('GET', `/v1/agents/${agent.agentId}/credentials`)).body;
        return credentials.map((credential: { status: string }) => credential.status);
      })
      .toEqual(['revoked', 'revoked']);
    const left = await service.db`select 1 from agent_credential_endings where agent_id = ${agent.agentId}`;
    expect(left).toHaveLength(0);
    const events = await call('GET', '/v1/audit-events?type=credential.revoked');
    const ofAgent = events.body.audit_events.filter(
      (event: { details: { agent_id: string } }) => event.details.agent_id === agent.agentId,
    );
    expect(ofAgent).toHaveLength(2);
    expect(ofAgent[0].actor).toEqual({ kind: 'system', id: 'system' });
  });
});

describe('the background of a revocation', () => {
  it('comes to an end in bounded batches, whatever their number', async () => {
    const agent = await usableAgent(service, merchant);
    await service.db`
      insert into agent_credentials (credential_id, agent_id, merchant_id, kid, alg, public_key, status, created_at)
      select 'crd_' || n, ${agent.agentId}, ${merchant.merchantId}, 'kid-' || n, 'Ed25519', ${Buffer.alloc(32)},
             case when n % 2 = 0 then 'active' else 'pending_proof' end, ${service.clock.now()}
      from generate_series(1, 250) n`;
    await call('PATCH', `/v1/agents/${agent.agentId}`, { status: 'revoked', version: agent.version });
    const counts = async () => {
      const rows = await service.db<{ status: string; count: number }[]>`
        select status, count(*) from agent_credentials where agent_id = ${agent.agentId} group by status`;
      return rows.map((row) => [row.status, row.count]);
    };
    await expect.poll(counts).toEqual([['revoked', 251]]);
  });
});

describe('"usable now"', () => {
  it('follows status, proof, revocation and dates of the credentials', async () => {
    const agent = await usableAgent(service, merchant, { status: 'pending' });
    const now = () => service.clock.now();
    const usable = () => isAgentUsable(service.db, agent.agentId, now());
    const patch = async (status: string, version: number) => {
      await call('PATCH', `/v1/agents/${agent.agentId}`, { status, version });
    };
    const path = `/v1/agents/${agent.agentId}/credentials/${agent.credentialId}`;
    const seen = [await usable()];
    await patch('active', 1);
    seen.push(await usable());
    await patch('suspended', 2);
    seen.push(await usable());
    await patch('active', 3);
    await call('DELETE', path);
    seen.push(await usable());
    expect(seen).toEqual([false, true, false, false]);
    const from = new Date(now().getTime() + 60_000);
    const until = new Date(from.getTime() + 60_000);
    await provedCredential(service, merchant.session, agent.agentId, 'later', {
      not_before: from.toISOString(),
      expires_at: until.toISOString(),
    });
    const at = (time: number) => isAgentUsable(service.db, agent.agentId, new Date(time));
    expect([
      await at(from.getTime() - 1),
      await at(from.getTime()),
      await at(until.getTime()),
      await at(until.getTime() + 1),
    ]).toEqual([false, true, true, false]);
  });

  it('the order of proof and activation does not matter', async () => {
    const agentId = await newAgent();
    await call('PATCH', `/v1/agents/${agentId}`, { status: 'active', version: 1 });
    const key = await provedCredential(service, merchant.session, agentId, 'afterwards');
    const agent = { agentId, kid: 'afterwards', version: 2, allowedScopes: [], ...key };
    expect(await exchangeAssertion(service, agent)).toMatch(/^svc_at_/);
  });
});

describe('lists', () => {
  it('newest first, in pages', async () => {
    const own = await verifiedMerchant(service);
    const names = ['one', 'two', 'three'];
    for (const name of names)
      await service.call('POST', '/v1/agents', { session: own.session, body: { ...input, name } });
    const list = (query: Record<string, string | number>) =>
      service.call('GET', '/v1/agents', { session: own.session, query });
    const first = await list({ limit: 2 });
    const second = await list({ limit: 2, cursor: first.body.next_cursor });
    const shown = [...first.body.agents, ...second.body.agents].map((agent: { name: string }) => agent.name);
    expect(shown).toEqual(names.toReversed());
    expect(second.body.next_cursor).toBeNull();
  });
});
