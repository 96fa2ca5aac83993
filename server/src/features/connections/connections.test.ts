import { provedCredential, type TestAgent, usableAgent } from '@payassent/proof/people/agents';
import { type TestMerchant, verifiedMerchant } from '@payassent/proof/people/merchants';
import {
  ANY_SENDER,
  agentToken,
  connect,
  deviceOf,
  enrolDevice,
  type TestDevice,
  useConnection,
} from '@payassent/proof/people/wallets';
import { activeEndpoint } from '@payassent/proof/people/webhooks';
import { startService, type TestService } from '@payassent/proof/service/service';
import { startHttpReceiver, type TestReceiver } from '@payassent/proof/surroundings/http-receiver';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../errors.ts';
import { hashSecret } from '../../lib/keys.ts';
import { authenticateConnection } from './index.ts';

let service: TestService;
let merchant: TestMerchant;
let agent: TestAgent;
let device: TestDevice;
let receiver: TestReceiver;
beforeAll(async () => {
  service = await startService();
  merchant = await verifiedMerchant(service);
  agent = await usableAgent(service, merchant);
  device = await enrolDevice(service);
  receiver = await startHttpReceiver();
  await activeEndpoint(service, merchant, receiver, { event_types: ['connection.*'] });
});
afterAll(async () => {
  await service.close();
  await receiver.close();
});

const outcome = ({ status, body }: { status: number; body: { error?: { code: string } } }) =>
  `${status} ${body.error?.code ?? 'ok'}`;
const patch = (id: string, status: unknown, by = device) =>
  service.call('PATCH', `/v1/connections/${id}`, { device: deviceOf(by), body: { status } });
const revoke = (id: string, by = device) =>
  service.call('DELETE', `/v1/connections/${id}`, { device: deviceOf(by) });
const rotate = (id: string, by = device) =>
  service.call('POST', `/v1/connections/${id}/rotate-token`, { device: deviceOf(by) });
const collect = async (id: string, by = agent) =>
  service.call('POST', `/v1/connections/${id}/collect-token`, { bearer: await agentToken(service, by) });
/** Alphabetical: entries of the same millisecond have no other order. */
const auditOf = async (id: string): Promise<string[]> =>
  (await service.db`select type from audit_events where target_id = ${id} order by type`).map(
    (row) => row['type'] as string,
  );
/** The webhooks that the merchant's receiver got about a connection, in order of occurrence. */
async function webhooksOf(id: string, count: number): Promise<{ type: string; status: string }[]> {
  for (let look = 0; look < 500; look += 1) {
    const bodies = receiver.requests
      .map(({ text }) => JSON.parse(text))
      .filter(({ data }) => data.connection?.connection_id === id)
      .sort((one, other) => one.timestamp.localeCompare(other.timestamp));
    if (bodies.length >= count)
      return bodies.map(({ type, data }) => ({ type, status: data.connection.status }));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`fewer than ${count} webhooks came`);
}
/** The result of a token; the check that routes share and the one that hot statements join must agree. */
async function use(token: string): Promise<string> {
  const atTheDoor = await useConnection(service, token);
  const presented = { kind: 'connection', token, tokenHash: hashSecret(token) } as const;
  const checked = await authenticateConnection(
    service.context,
    presented,
    service.clock.now(),
    ANY_SENDER,
  ).then(
    () => '200 ok',
    (error: unknown) => (error instanceof AppError ? `${error.httpStatus} ${error.code}` : String(error)),
  );
  expect(checked).toBe(atTheDoor);
  return atTheDoor;
}

describe('the lists', () => {
  it("show the wallet's, the agent's and the tenant's connections, and no others", async () => {
    const user = await enrolDevice(service);
    const [first, second] = [await connect(service, agent, user), await connect(service, agent, user)];
    const other = await verifiedMerchant(service);
    const theirs = await connect(service, await usableAgent(service, other), user);
    const ids = async (sent: Parameters<TestService['call']>[2]) => {
      const { body } = await service.call('GET', '/v1/connections', sent);
      return body.connections.map((row: { connection_id: string }) => row.connection_id);
    };
    expect(await ids({ device: deviceOf(user) })).toEqual([
      theirs.connectionId,
      second.connectionId,
      first.connectionId,
    ]);
    expect(await ids({ bearer: await agentToken(service, agent) })).toEqual([
      second.connectionId,
      first.connectionId,
    ]);
    expect(await ids({ session: other.session })).toEqual([theirs.connectionId]);
    const page = await service.call('GET', '/v1/connections', {
      device: deviceOf(user),
      query: { limit: 2 },
    });
    expect(await ids({ device: deviceOf(user), query: { cursor: page.body.next_cursor } })).toEqual([
      first.connectionId,
    ]);
  });
});

