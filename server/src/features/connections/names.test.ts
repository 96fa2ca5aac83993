import { usableAgent } from '@payassent/proof/people/agents';
import { succeed, verifiedMerchant } from '@payassent/proof/people/merchants';
import { type PaymentStage, paymentStage } from '@payassent/proof/people/payments';
import { agentToken, claim, deviceOf, enrolDevice } from '@payassent/proof/people/wallets';
import type { Body } from '@payassent/proof/service/client';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

async function renameMerchant({ merchant: { session } }: Pick<PaymentStage, 'merchant'>, name: string) {
  const { version } = (await succeed(service.call('GET', '/v1/merchants/current', { session }))).body
    .merchant;
  await succeed(service.call('PATCH', '/v1/merchants/current', { session, body: { name, version } }));
}

async function renameAgent({ merchant, agent }: Pick<PaymentStage, 'merchant' | 'agent'>, name: string) {
  const { session } = merchant;
  const path = `/v1/agents/${agent.agentId}`;
  const { version } = (await succeed(service.call('GET', path, { session }))).body.agent;
  await succeed(service.call('PATCH', path, { session, body: { name, version } }));
}

const connectionOf = async ({ device, connectionId }: PaymentStage): Promise<Body> => {
  const list = (await succeed(service.call('GET', '/v1/connections', { device: deviceOf(device) }))).body;
  return list.connections.find((one: Body) => one.connection_id === connectionId);
};

const patch = ({ device, connectionId }: PaymentStage, body: Body) =>
  service.call('PATCH', `/v1/connections/${connectionId}`, { device: deviceOf(device), body });

describe('an agent or merchant that renames itself after consent', () => {
  it('is shown to the wallet with the name the customer knows, until the new one was seen', async () => {
    const stage = await paymentStage(service);
    const before = await connectionOf(stage);
    expect([before.agent, before.merchant].map((part) => 'former_name' in part)).toEqual([false, false]);
    await renameMerchant(stage, 'PayPal Europe');
    await renameAgent(stage, 'Security department');
    await renameAgent(stage, 'Account recovery');
    const renamed = await connectionOf(stage);
    expect(renamed.merchant).toMatchObject({
      name: 'PayPal Europe',
      former_name: before.merchant.name,
    });
    expect(renamed.agent).toMatchObject({ name: 'Account recovery', former_name: before.agent.name });

    const seen = { agent: 'Account recovery', merchant: 'PayPal Europe' };
    const { connection } = (await succeed(patch(stage, { seen_names: seen }))).body;
    expect([connection.agent, connection.merchant].map((part) => 'former_name' in part)).toEqual([
      false,
      false,
    ]);
    await renameMerchant(stage, 'Third name');
    expect((await connectionOf(stage)).merchant).toMatchObject({
      name: 'Third name',
      former_name: 'PayPal Europe',
    });
  });

  it('is not taken for seen when it was renamed again meanwhile', async () => {
    const stage = await paymentStage(service);
    const { agent } = await connectionOf(stage);
    await renameAgent(stage, 'First');
    await renameAgent(stage, 'Second');
    await succeed(patch(stage, { seen_names: { agent: 'First' } }));
    expect((await connectionOf(stage)).agent).toMatchObject({ name: 'Second', former_name: agent.name });
  });

  it('between approval and exchange counts as renamed after consent', async () => {
    const merchant = await verifiedMerchant(service, { name: 'Honest shop' });
    const [agent, device] = [await usableAgent(service, merchant), await enrolDevice(service)];
    const { invitationId, claimToken } = await claim(service, agent, device);
    const path = `/v1/connect-invitations/${invitationId}`;
    await succeed(service.call('POST', `${path}/approve`, { device: deviceOf(device) }));
    await renameMerchant({ merchant }, 'Bank');
    const made = await succeed(service.call('POST', `${path}/exchange`, { bearer: claimToken }));
    expect(made.body.connection.merchant).toEqual({ name: 'Bank', verified_domain: merchant.domain });
    const list = await succeed(service.call('GET', '/v1/connections', { device: deviceOf(device) }));
    expect(list.body.connections[0].merchant).toMatchObject({ name: 'Bank', former_name: 'Honest shop' });
  });

  it('learns nothing of what the wallet reads', async () => {
    const stage = await paymentStage(service);
    await renameAgent(stage, 'Renamed');
    const readers = [{ session: stage.merchant.session }, { bearer: await agentToken(service, stage.agent) }];
    for (const reader of readers) {
      const { connections } = (await succeed(service.call('GET', '/v1/connections', reader))).body;
      expect(JSON.stringify(connections)).not.toContain('former_name');
    }
  });

  it('can be paused in the same call, and a call that names nothing is refused', async () => {
    const stage = await paymentStage(service);
    await renameAgent(stage, 'Renamed');
    const { connection } = (
      await succeed(patch(stage, { status: 'paused', seen_names: { agent: 'Renamed' } }))
    ).body;
    expect(connection).toMatchObject({ status: 'paused', agent: { name: 'Renamed' } });
    expect('former_name' in connection.agent).toBe(false);
    expect((await patch(stage, {})).body.error).toMatchObject({ code: 'validation_failed', field: 'status' });
  });
});
