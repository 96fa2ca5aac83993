import { activePolicy, autonomy, draftPolicy, pay } from '@payassent/proof/people/autonomy';
import { type PaymentStage, paymentStage, pendingRequest, report } from '@payassent/proof/people/payments';
import { connect, deviceOf, enrolDevice } from '@payassent/proof/people/wallets';
import { secondService } from '@payassent/proof/service/second-service';
import { serviceForTest, startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let service: TestService;
let stage: PaymentStage;
beforeAll(async () => {
  service = await startService();
  service.clock.freeze();
  stage = await paymentStage(service);
});
afterAll(() => service.close());

const current = async (bearer = stage.connectionToken, from: Pick<TestService, 'call'> = service) =>
  from.call('GET', '/v1/connections/current', { bearer });
const minute = () => {
  const at = new Date(service.clock.now());
  at.setUTCSeconds(0, 0);
  return at.toISOString();
};

describe('the state of a connected agent', () => {
  it('is its own connection, and what it may do at this moment', async () => {
    const { status, body } = await current();
    expect(status).toBe(200);
    expect(body.connection).toMatchObject({ connection_id: stage.connectionId, status: 'active' });
    expect(body.effective_scopes).toEqual(body.connection.scopes);
    expect(body).toMatchObject({ policies: [], wallet: { has_push: false }, limits: { max_pending: null } });
    await service.call('PATCH', `/v1/connections/${stage.connectionId}`, {
      device: deviceOf(stage.device),
      body: { status: 'paused' },
    });
    expect((await current()).body.connection.status).toBe('paused');
    await service.call('PATCH', `/v1/connections/${stage.connectionId}`, {
      device: deviceOf(stage.device),
      body: { status: 'active' },
    });
    const reader = await connect(service, stage.agent, stage.device, ['payment.requests.read']);
    expect((await current(reader.connectionToken)).body.effective_scopes).toEqual(['payment.requests.read']);
  });

  it('counts what awaits a decision, next to the most that may', async () => {
    const capped = await serviceForTest({ env: { SVC_CAPS: 'pending_requests=3' } });
    const own = await paymentStage(capped);
    expect((await current(own.connectionToken, capped)).body.limits).toEqual({ pending: 0, max_pending: 3 });
    const { request_id } = await pendingRequest(capped, own);
    await pendingRequest(capped, own, { expires_in: 60 });
    expect((await current(own.connectionToken, capped)).body.limits.pending).toBe(2);
    await report(capped, own, request_id, { status: 'rejected' });
    capped.clock.advance(61_000);
    expect((await current(own.connectionToken, capped)).body.limits.pending).toBe(0);
  });

  it('names the policies that are open, with what they leave', async () => {
    const world = await autonomy(service);
    const active = await activePolicy(service, world, { cumulative_limit: '100' });
    await pay(service, world, '7');
    const revoked = await draftPolicy(service, world);
    await service.call('DELETE', `/v1/automation-policies/${revoked.id}`, { device: deviceOf(world.device) });
    const draft = await draftPolicy(service, world);
    const { policies } = (await current(world.connectionToken)).body;
    const about = { network: 'stellar_testnet', asset: 'XLM' };
    expect(policies).toHaveLength(2);
    expect(policies).toEqual(
      expect.arrayContaining([
        { id: active.id, status: 'active', ...about, remaining: '93' },
        { id: draft.id, status: 'draft', ...about, remaining: draft.usage.remaining },
      ]),
    );
  });
});

describe('when the wallet was last seen', () => {
  it('is the last call of any of its devices, to the minute, whatever process serves it', async () => {
    const device = await enrolDevice(service);
    const own = await connect(service, stage.agent, device);
    const seen = async () => (await current(own.connectionToken)).body.wallet.last_seen_at;
    expect(await seen()).toBe(minute());
    const before = minute();
    service.clock.advance(150_000);
    expect(await seen(), 'the agent itself does not count').toBe(before);
    const other = await secondService(service);
    const { link_code } = (
      await service.call('POST', '/v1/wallet-devices/link-codes', { device: deviceOf(device) })
    ).body;
    expect(await seen()).toBe(minute());
    service.clock.advance(60_000);
    const second = await service.call('POST', '/v1/wallet-devices', { body: { name: 'Second', link_code } });
    await other.call('GET', '/v1/wallet-devices', {
      device: deviceOf({ ...second.body.device, ...second.body }),
    });
    expect((await current(own.connectionToken, other)).body.wallet.last_seen_at).toBe(minute());
    expect(await seen()).toBe(minute());
  });

  it('is also recorded by a report of a status', async () => {
    const { request_id } = await pendingRequest(service, stage);
    service.clock.advance(60_000);
    await report(service, stage, request_id, { status: 'signed' });
    expect((await current()).body.wallet.last_seen_at).toBe(minute());
  });

  it('is written once a minute, however often a device calls', async () => {
    service.clock.advance(60_000);
    const versionOf = async () => {
      const [row] = await service.db`select xmin from devices where device_id = ${stage.device.device_id}`;
      return row?.['xmin'];
    };
    const call = () => service.call('GET', '/v1/wallet-devices', { device: deviceOf(stage.device) });
    await call();
    await current();
    const written = await versionOf();
    for (let turn = 0; turn < 5; turn += 1) await call();
    await current();
    expect(await versionOf()).toBe(written);
    service.clock.advance(60_000);
    await call();
    await current();
    expect(await versionOf()).not.toBe(written);
  });
});
