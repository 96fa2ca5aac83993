// Slow: restarts the service between any two steps and ends a thousand connections.
import { type TestAgent, usableAgent } from '@payassent/proof/people/agents';
import { type TestMerchant, verifiedMerchant } from '@payassent/proof/people/merchants';
import {
  agentToken,
  claim,
  connect,
  deviceOf,
  enrolDevice,
  type TestDevice,
  useConnection,
} from '@payassent/proof/people/wallets';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let service: TestService;
let merchant: TestMerchant;
let agent: TestAgent;
beforeAll(async () => {
  service = await startService();
  merchant = await verifiedMerchant(service);
  agent = await usableAgent(service, merchant);
});
afterAll(() => service.close());

const outcome = ({ status, body }: { status: number; body: { error?: { code: string } } }) =>
  `${status} ${body.error?.code ?? 'ok'}`;
const asDevice = (method: string, path: string, by: TestDevice, body?: object) =>
  service.call(method, path, { device: deviceOf(by), ...(body ? { body } : {}) });
const connections = async (by: TestDevice) =>
  (await asDevice('GET', '/v1/connections', by)).body.connections as {
    connection_id: string;
    status: string;
  }[];
const use = (token: string) => useConnection(service, token);
const until = async (condition: () => Promise<boolean>, withinMs = 60_000) => {
  const deadline = Date.now() + withinMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('it did not happen in time');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};

describe('a merchant throwing an agent out', () => {
  const CONNECTIONS = 1000;

  it('with 1,000 connections: immediately for every token, and soon in every record', {
    timeout: 90_000,
  }, async () => {
    const doomed = await usableAgent(service, merchant);
    const user = await enrolDevice(service);
    const { connectionId, connectionToken } = await connect(service, doomed, user);
    const open = await claim(service, doomed, user);
    await seedConnections(doomed.agentId, user.walletId);
    const session = await service.call('POST', '/v1/pairing/sessions', {
      bearer: await agentToken(service, doomed),
      body: { requested_scopes: ['payment.requests.read'] },
    });
    expect(await use(connectionToken)).toBe('200 ok');

    const revoked = await service.call('PATCH', `/v1/agents/${doomed.agentId}`, {
      session: merchant.session,
      body: { status: 'revoked', version: doomed.version },
    });
    expect(outcome(revoked)).toBe('200 ok');
    expect(await use(connectionToken)).toBe('401 token_revoked');
    expect((await connections(user)).every((row) => row.status === 'revoked')).toBe(true);
    // Other callers are served while the thousand are ended.
    expect(outcome(await asDevice('GET', '/v1/wallet-devices', user))).toBe('200 ok');

    await until(async () => (await queued(doomed.agentId)) === 0);
    const [counts] = await service.db`
      select (select count(*)::int from connections where agent_id = ${doomed.agentId} and status <> 'revoked') as living,
             (select count(*)::int from audit_events e join connections c on c.connection_id = e.target_id
              where c.agent_id = ${doomed.agentId} and e.type = 'connection.revoked') as recorded,
             (select status from connect_invitations where connect_invitation_id = ${open.invitationId}) as invitation,
             (select status from pairing_sessions
              where pairing_session_id = ${session.body.pairing_session.pairing_session_id}) as pairing`;
    expect(counts).toEqual({
      living: 0,
      recorded: CONNECTIONS + 1,
      invitation: 'rejected',
      pairing: 'rejected',
    });
    const [entry] = await service.db`
      select actor_kind, details from audit_events where target_id = ${connectionId} and type = 'connection.revoked'`;
    expect(entry).toEqual({ actor_kind: 'system', details: { cause: 'agent_revoked' } });
  });

  async function seedConnections(agentId: string, walletId: string): Promise<void> {
    await service.db`
      insert into connections (connection_id, merchant_id, agent_id, wallet_id, status, scopes, created_at, updated_at)
      select 'con_' || lpad(n::text, 26, '0'), ${merchant.merchantId}, ${agentId}, ${walletId},
             case when n % 3 = 0 then 'paused' else 'active' end, '{payment.requests.read}', ${service.clock.now()}, ${service.clock.now()}
      from generate_series(1, ${CONNECTIONS}) n`;
    await service.db`
      insert into connection_heads (merchant_id, connection_id)
      select merchant_id, connection_id from connections where agent_id = ${agentId} on conflict do nothing`;
  }

  async function queued(agentId: string): Promise<number> {
    return (await service.db`select from agent_revocations where agent_id = ${agentId}`).length;
  }
});

describe('a restart between every two steps', () => {
  it('does not disturb Connect', async () => {
    const user = await enrolDevice(service);
    await service.restart();
    const key = (await asDevice('POST', '/v1/connect-keys', user)).body.connect_key;
    await service.restart();
    const bearer = await agentToken(service, agent);
    await service.restart();
    const claimed = await service.call('POST', '/v1/connect-invitations/claim', {
      bearer,
      body: { connect_key: key, requested_scopes: ['payment.requests.read'] },
    });
    const path = `/v1/connect-invitations/${claimed.body.connect_invitation.connect_invitation_id}`;
    await service.restart();
    expect(outcome(await asDevice('POST', `${path}/approve`, user))).toBe('200 ok');
    await service.restart();
    const exchanged = await service.call('POST', `${path}/exchange`, { bearer: claimed.body.claim_token });
    await service.restart();
    const collected = await service.call(
      'POST',
      `/v1/connections/${exchanged.body.connection.connection_id}/collect-token`,
      { bearer },
    );
    expect(collected.body.connection_token).toBe(exchanged.body.connection_token);
    expect(await use(exchanged.body.connection_token)).toBe('200 ok');
  });

  it('does not disturb pairing', async () => {
    const user = await enrolDevice(service);
    const bearer = await agentToken(service, agent);
    const started = await service.call('POST', '/v1/pairing/sessions', {
      bearer,
      body: { requested_scopes: ['payment.requests.read'] },
    });
    const { pairing_session_id: id, code } = started.body.pairing_session;
    const path = `/v1/pairing/sessions/${id}`;
    await service.restart();
    const found = await service.call('GET', '/v1/pairing/sessions', {
      device: deviceOf(user),
      query: { code },
    });
    expect(found.body.pairing_session.pairing_session_id).toBe(id);
    await service.restart();
    const approved = await asDevice('POST', `${path}/approve`, user, { code });
    await service.restart();
    const polled = await service.call('GET', path, { bearer, query: { code } });
    expect(polled.body.connection_token).toBe(approved.body.connection_token);
    await service.restart();
    expect(await use(polled.body.connection_token)).toBe('200 ok');
    await service.restart();
    const last = await service.call('GET', path, { bearer, query: { code } });
    expect(last.body.pairing_session.status).toBe('completed');
  });
});
