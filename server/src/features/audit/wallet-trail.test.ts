import { type TestAgent, usableAgent } from '@payassent/proof/people/agents';
import { succeed, type TestMerchant, verifiedMerchant } from '@payassent/proof/people/merchants';
import { connect, deviceOf, enrolDevice, type TestDevice } from '@payassent/proof/people/wallets';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { traceOf } from '../../http/headers.ts';

let service: TestService;
let merchant: TestMerchant;
let agent: TestAgent;

beforeAll(async () => {
  service = await startService();
  merchant = await verifiedMerchant(service, { name: 'Example Shop' });
  agent = await usableAgent(service, merchant);
});
afterAll(() => service.close());

const PATH = '/v1/wallets/current/audit-events';

interface Entry {
  type: string;
  actor: { kind: string; id: string };
  target: { type: string; id: string };
  details: Record<string, unknown>;
}

const trailOf = async (device: TestDevice, query: Record<string, string | number> = {}): Promise<Entry[]> =>
  (await succeed(service.call('GET', PATH, { device: deviceOf(device), query }))).body.audit_events;

const act = (method: 'POST' | 'PATCH' | 'DELETE', path: string, device: TestDevice, body: object = {}) =>
  succeed(service.call(method, path, { device: deviceOf(device), body }));

describe('the trail of a wallet', () => {
  it('records what happened to its devices, keys, connections and policies, and who did it', async () => {
    const first = await enrolDevice(service);
    const { link_code } = (await act('POST', '/v1/wallet-devices/link-codes', first)).body;
    const second = await enrolDevice(service, { link_code });
    const { connectionId } = await connect(service, agent, first);
    await act('PATCH', `/v1/connections/${connectionId}`, first, { status: 'paused' });
    await act('PATCH', `/v1/connections/${connectionId}`, second, { status: 'active' });
    await act('POST', `/v1/connections/${connectionId}/rotate-token`, first);
    const made = await act('POST', '/v1/automation-policies', first, {
      connection_id: connectionId,
      network: 'stellar_testnet',
      asset: 'XLM',
    });
    await act('DELETE', `/v1/wallet-devices/${second.device_id}`, first);
    const { session } = merchant;
    await succeed(service.call('DELETE', `/v1/connections/${connectionId}`, { session }));

    const entries = await trailOf(first);
    const types = entries.map(({ type }) => type);
    for (const type of [
      'device.enrolled',
      'device.link_code_created',
      'connect_key.created',
      'connect_invitation.claimed',
      'connect_invitation.approved',
      'connect_invitation.exchanged',
      'connection.created',
      'connection.paused',
      'connection.resumed',
      'connection.token_rotated',
      'automation_policy.created',
      'device.deleted',
      'connection.revoked',
      'automation_policy.revoked',
    ])
      expect(types, type).toContain(type);
    const one = (type: string) => entries.find((entry) => entry.type === type);
    expect(one('connection.resumed')).toMatchObject({
      actor: { kind: 'wallet', id: second.device_id },
      target: { type: 'connection', id: connectionId },
    });
    expect(one('automation_policy.created')?.target.id).toBe(made.body.data.id);
    expect(one('connect_invitation.claimed')?.actor).toEqual({ kind: 'agent', id: agent.agentId });
    // The merchant by the name that the wallet knows, not by the person who signed in there.
    expect(one('connection.revoked')?.actor).toEqual({ kind: 'merchant', id: 'Example Shop' });
    const [operator] = await service.db`select account_id from accounts where email = ${merchant.email}`;
    expect(JSON.stringify(entries)).not.toContain(operator?.['account_id']);
  });

  it('filters by type and target, and gives every entry once, page by page', async () => {
    const device = await enrolDevice(service);
    for (let turn = 0; turn < 3; turn += 1) await act('POST', '/v1/connect-keys', device);
    const all = await trailOf(device);
    expect(all).toHaveLength(4);
    expect(await trailOf(device, { type: 'device.enrolled' })).toEqual([all.at(-1)]);
    expect(await trailOf(device, { target_id: all[1]?.target.id ?? '' })).toEqual([all[1]]);
    const pages: Entry[] = [];
    let cursor: string | null = null;
    do {
      const query: Record<string, string | number> = { limit: 3, ...(cursor === null ? {} : { cursor }) };
      const { body } = await service.call('GET', PATH, { device: deviceOf(device), query });
      pages.push(...body.audit_events);
      cursor = body.next_cursor;
    } while (cursor !== null);
    expect(pages).toEqual(all);
  });

  it('is of this wallet alone, and no merchant learns which wallet it was', async () => {
    const [mine, other] = [await enrolDevice(service), await enrolDevice(service)];
    await connect(service, agent, mine);
    expect((await trailOf(other)).map(({ type }) => type)).toEqual(['device.enrolled']);
    const { session } = merchant;
    const seen = await succeed(service.call('GET', '/v1/audit-events', { session, query: { limit: 100 } }));
    expect(seen.text).toContain('connection.created');
    expect(seen.text).not.toContain(mine.walletId);
    expect(seen.text).not.toContain('wallet_id');
    expect((await service.call('GET', PATH, { session })).status).toBe(401);
  });
});

describe('sign-ins and enrolments', () => {
  const hostile = `Agent\u0007/1.0 \u001b[2J${'x'.repeat(300)}`;

  it('are on record with network address and user agent, which is cut and harmless', async () => {
    const headers = { 'user-agent': Buffer.from('Browser/7 (caf\u00e9 \u202etxt)').toString('latin1') };
    const operator = await verifiedMerchant(service);
    const { session } = operator;
    const { body } = await succeed(
      service.call('GET', '/v1/audit-events', { session, query: { type: 'merchant_session.created' } }),
    );
    expect(body.audit_events[0].details).toEqual({
      network_address: '127.0.0.1',
      user_agent: expect.any(String),
    });

    const enrolled = await succeed(
      service.call('POST', '/v1/wallet-devices', { body: { name: 'Phone' }, headers }),
    );
    const { device, token } = enrolled.body;
    const [entry] = await trailOf({ device_id: device.device_id, token } as TestDevice);
    expect(entry?.details).toMatchObject({
      network_address: '127.0.0.1',
      user_agent: 'Browser/7 (caf\u00e9 \ufffdtxt)',
    });
  });

  it('no control character of a user agent gets into the trail, nor more than 200 characters', async () => {
    const rawHeaders = ['User-Agent', hostile];
    const trace = traceOf({ clientAddress: '::1', request: { rawHeaders } as never });
    expect(trace.user_agent).toMatch(/^Agent\ufffd\/1\.0 \ufffd\[2Jx+$/);
    expect(trace.user_agent).toHaveLength(200);
  });
});