describe('pausing', () => {
  it('and resuming are announced once each; setting the same status again announces nothing', async () => {
    const { connectionId, connectionToken } = await connect(service, agent, device);
    expect((await patch(connectionId, 'paused')).body.connection.status).toBe('paused');
    expect((await patch(connectionId, 'paused')).body.connection.status).toBe('paused');
    expect(await use(connectionToken)).toBe('200 ok');
    expect((await patch(connectionId, 'active')).body.connection.status).toBe('active');
    expect(await auditOf(connectionId)).toEqual([
      'connection.created',
      'connection.paused',
      'connection.resumed',
    ]);
    expect(await webhooksOf(connectionId, 3)).toEqual([
      { type: 'connection.created', status: 'active' },
      { type: 'connection.paused', status: 'paused' },
      { type: 'connection.resumed', status: 'active' },
    ]);
    expect(outcome(await patch(connectionId, 'revoked'))).toBe('400 validation_failed');
  });

  it('another wallet sees no such connection', async () => {
    const { connectionId } = await connect(service, agent, device);
    const stranger = await enrolDevice(service);
    for (const answer of [
      await patch(connectionId, 'paused', stranger),
      await revoke(connectionId, stranger),
      await rotate(connectionId, stranger),
    ])
      expect(outcome(answer)).toBe('404 resource_not_found');
  });
});

describe('revoking', () => {
  it('is final, may be repeated, and leaves one event', async () => {
    const { connectionId, connectionToken } = await connect(service, agent, device);
    expect((await revoke(connectionId)).body.connection.status).toBe('revoked');
    expect((await revoke(connectionId)).body.connection.status).toBe('revoked');
    expect(await use(connectionToken)).toBe('401 token_revoked');
    expect(outcome(await patch(connectionId, 'active'))).toBe('409 connection_revoked');
    expect(outcome(await rotate(connectionId))).toBe('409 connection_revoked');
    expect(outcome(await collect(connectionId))).toBe('409 connection_revoked');
    expect(await auditOf(connectionId)).toEqual(['connection.created', 'connection.revoked']);
    expect(await webhooksOf(connectionId, 2)).toEqual([
      { type: 'connection.created', status: 'active' },
      { type: 'connection.revoked', status: 'revoked' },
    ]);
  });

  it('is open to the merchant for its own connections, with the proof against forged calls', async () => {
    const other = await verifiedMerchant(service);
    const { connectionId, connectionToken } = await connect(service, agent, device);
    const path = `/v1/connections/${connectionId}`;
    expect(outcome(await service.call('DELETE', path, { session: other.session }))).toBe(
      '404 resource_not_found',
    );
    const forged = { cookie: merchant.session.cookie, csrf: 'x' };
    expect(outcome(await service.call('DELETE', path, { session: forged }))).toBe('403 csrf_invalid');
    expect(await use(connectionToken)).toBe('200 ok');
    expect(outcome(await service.call('DELETE', path, { session: merchant.session }))).toBe('200 ok');
    expect(await use(connectionToken)).toBe('401 token_revoked');
  });
});

