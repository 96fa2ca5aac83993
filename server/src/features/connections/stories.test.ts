import { request } from 'node:http';
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
const linkedDevice = async (by: TestDevice, name = 'Tablet') => {
  const { body } = await asDevice('POST', '/v1/wallet-devices/link-codes', by);
  return enrolDevice(service, { name, link_code: body.link_code });
};
const use = (token: string) => useConnection(service, token);
const until = async (condition: () => Promise<boolean>, withinMs = 60_000) => {
  const deadline = Date.now() + withinMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('it did not happen in time');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};

/** Sends a call and disconnects before its response: the work is done, the caller knows nothing. */
async function cutOff(path: string, bearer: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const sent = request(service.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}` },
    });
    sent.on('socket', (socket) => {
      socket.on('error', () => {});
      sent.on('finish', () => setTimeout(() => sent.destroy(), 1));
    });
    sent.on('error', () => {});
    sent.on('close', () => resolve());
    setTimeout(() => reject(new Error('the call did not end')), 5000).unref();
    sent.end();
  });
}

describe('a lost phone', () => {
  it('is replaced by the recovery code, and the finder of the old one is locked out', async () => {
    const lost = await enrolDevice(service, { name: 'Old phone' });
    const { connectionId, connectionToken } = await connect(service, agent, lost);
    const open = await claim(service, agent, lost);
    const stolen = (await asDevice('POST', '/v1/wallet-devices/link-codes', lost)).body.link_code;

    const fresh = await enrolDevice(service, { name: 'New phone', recovery_code: lost.recoveryCode });
    expect((await connections(fresh)).map((row) => row.connection_id)).toEqual([connectionId]);
    expect(outcome(await asDevice('DELETE', `/v1/wallet-devices/${lost.device_id}`, fresh))).toBe('200 ok');

    for (const attempt of [
      await asDevice('GET', '/v1/connections', lost),
      await asDevice('POST', '/v1/connect-keys', lost),
      await asDevice('POST', `/v1/connect-invitations/${open.invitationId}/approve`, lost),
    ])
      expect(outcome(attempt)).toBe('401 token_revoked');
    for (const code of [{ link_code: stolen }, { recovery_code: lost.recoveryCode }]) {
      const joined = await service.call('POST', '/v1/wallet-devices', { body: { name: 'Thief', ...code } });
      expect(outcome(joined)).toBe('401 link_invalid');
    }
    expect(await use(connectionToken)).toBe('200 ok');
    const approved = await asDevice('POST', `/v1/connect-invitations/${open.invitationId}/approve`, fresh);
    expect(outcome(approved)).toBe('200 ok');
    const devices = (await asDevice('GET', '/v1/wallet-devices', fresh)).body.devices;
    expect(devices.map((row: { name: string; status: string }) => [row.name, row.status])).toEqual([
      ['New phone', 'active'],
      ['Old phone', 'revoked'],
    ]);
  });
});

describe('a second phone', () => {
  it('acts for the same wallet; the last one to go takes the connections with it', async () => {
    const first = await enrolDevice(service);
    const second = await linkedDevice(first);
    const { connectionId, connectionToken } = await connect(service, agent, first);
    await asDevice('PATCH', `/v1/connections/${connectionId}`, second, { status: 'paused' });
    expect((await connections(first))[0]?.status).toBe('paused');
    await asDevice('DELETE', `/v1/wallet-devices/${first.device_id}`, first);
    await asDevice('PATCH', `/v1/connections/${connectionId}`, second, { status: 'active' });
    expect(await use(connectionToken)).toBe('200 ok');

    const waiting = await claim(service, agent, second);
    const approved = await claim(service, agent, second);
    await asDevice('POST', `/v1/connect-invitations/${approved.invitationId}/approve`, second);
    const key = (await asDevice('POST', '/v1/connect-keys', second)).body.connect_key;
    const gone = await asDevice('DELETE', `/v1/wallet-devices/${second.device_id}`, second);
    expect(outcome(gone)).toBe('200 ok');

    expect(await use(connectionToken)).toBe('401 token_revoked');
    for (const { invitationId, claimToken } of [waiting, approved]) {
      const path = `/v1/connect-invitations/${invitationId}/exchange`;
      expect(outcome(await service.call('POST', path, { bearer: claimToken }))).toBe('409 invitation_closed');
    }
    const claimed = await service.call('POST', '/v1/connect-invitations/claim', {
      bearer: await agentToken(service, agent),
      body: { connect_key: key, requested_scopes: ['payment.requests.read'] },
    });
    expect(outcome(claimed)).toBe('409 connect_key_used');
    const back = await enrolDevice(service, { recovery_code: first.recoveryCode });
    expect(await connections(back)).toMatchObject([{ connection_id: connectionId, status: 'revoked' }]);
    const left = await service.db`select from connection_revocations`;
    expect(left).toHaveLength(0);
  });

  it('a process that is killed between the deletion and the revocations leaves them to the background', async () => {
    const user = await enrolDevice(service);
    const [one, other] = [await connect(service, agent, user), await connect(service, agent, user)];
    const { deleteDevice } = await import('../wallets/delete-device.ts');
    const { transaction } = await import('../../db/open.ts');
    const { createAct } = await import('../../act.ts');
    const act = createAct(service.context, 'req_interrupted');
    const principal = { kind: 'wallet', walletId: user.walletId, deviceId: user.device_id } as const;
    await transaction(service.db, (tx) => deleteDevice(tx, act, service.url, principal, user.device_id, {}));
    for (const { connectionToken } of [one, other])
      await until(async () => (await use(connectionToken)) === '401 token_revoked');
  });
});

describe('lost responses', () => {
  it('to the exchange: the agent collects what was made', async () => {
    const user = await enrolDevice(service);
    const { invitationId, claimToken } = await claim(service, agent, user);
    const path = `/v1/connect-invitations/${invitationId}`;
    await asDevice('POST', `${path}/approve`, user);
    await cutOff(`${path}/exchange`, claimToken);
    await until(async () => (await connections(user)).length === 1);
    expect(outcome(await service.call('POST', `${path}/exchange`, { bearer: claimToken }))).toBe(
      '401 token_revoked',
    );
    const bearer = await agentToken(service, agent);
    const mine = (await service.call('GET', '/v1/connections', { bearer })).body.connections[0];
    const collected = await service.call('POST', `/v1/connections/${mine.connection_id}/collect-token`, {
      bearer,
    });
    expect(await use(collected.body.connection_token)).toBe('200 ok');
  });

  it('to rotate and collect: only one token is ever alive, and it can be fetched until it is used', async () => {
    const user = await enrolDevice(service);
    const { connectionId } = await connect(service, agent, user);
    const path = `/v1/connections/${connectionId}`;
    await cutOff(`${path}/rotate-token`, user.token);
    const living = () => service.db`
      select generation from connection_tokens where connection_id = ${connectionId} and ended_at is null`;
    await until(async () => (await living())[0]?.['generation'] === 2);
    const bearer = await agentToken(service, agent);
    await cutOff(`${path}/collect-token`, bearer);
    const again = (await service.call('POST', `${path}/collect-token`, { bearer })).body.connection_token;
    expect(await living()).toHaveLength(1);
    const rotated = (await asDevice('POST', `${path}/rotate-token`, user)).body.connection_token;
    expect(await use(again)).toBe('401 token_rotated');
    expect(await use(rotated)).toBe('200 ok');
  });

  it('to a device rotation: the old token repeats the rotation', async () => {
    const user = await enrolDevice(service);
    const path = `/v1/wallet-devices/${user.device_id}/rotate-token`;
    await cutOff(path, user.token);
    const tokens = () => service.db`select from device_tokens where device_id = ${user.device_id}`;
    await until(async () => (await tokens()).length === 2);
    const renewed = { ...user, token: (await asDevice('POST', path, user)).body.token };
    expect(outcome(await asDevice('GET', '/v1/connections', renewed))).toBe('200 ok');
    expect(outcome(await asDevice('GET', '/v1/connections', user))).toBe('401 token_rotated');
    const alive = await service.db`
      select from device_tokens where device_id = ${user.device_id} and ended_at is null`;
    expect(alive).toHaveLength(1);
  });
});

describe('two phones that decide at the same time', () => {
  it('on an invitation: one approval counts, a rejection is always final', async () => {
    const first = await enrolDevice(service);
    const second = await linkedDevice(first);
    for (let round = 0; round < 8; round += 1) {
      const { invitationId, claimToken } = await claim(service, agent, first);
      const path = `/v1/connect-invitations/${invitationId}`;
      const decisions = await Promise.all([
        asDevice('POST', `${path}/approve`, first),
        asDevice('POST', `${path}/approve`, second),
        asDevice('POST', `${path}/reject`, round % 2 ? first : second),
      ]);
      const [one, other, rejection] = decisions.map(outcome);
      expect([one, other].filter((answer) => answer === '200 ok').length).toBeLessThanOrEqual(1);
      expect(rejection).toBe('200 ok');
      const exchanged = await service.call('POST', `${path}/exchange`, { bearer: claimToken });
      expect(outcome(exchanged)).toBe('409 invitation_closed');
    }
  });

  it('on a pairing: one decision wins, and the agent sees that one', async () => {
    const first = await enrolDevice(service);
    const second = await linkedDevice(first);
    const bearer = await agentToken(service, agent);
    for (let round = 0; round < 8; round += 1) {
      const started = await service.call('POST', '/v1/pairing/sessions', {
        bearer,
        body: { requested_scopes: ['payment.requests.read'] },
      });
      const { pairing_session_id: id, code } = started.body.pairing_session;
      const path = `/v1/pairing/sessions/${id}`;
      const [approval, rejection] = await Promise.all([
        asDevice('POST', `${path}/approve`, first, { code }),
        asDevice('POST', `${path}/reject`, second, { code }),
      ]);
      expect([outcome(approval), outcome(rejection)].sort()).toEqual(['200 ok', '409 pairing_closed']);
      const { body } = await service.call('GET', path, { bearer, query: { code } });
      expect(body.pairing_session.status).toBe(approval.status === 200 ? 'approved' : 'rejected');
      expect(body.connection_token).toBe(approval.body.connection_token ?? null);
    }
  });
});
