import {
  type Autonomy,
  activePolicy,
  anotherUser,
  autonomy,
  openWindow,
  pay,
  report,
  usageOf,
} from '@payassent/proof/people/autonomy';
import { outcome, succeed } from '@payassent/proof/people/merchants';
import { stellarAddress } from '@payassent/proof/people/payees';
import { deviceOf, enrolDevice } from '@payassent/proof/people/wallets';
import { until } from '@payassent/proof/people/webhooks';
import type { Body } from '@payassent/proof/service/client';
import { startService, type TestService } from '@payassent/proof/service/service';
import { SERVICE_REASONS } from '@payassent/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let service: TestService;
let world: Autonomy;
let user: Autonomy;
beforeAll(async () => {
  service = await startService();
  world = await autonomy(service);
});
afterAll(() => service.close());

async function intent(overrides: Record<string, unknown> = {}): Promise<Body> {
  return (await succeed(pay(service, user, '1', overrides))).body.data;
}

async function fresh(): Promise<Body> {
  user = await anotherUser(service, world);
  return activePolicy(service, user, { validity_window: openWindow(service.clock.now()) });
}

const tell = (id: string, status: string, extra: Record<string, unknown> = {}) =>
  report(service, user, id, status, extra);

/** A second device of the same wallet. */
async function secondDevice(): Promise<Autonomy> {
  const device = deviceOf(user.device);
  const { link_code } = (await succeed(service.call('POST', '/v1/wallet-devices/link-codes', { device })))
    .body;
  return { ...user, device: await enrolDevice(service, { link_code }) };
}

describe('reports of the wallet', () => {
  it('go the drawn way and no other', async () => {
    await fresh();
    const { id } = await intent();
    const skipped = await tell(id, 'confirmed');
    expect(outcome(skipped)).toBe('409 invalid_status_transition');
    expect(skipped.body.error.details).toEqual({
      from: 'intent_created',
      to: 'confirmed',
      allowed: ['signed', 'rejected', 'failed'],
    });
    for (const status of ['intent_created', 'cancelled', 'expired'])
      expect(outcome(await tell(id, status))).toBe('409 invalid_status_transition');
    for (const status of ['signed', 'broadcasted', 'confirmed'])
      expect(outcome(await tell(id, status))).toBe('200 ok');
    expect(outcome(await tell(id, 'failed'))).toBe('409 invalid_status_transition');
  });

  it('a repeat is quiet for the deciding device, a conflict for any other', async () => {
    await fresh();
    const { id } = await intent();
    const first = (await succeed(tell(id, 'signed'))).body.data;
    expect((await tell(id, 'signed')).body.data).toEqual(first);
    const tablet = await secondDevice();
    expect(outcome(await report(service, tablet, id, 'signed'))).toBe('409 status_conflict');
    const hashed = (await succeed(tell(id, 'signed', { tx_hash: 'abc' }))).body.data;
    expect(hashed).toMatchObject({ tx_hash: 'abc', state_version: 2 });
    expect(outcome(await tell(id, 'broadcasted', { tx_hash: 'abd' }))).toBe('409 status_conflict');
  });

  it('another device cannot end what this one has signed, and so cannot give the cap back, unless it takes over', async () => {
    const policy = await fresh();
    const { id } = await intent();
    await succeed(tell(id, 'signed'));
    const tablet = await secondDevice();
    for (const status of ['failed', 'broadcasted'])
      expect(outcome(await report(service, tablet, id, status))).toBe('409 status_conflict');
    expect(await usageOf(service, user, policy['id'])).toBe('spent 0, reserved 1, remaining 24');
    expect(outcome(await report(service, tablet, id, 'broadcasted', { takeover: true }))).toBe('200 ok');
    expect(outcome(await tell(id, 'confirmed'))).toBe('409 status_conflict');
    expect(outcome(await report(service, tablet, id, 'confirmed'))).toBe('200 ok');
    expect(await usageOf(service, user, policy['id'])).toBe('spent 1, reserved 0, remaining 24');
  });

  it('of two devices at the same moment one wins', async () => {
    await fresh();
    const { id } = await intent();
    const tablet = await secondDevice();
    const outcomes = await Promise.all([tell(id, 'signed'), report(service, tablet, id, 'signed')]);
    expect(outcomes.map(outcome).sort()).toEqual(['200 ok', '409 status_conflict']);
  });

  it('carry no reason that misleads the merchant who reads it', async () => {
    await fresh();
    const { id } = await intent();
    const foreign = stellarAddress()
      .match(/.{1,4}/g)
      ?.join(' ');
    for (const [reason, code] of [
      ['\u001b[2J', 'risk_control_characters'],
      ['a\u202eb', 'risk_control_characters'],
      [`paid ${foreign}`, 'risk_foreign_address'],
    ] as const) {
      const refused = await tell(id, 'rejected', { reason });
      expect([refused.status, refused.body.error.details.issues[0]]).toEqual([
        422,
        expect.objectContaining({ field: 'reason', code }),
      ]);
    }
    const own = await tell(id, 'rejected', { reason: `not ${user.payee.address}` });
    expect(own.body.data).toMatchObject({ status: 'rejected' });
  });

  it('reject without a signature, and name the device to its own wallet alone', async () => {
    await fresh();
    const { device_id } = user.device;
    const { id } = await intent();
    const moved = (await succeed(tell(id, 'rejected'))).body.data;
    const unsigned = { decision: 'reject', alg: null, signature: null };
    expect(moved).toMatchObject({ status: 'rejected', decision: { ...unsigned, device_id } });
    const path = `/v1/agent-payments/${id}`;
    for (const sent of [{ apiKey: user.apiKey }, { bearer: user.connectionToken }, { bearer: user.admin }]) {
      const { data } = (await succeed(service.call('GET', path, sent))).body;
      expect(data.decision).toMatchObject({ ...unsigned, device_id: null });
      const bundle = (await succeed(service.call('GET', `${path}/evidence`, sent))).body;
      expect(bundle.decision).toMatchObject({ ...unsigned, device_id: null, key: null });
    }
    const types = async () => {
      const rows = await service.db<{ type: string }[]>`
        select type from log_queue where subject like ${`%${id}%`}
        union select type from log_entries where subject like ${`%${id}%`}`;
      return rows.map(({ type }) => type);
    };
    await until(async () => (await types()).length > 0);
    expect(await types()).toEqual(['final']);
  });

  it('carry a reason for an end that someone chose, and only then', async () => {
    await fresh();
    const { id } = await intent();
    const odd = await tell(id, 'signed', { reason_code: 'why' });
    expect(outcome(odd)).toBe('400 validation_failed');
    for (const reason_code of SERVICE_REASONS)
      expect(outcome(await tell(id, 'rejected', { reason_code })), reason_code).toBe('400 validation_failed');
    const reason = { reason_code: 'user_declined', reason: 'Not today' };
    expect((await succeed(tell(id, 'rejected', reason))).body.data).toMatchObject({
      status: 'rejected',
      reason: 'user_declined',
      reason_text: 'Not today',
    });
  });

  it("name the payment's own connection or none", async () => {
    await fresh();
    const { id } = await intent();
    const wrong = { connection_id: world.connectionId };
    expect(outcome(await tell(id, 'signed', wrong))).toBe('404 resource_not_found');
    expect(outcome(await tell(id, 'signed', { connection_id: user.connectionId }))).toBe('200 ok');
  });
});

