import {
  type Autonomy,
  activePolicy,
  anotherUser,
  autonomy,
  openWindow,
  pay,
  report,
} from '@payassent/proof/people/autonomy';
import { succeed } from '@payassent/proof/people/merchants';
import { deviceOf } from '@payassent/proof/people/wallets';
import type { Sent } from '@payassent/proof/service/client';
import { secondService } from '@payassent/proof/service/second-service';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

let service: TestService;
let world: Autonomy;
beforeAll(async () => {
  service = await startService();
  world = await autonomy(service);
});
afterAll(() => service.close());

const read = (id: string, query: Record<string, number>, sent: Sent) =>
  service.call('GET', `/v1/agent-payments/${id}`, { ...sent, query });
const waiting = () => service.app.parts.engine.waiters.waiting();
const isWaiting = (count: number) => vi.waitFor(() => expect(waiting()).toBe(count), { timeout: 60_000 });

const readers = (user: Autonomy): Sent[] => [
  { bearer: user.connectionToken },
  { apiKey: user.apiKey },
  { bearer: user.admin },
  { session: user.merchant.session },
  { device: deviceOf(user.device) },
];

async function freshIntent(): Promise<{ user: Autonomy; id: string }> {
  const user = await anotherUser(service, world);
  await activePolicy(service, user, { validity_window: openWindow(service.clock.now()) });
  return { user, id: (await succeed(pay(service, user, '1'))).body.data.id };
}

describe('a read of an agent payment that waits', () => {
  it('returns immediately when the payment has changed since, or no time is given', async () => {
    const { user, id } = await freshIntent();
    for (const sent of readers(user)) {
      expect((await read(id, { wait: 30 }, sent)).body.data.status).toBe('intent_created');
      expect((await read(id, { state_version: 1 }, sent)).body.data.state_version).toBe(1);
    }
  });

  it('returns when the customer decides, for every kind of caller, in every process', async () => {
    const other = await secondService(service);
    const { user, id } = await freshIntent();
    const waits = readers(user).map((sent) => read(id, { wait: 30, state_version: 1 }, sent));
    await isWaiting(5);
    await succeed(report({ call: other.call }, user, id, 'signed'));
    for (const { status, body } of await Promise.all(waits))
      expect([status, body.data.status, body.data.state_version]).toEqual([200, 'signed', 2]);
    expect(waiting()).toBe(0);
  });

  it('responds with the record as it is when the time is over', async () => {
    const { user, id } = await freshIntent();
    const { status, body } = await read(id, { wait: 1, state_version: 1 }, { apiKey: user.apiKey });
    expect([status, body.data.state_version]).toEqual([200, 1]);
  });

  it('is refused when its credential ends meanwhile, whatever credential it is', async () => {
    const { user, id } = await freshIntent();
    const { session } = user.merchant;
    const created = await succeed(
      service.call('POST', '/v1/api-keys', {
        session,
        body: { name: 'Short', agent_id: user.agent.agentId },
      }),
    );
    const admin = (await succeed(service.call('POST', '/v1/admin-sessions', { session }))).body.session_token;
    const query = { wait: 30, state_version: 9 };
    const waits = [
      read(id, query, { apiKey: created.body.api_key }),
      read(id, query, { bearer: admin }),
      read(id, query, { device: deviceOf(user.device) }),
    ];
    await isWaiting(3);
    await service.call('DELETE', `/v1/api-keys/${created.body.api_key_id}`, { session });
    await service.call('DELETE', '/v1/admin-sessions/current', { bearer: admin });
    const device = deviceOf(user.device);
    await service.call('DELETE', `/v1/wallet-devices/${user.device.device_id}`, { device });
    for (const { status } of await Promise.all(waits)) expect(status).toBe(401);
  });

  it('shows a stranger nothing, and takes 0 to 30 seconds', async () => {
    const { id } = await freshIntent();
    const stranger = await autonomy(service);
    const foreign = await read(id, { wait: 30, state_version: 1 }, { apiKey: stranger.apiKey });
    const absent = await read('ap_none', { wait: 30, state_version: 1 }, { apiKey: stranger.apiKey });
    expect([foreign.status, foreign.body.error.code]).toEqual([404, 'resource_not_found']);
    expect(absent.body.error.message).toBe(foreign.body.error.message);
    for (const query of [{ wait: 31 }, { wait: 1, state_version: -1 }])
      expect((await read(id, query, { apiKey: world.apiKey })).status).toBe(400);
  });
});
