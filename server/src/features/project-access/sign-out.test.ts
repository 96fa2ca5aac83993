import { databaseBefore } from '@payassent/proof/database/older-database';
import { usableAgent } from '@payassent/proof/people/agents';
import { createKey, openAdminSession } from '@payassent/proof/people/autonomy';
import {
  outcome,
  signIn,
  succeed,
  type TestMerchant,
  type TestSession,
  verifiedMerchant,
} from '@payassent/proof/people/merchants';
import { mailWith } from '@payassent/proof/people/operators';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../lib/clock.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const uses = async (apiKey: string) => outcome(await service.call('GET', '/v1/agent-payments', { apiKey }));
const signOutEverywhere = (session: TestSession) =>
  succeed(service.call('DELETE', '/v1/merchant-sessions', { session }));

async function keyByBearer(bearer: string, agentId: string): Promise<{ apiKey: string; id: string }> {
  const body = { name: 'By script', agent_id: agentId };
  const made = await succeed(service.call('POST', '/v1/api-keys', { bearer, body }));
  return { apiKey: made.body.api_key, id: made.body.api_key_id };
}

/** As if it had been created so long ago. */
const age = (merchant: TestMerchant, days: number) => service.db`
  update api_keys set created_at = created_at - ${days} * interval '1 day' where merchant_id = ${merchant.merchantId}`;

describe('signing out everywhere', () => {
  it('ends every key that an admin session made, however old, with the reason', async () => {
    const merchant = await verifiedMerchant(service);
    const agent = await usableAgent(service, merchant);
    const admin = await openAdminSession(service, merchant.session);
    const { apiKey, id } = await keyByBearer(admin, agent.agentId);
    await age(merchant, 90);
    expect(await uses(apiKey)).toBe('200 ok');
    await signOutEverywhere(merchant.session);
    expect(await uses(apiKey)).toBe('401 token_revoked');
    const session = await signIn(service, merchant.email);
    const trail = async (target_id?: string) => {
      const query = target_id === undefined ? { type: 'merchant_session.ended_everywhere' } : { target_id };
      return (await service.call('GET', '/v1/audit-events', { session, query })).body.audit_events;
    };
    expect((await trail(id))[0]).toMatchObject({
      type: 'api_key.revoked',
      actor: { kind: 'operator' },
      details: { agent_id: agent.agentId, cause: 'signed_out_everywhere' },
    });
    expect((await trail())[0].details).toEqual({ sessions: 1, api_keys: 1 });
  });

  it('ends what was made in the portal in the last day, and leaves older keys and other team members alone', async () => {
    const merchant = await verifiedMerchant(service);
    const other = await verifiedMerchant(service);
    const agent = await usableAgent(service, merchant);
    const old = await createKey(service, merchant.session, agent.agentId);
    await age(merchant, 2);
    const fresh = await createKey(service, merchant.session, agent.agentId);
    const otherAgent = await usableAgent(service, other);
    const foreign = await createKey(service, other.session, otherAgent.agentId);
    await signOutEverywhere(merchant.session);
    expect(await uses(fresh.apiKey)).toBe('401 token_revoked');
    expect(await uses(old.apiKey)).toBe('200 ok');
    expect(await uses(foreign.apiKey)).toBe('200 ok');
  });

  it('signing out of one session ends no key', async () => {
    const merchant = await verifiedMerchant(service);
    const agent = await usableAgent(service, merchant);
    const { apiKey } = await createKey(service, merchant.session, agent.agentId);
    await succeed(service.call('DELETE', '/v1/merchant-sessions/current', { session: merchant.session }));
    expect(await uses(apiKey)).toBe('200 ok');
  });

  it('leaves no key behind that was being made at the same moment', async () => {
    const merchant = await verifiedMerchant(service);
    const agent = await usableAgent(service, merchant);
    for (let round = 0; round < 4; round += 1) {
      const session = await signIn(service, merchant.email);
      const bearer = await openAdminSession(service, session);
      const body = { name: 'Race', agent_id: agent.agentId };
      const making = Array.from({ length: 6 }, () => service.call('POST', '/v1/api-keys', { bearer, body }));
      const [made] = await Promise.all([Promise.all(making), signOutEverywhere(session)]);
      for (const { status, body: answer } of made)
        expect(status === 201 ? await uses(answer.api_key) : answer.error.code).toMatch(/token_revoked/);
    }
  });
});

it('every new API key is mailed to the team members, without the key', async () => {
  const merchant = await verifiedMerchant(service);
  const agent = await usableAgent(service, merchant, { name: 'Till bot' });
  const admin = await openAdminSession(service, merchant.session);
  const { apiKey, id } = await keyByBearer(admin, agent.agentId);
  const text = await mailWith(service, merchant.email, 'A new API key of your organization');
  expect(text).toContain('by an admin session');
  expect(text).toContain(id);
  expect(text).toContain(`"Till bot" (${agent.agentId})`);
  expect(text).not.toContain(apiKey);
});

it('an upgrade reads from the audit trail who made the keys that are there', async () => {
  const { db, upgrade } = await databaseBefore('api_key_origins');
  const at = new Date(Date.now() - DAY_MS);
  await db`insert into accounts values ('acc_1', 'a@shop.example', ${at})`;
  await db`insert into merchants values ('mer_1', 'Shop', 'active', 1, ${at}, ${at})`;
  await db`insert into merchant_operators values ('mer_1', 'acc_1', ${at})`;
  await db`
    insert into agents (agent_id, merchant_id, name, runtime, environment, allowed_scopes, status, created_at, updated_at)
    values ('agt_1', 'mer_1', 'Bot', 'node', 'test', '{}', 'active', ${at}, ${at})`;
  for (const [id, kind, actor] of [
    ['key_1', 'operator', 'acc_1'],
    ['key_2', 'admin_session', 'ses_forgotten'],
    ['key_3', undefined, undefined],
  ] as const) {
    await db`
      insert into api_keys (api_key_id, key_hash, merchant_id, agent_id, name, created_at)
      values (${id}, ${id}, 'mer_1', 'agt_1', 'k', ${at})`;
    if (kind)
      await db`
        insert into audit_events (audit_event_id, merchant_id, type, actor_kind, actor_id, target_type, target_id, details,
                                  request_id, occurred_at)
        values (${`aud_${id}`}, 'mer_1', 'api_key.created', ${kind}, ${actor}, 'api_key', ${id}, '{}', 'r', ${at})`;
  }
  await upgrade();
  const rows = await db`select created_by, made_with from api_keys order by api_key_id`;
  expect(rows.map((row) => [row['created_by'], row['made_with']])).toEqual([
    ['acc_1', 'session'],
    ['acc_1', 'admin_session'],
    [null, null],
  ]);
});