describe('expiry', () => {
  it('the last instant counts; after it nothing can be decided, and the amount is given back once', async () => {
    const policy = await fresh();
    const expires_at = new Date(service.clock.now().getTime() + 60_000).toISOString();
    const [late, inTime] = [await intent({ expires_at }), await intent({ expires_at })];
    service.clock.freeze(new Date(expires_at));
    try {
      expect(outcome(await tell(inTime.id, 'signed'))).toBe('200 ok');
      service.clock.advance(1);
      for (const status of ['signed', 'rejected', 'failed'])
        expect(outcome(await tell(late.id, status))).toBe('409 payment_request_expired');
      expect(outcome(await tell(late.id, 'broadcasted'))).toBe('409 invalid_status_transition');
      const read = await service.call('GET', `/v1/agent-payments/${late.id}`, { apiKey: user.apiKey });
      expect(read.body.data).toMatchObject({ status: 'expired', state_version: 2, updated_at: expires_at });
      expect((await tell(late.id, 'expired')).body.data).toMatchObject(read.body.data);
      const cancel = { apiKey: user.apiKey };
      expect(outcome(await service.call('POST', `/v1/agent-payments/${late.id}/cancel`, cancel))).toBe(
        '409 invalid_status_transition',
      );
      expect(await usageOf(service, user, policy.id)).toBe('spent 0, reserved 1, remaining 24');
    } finally {
      service.clock.release();
    }
  });

  it('is stored by a list that would show it, and without any caller', async () => {
    const policy = await fresh();
    const expires_at = new Date(service.clock.now().getTime() + 60_000).toISOString();
    await intent({ expires_at });
    service.clock.advance(61_000);
    const list = await service.call('GET', '/v1/agent-payments', { device: deviceOf(user.device) });
    expect(list.body.data.items).toMatchObject([{ status: 'expired' }]);
    await fresh();
    const { id } = await intent({
      expires_at: new Date(service.clock.now().getTime() + 60_000).toISOString(),
    });
    service.clock.advance(61_000);
    const deadline = Date.now() + 10_000;
    let status = '';
    while (status !== 'expired' && Date.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      const [row] = await service.db<{ status: string }[]>`
        select status from agent_payments where agent_payment_id = ${id}`;
      status = row?.status ?? '';
    }
    expect(status).toBe('expired');
    const [usage] = await service.db<{ reserved: string }[]>`
      select reserved::text from automation_policies where policy_id = ${policy.id}`;
    expect(usage).toEqual({ reserved: '0' });
  });

  it('what is signed never expires: an unknown outcome is never turned into a failure', async () => {
    const policy = await fresh();
    const { id } = await intent({
      expires_at: new Date(service.clock.now().getTime() + 60_000).toISOString(),
    });
    await succeed(tell(id, 'signed'));
    service.clock.advance(3_600_000);
    const read = await service.call('GET', `/v1/agent-payments/${id}`, { apiKey: user.apiKey });
    expect(read.body.data.status).toBe('signed');
    expect(await usageOf(service, user, policy.id)).toBe('spent 0, reserved 1, remaining 24');
  });
});

describe('the database is the last wall', () => {
  it('details, amounts and policies of a payment never change, and nothing is deleted', async () => {
    const policy = await fresh();
    const { id } = await intent();
    const { db } = service;
    const attempts = [
      db`update agent_payments set amount = '999' where agent_payment_id = ${id}`,
      db`update agent_payments set to_address = 'G' where agent_payment_id = ${id}`,
      db`update agent_payments set policy_id = null where agent_payment_id = ${id}`,
      db`delete from agent_payments where agent_payment_id = ${id}`,
      db`delete from automation_policies where policy_id = ${policy.id}`,
      db`update automation_policies set wallet_id = 'wlt_x' where policy_id = ${policy.id}`,
      db`update automation_policies set reserved = -1 where policy_id = ${policy.id}`,
    ];
    for (const attempt of attempts) await expect(attempt).rejects.toThrow();
  });
});
