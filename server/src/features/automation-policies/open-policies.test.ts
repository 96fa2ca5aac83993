import {
  type Autonomy,
  activePolicy,
  anotherUser,
  autonomy,
  draftPolicy,
  policyBody,
} from '@payassent/proof/people/autonomy';
import { outcome, succeed } from '@payassent/proof/people/merchants';
import { deviceOf } from '@payassent/proof/people/wallets';
import { activeEndpoint } from '@payassent/proof/people/webhooks';
import { serviceForTest, type TestService } from '@payassent/proof/service/service';
import { startHttpReceiver } from '@payassent/proof/surroundings/http-receiver';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createAct } from '../../act.ts';
import { layOut, layoutOf } from '../../db/layout.ts';
import { openDatabase, transaction } from '../../db/open.ts';
import { revokePoliciesOfConnection } from './stop.ts';

async function draftMany(service: TestService, user: Autonomy, count: number): Promise<string[]> {
  const body = policyBody(user);
  const sent = { apiKey: user.apiKey, body };
  const made = Array.from({ length: count }, () => service.call('POST', '/v1/automation-policies', sent));
  return (await Promise.all(made)).map(outcome);
}

describe('open policies of a connection', () => {
  it('are capped, however many are drafted at the same time; what is over makes room', async () => {
    const service = await serviceForTest({ env: { SVC_CAPS: 'open_policies=3' } });
    const user = await autonomy(service);
    const now = service.clock.now().getTime();
    const validity_window = {
      from: new Date(now - 1000).toISOString(),
      until: new Date(now + 60_000).toISOString(),
    };
    await activePolicy(service, user, { validity_window });
    const outcomes = await draftMany(service, user, 6);
    expect(outcomes.sort()).toEqual([...Array(2).fill('201 ok'), ...Array(4).fill('409 limit_reached')]);
    expect(await draftMany(service, await anotherUser(service, user), 1)).toEqual(['201 ok']);
    service.clock.advance(60_000);
    expect(await draftMany(service, user, 1)).toEqual(['201 ok']);
    const [full] = await draftMany(service, user, 1);
    expect(full).toBe('409 limit_reached');
    const query = { connection_id: user.connectionId, status: 'draft' };
    const listed = await succeed(
      service.call('GET', '/v1/automation-policies', { apiKey: user.apiKey, query }),
    );
    const path = `/v1/automation-policies/${listed.body.data.items[0].id}`;
    await succeed(service.call('DELETE', path, { device: deviceOf(user.device) }));
    expect(await draftMany(service, user, 1)).toEqual(['201 ok']);
  });

  it('end by the hundreds in a few statements, each with its audit entry and its webhook', async () => {
    const service = await serviceForTest();
    const user = await autonomy(service);
    const { merchantId } = user.merchant;
    const receiver = await startHttpReceiver();
    onTestFinished(() => receiver.close());
    await activeEndpoint(service, user.merchant, receiver, { event_types: ['automation_policy.revoked'] });
    await activePolicy(service, user);
    const draft = await draftPolicy(service, user);
    await service.db`
      insert into automation_policies
        (policy_id, merchant_id, agent_id, connection_id, wallet_id, network, asset, status, allowlist, created_at, updated_at)
      select 'pol_' || lpad(n::text, 26, '0'), merchant_id, agent_id, connection_id, wallet_id, network, asset, 'draft',
             allowlist, created_at, updated_at
      from automation_policies, generate_series(1, 600) n where policy_id = ${draft['id']}`;
    const statements: string[] = [];
    const onStatement = (text: string) => statements.push(text);
    const db = layOut(openDatabase(service.database.target, { pool: 1, onStatement }), layoutOf(service.db));
    onTestFinished(() => db.end());
    const connection = { connectionId: user.connectionId, merchantId };
    await transaction(db, (tx) =>
      revokePoliciesOfConnection(tx, createAct(service.context, 'test'), connection),
    );
    expect(statements.filter((text) => /\b(select|insert|update)\b/.test(text)).length).toBeLessThan(20);
    const query = { status: 'revoked', limit: 100 };
    const { body } = await succeed(
      service.call('GET', '/v1/automation-policies', { apiKey: user.apiKey, query }),
    );
    expect(body.data.items).toHaveLength(100);
    const [made] = await service.db`
      select (select count(*)::int from automation_policies where status <> 'revoked') as open,
             (select count(*)::int from audit_events where type = 'automation_policy.revoked') as audited,
             (select count(distinct event_id)::int from webhook_deliveries where event_type = 'automation_policy.revoked') as sent,
             (select count(distinct body::json->'data'->'automation_policy'->>'id')::int
              from webhook_messages where type = 'automation_policy.revoked') as told`;
    expect(made).toEqual({ open: 0, audited: 602, sent: 602, told: 602 });
  });
});