describe('rotating', () => {
  it('ends the previous token; the agent collects its own, which ends the one that the wallet has seen', async () => {
    const { connectionId, connectionToken } = await connect(service, agent, device);
    await use(connectionToken);
    expect((await collect(connectionId)).body.connection_token).toBe(connectionToken);
    const rotated = await rotate(connectionId);
    expect(rotated.body.connection_token).not.toBe(connectionToken);
    expect(await use(connectionToken)).toBe('401 token_rotated');
    expect(await use(rotated.body.connection_token)).toBe('200 ok');
    const own = (await collect(connectionId)).body.connection_token;
    expect(own).not.toBe(rotated.body.connection_token);
    expect(await use(rotated.body.connection_token)).toBe('401 token_rotated');
    for (let time = 0; time < 2; time += 1) {
      expect(await use(own)).toBe('200 ok');
      expect((await collect(connectionId)).body.connection_token).toBe(own);
    }
    await revoke(connectionId);
    expect(await use(connectionToken)).toBe('401 token_revoked');
    expect(await auditOf(connectionId)).toEqual([
      'connection.created',
      'connection.revoked',
      'connection.token_collected',
      'connection.token_rotated',
    ]);
  });

  it('works while paused, and wakes every call that waits on the connection', async () => {
    const { connectionId } = await connect(service, agent, device);
    await patch(connectionId, 'paused');
    const heard: string[] = [];
    const stop = service.context.signals.subscribeAll((topic) => heard.push(topic));
    const rotated = await rotate(connectionId);
    stop();
    expect(heard).toContain(`connection:${connectionId}`);
    expect(rotated.body.connection.status).toBe('paused');
  });

  it('leaves nothing in the database from which a token follows', async () => {
    const { connectionToken } = await connect(service, agent, device);
    const dump = JSON.stringify([
      await service.db`select * from connection_tokens`,
      await service.db`select * from audit_events`,
      await service.db`select * from webhook_messages`,
    ]);
    expect(dump).not.toContain('svc_ct_');
    expect(dump).toContain(hashSecret(connectionToken));
  });

  it('hands the same token out after the master key changed, while the previous one is known', async () => {
    const { connectionId } = await connect(service, agent, device);
    const { connection_token: token } = (await rotate(connectionId)).body;
    const { createKeys } = await import('../../lib/keys.ts');
    const { unusedSharedToken } = await import('./tokens.ts');
    const { random } = service.context;
    const [former, next] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)];
    expect(await unusedSharedToken(service.db, createKeys(next, [former], random), connectionId)).toBe(token);
    await expect(unusedSharedToken(service.db, createKeys(next, [], random), connectionId)).rejects.toThrow(
      'SVC_MASTER_KEY_PREVIOUS',
    );
  });
});

describe('collecting', () => {
  it("is for the connection's own agent", async () => {
    const { connectionId } = await connect(service, agent, device);
    const sibling = await usableAgent(service, merchant);
    expect(outcome(await collect(connectionId, sibling))).toBe('404 resource_not_found');
    const stranger = await usableAgent(service, await verifiedMerchant(service));
    expect(outcome(await collect(connectionId, stranger))).toBe('404 resource_not_found');
  });
});

describe('a connection token', () => {
  it('follows its agent: suspended, without a key, revoked', async () => {
    const moody = await usableAgent(service, merchant);
    const path = `/v1/agents/${moody.agentId}`;
    const change = async (body: object) =>
      (await service.call('PATCH', path, { session: merchant.session, body })).body.agent.version;
    const { connectionId, connectionToken } = await connect(service, moody, device);
    const rotated = (await rotate(connectionId)).body.connection_token;
    let version = await change({ status: 'suspended', version: moody.version });
    expect(await use(rotated)).toBe('403 agent_not_active');
    expect(await use(connectionToken)).toBe('401 token_rotated');
    version = await change({ status: 'active', version });
    expect(await use(rotated)).toBe('200 ok');
    await service.call('DELETE', `${path}/credentials/${moody.credentialId}`, { session: merchant.session });
    expect(await use(rotated)).toBe('403 agent_not_active');
    await provedCredential(service, merchant.session, moody.agentId, 'second');
    expect(await use(rotated)).toBe('200 ok');
    await change({ status: 'revoked', version });
    for (const token of [rotated, connectionToken]) expect(await use(token)).toBe('401 token_revoked');
    const { body } = await service.call('GET', '/v1/connections', { device: deviceOf(device) });
    const shown = body.connections.find(
      (row: { connection_id: string }) => row.connection_id === connectionId,
    );
    expect(shown.status).toBe('revoked');
  });

  it('that was never issued is unauthenticated', async () => {
    const { newToken } = await import('@payassent/protocol');
    expect(await use(newToken('connection', (count) => service.context.random.bytes(count)))).toBe(
      '401 unauthenticated',
    );
  });

  it('is not used up by a check that fails', async () => {
    const moody = await usableAgent(service, merchant);
    const path = `/v1/agents/${moody.agentId}`;
    const { connectionId, connectionToken } = await connect(service, moody, device);
    const slept = await service.call('PATCH', path, {
      session: merchant.session,
      body: { status: 'suspended', version: moody.version },
    });
    expect(await use(connectionToken)).toBe('403 agent_not_active');
    await service.call('PATCH', path, {
      session: merchant.session,
      body: { status: 'active', version: slept.body.agent.version },
    });
    expect((await collect(connectionId, moody)).body.connection_token).toBe(connectionToken);
  });
});
