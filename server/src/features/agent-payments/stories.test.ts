import {
  type Autonomy,
  activePolicy,
  anotherUser,
  autonomy,
  draftPolicy,
  optIn,
  pay,
  report,
  usageOf,
} from '@payassent/proof/people/autonomy';
import { outcome, succeed } from '@payassent/proof/people/merchants';
import { deviceOf } from '@payassent/proof/people/wallets';
import { activeEndpoint, eventsAt, verified } from '@payassent/proof/people/webhooks';
import { startService, type TestService } from '@payassent/proof/service/service';
import { startHttpReceiver } from '@payassent/proof/surroundings/http-receiver';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

let service: TestService;
let world: Autonomy;
beforeAll(async () => {
  service = await startService();
  world = await autonomy(service);
});
afterAll(() => service.close());

describe('an agent acts within the limits that the customer accepted', () => {
  it('draft, opt-in, intent, signed, broadcasted, confirmed; usage after each step', async () => {
    const draft = await draftPolicy(service, world);
    expect(draft).toMatchObject({ status: 'draft', version: 1, opted_in_at: null });
    expect(outcome(await pay(service, world, '7.50'))).toBe('403 HC_NC_5_HITL_REQUIRED');

    const opted = await optIn(service, world, draft);
    expect(opted.status).toBe(200);
    expect(opted.body.data).toMatchObject({
      status: 'active',
      version: 2,
      allowlist: [{ recipient_id: world.payee.recipientId }],
      allowed_payees: [
        {
          recipient_id: world.payee.recipientId,
          recipient_version_id: world.payee.recipientVersionId,
          name: 'Shop',
          address: world.payee.address,
          memo: null,
          domain: world.merchant.domain,
        },
      ],
    });
    const usage = () => usageOf(service, world, draft.id);
    expect(await usage()).toBe('spent 0, reserved 0, remaining 25');

    const made = await pay(service, world, '7.50', { metadata: { order: 'A-7' } });
    expect(made.status).toBe(201);
    const { data } = made.body;
    expect(data).toMatchObject({
      status: 'intent_created',
      state_version: 1,
      connection_id: world.connectionId,
      network: 'stellar_testnet',
      asset: 'XLM',
      amount: '7.50',
      to: world.payee.address,
      recipient_id: world.payee.recipientId,
      recipient_version_id: world.payee.recipientVersionId,
      initiated_by: 'agent',
      policy_id: draft.id,
      rail: 'stellar_xlm',
      decimals: 7,
      memo: null,
      issuer: null,
      contract: null,
      chain_id: null,
      metadata: { order: 'A-7' },
      payee: { name: 'Shop', verified: true, domain: world.merchant.domain },
    });
    expect(await usage()).toBe('spent 0, reserved 7.5, remaining 17.5');

    const steps = [
      ['signed', 'spent 0, reserved 7.5, remaining 17.5'],
      ['broadcasted', 'spent 0, reserved 7.5, remaining 17.5'],
      ['confirmed', 'spent 7.5, reserved 0, remaining 17.5'],
    ] as const;
    for (const [status, expected] of steps) {
      const reported = await report(service, world, data.id, status, { tx_hash: 'aa11' });
      expect(reported.body.data).toMatchObject({ id: data.id, status, tx_hash: 'aa11' });
      expect(await usage()).toBe(expected);
    }
    const read = await service.call('GET', `/v1/agent-payments/${data.id}`, { apiKey: world.apiKey });
    expect(read.body.data).toMatchObject({ status: 'confirmed', state_version: 4 });
  });

  it.each([
    ['rejected by the wallet', ['rejected']],
    ['failed before signing', ['failed']],
    ['failed after signing', ['signed', 'failed']],
    ['failed after broadcast', ['signed', 'broadcasted', 'failed']],
  ])('what is never paid is given back: %s', async (_case, statuses) => {
    const other = await anotherUser(service, world);
    const policy = await activePolicy(service, other);
    const { id } = (await succeed(pay(service, other, '4'))).body.data;
    expect(await usageOf(service, other, policy.id)).toBe('spent 0, reserved 4, remaining 21');
    for (const status of statuses) await succeed(report(service, other, id, status));
    expect(await usageOf(service, other, policy.id)).toBe('spent 0, reserved 0, remaining 25');
  });

  it('so is what the agent withdraws, and only before the wallet has decided', async () => {
    const other = await anotherUser(service, world);
    const policy = await activePolicy(service, other);
    const { id } = (await succeed(pay(service, other, '4'))).body.data;
    const cancel = () => service.call('POST', `/v1/agent-payments/${id}/cancel`, { apiKey: other.apiKey });
    expect((await cancel()).body.data).toMatchObject({ status: 'cancelled', state_version: 2 });
    expect(await usageOf(service, other, policy.id)).toBe('spent 0, reserved 0, remaining 25');
    const again = await cancel();
    expect(outcome(again)).toBe('409 invalid_status_transition');
    expect(again.body.error.details).toEqual({ from: 'cancelled', to: 'cancelled', allowed: [] });
    expect(outcome(await report(service, other, id, 'signed'))).toBe('409 invalid_status_transition');

    const signed = (await succeed(pay(service, other, '4'))).body.data.id;
    await succeed(report(service, other, signed, 'signed'));
    const late = await service.call('POST', `/v1/agent-payments/${signed}/cancel`, { bearer: other.admin });
    expect(outcome(late)).toBe('409 invalid_status_transition');
    expect(await usageOf(service, other, policy.id)).toBe('spent 0, reserved 4, remaining 21');
  });
});

describe('what exceeds a threshold goes to a human', () => {
  it('refusal, resubmission as a human, approval by the wallet; the policy is not touched', async () => {
    const other = await anotherUser(service, world);
    const policy = await activePolicy(service, other);
    const refused = await pay(service, other, '10.5');
    expect(outcome(refused)).toBe('403 HC_NC_5_HITL_REQUIRED');
    expect(refused.body.error.details).toEqual({
      triggered_thresholds: ['single_tx_limit'],
      policy_id: policy.id,
      limits: {
        single_tx_limit: '10',
        cumulative_limit: '25',
        validity_window: policy.validity_window,
        allowlist: policy.allowlist,
      },
      remaining: '25',
      max_amount_allowed: '10',
      resubmit: { initiated_by: 'human' },
    });
    const { resubmit } = refused.body.error.details;

    expect(outcome(await pay(service, other, '10.5', resubmit))).toBe('403 human_credential_required');
    const human = await pay(service, other, '10.5', resubmit, {
      apiKey: other.apiKey,
      bearer: other.admin,
    });
    expect(human.status).toBe(201);
    expect(human.body.data).toMatchObject({
      initiated_by: 'human',
      policy_id: null,
      status: 'intent_created',
    });
    expect(await usageOf(service, other, policy.id)).toBe('spent 0, reserved 0, remaining 25');
    const signed = await report(service, other, human.body.data.id, 'signed');
    expect(signed.body.data.status).toBe('signed');
    expect(await usageOf(service, other, policy.id)).toBe('spent 0, reserved 0, remaining 25');
  });

  it('nothing is stored by a refusal, so the same key can be used once the intent fits', async () => {
    const other = await anotherUser(service, world);
    await activePolicy(service, other);
    const sent = { apiKey: other.apiKey, idempotencyKey: 'one-key' };
    expect(outcome(await pay(service, other, '11', {}, sent))).toBe('403 HC_NC_5_HITL_REQUIRED');
    expect((await pay(service, other, '9', {}, sent)).status).toBe(201);
    const list = await service.call('GET', '/v1/agent-payments', { device: deviceOf(other.device) });
    expect(list.body.data.items).toHaveLength(1);
  });
});

describe('the merchant learns of it', () => {
  it('by webhooks, with the record and the status before', async () => {
    const other = await anotherUser(service, world);
    const { session } = other.merchant;
    const receiver = await startHttpReceiver();
    onTestFinished(() => receiver.close());
    const types = { event_types: ['agent_payment.*', 'automation_policy.*'] };
    const { secret } = await activeEndpoint(service, other.merchant, receiver, types);
    const policy = await activePolicy(service, other);
    const { id } = (await succeed(pay(service, other, '1'))).body.data;
    await succeed(report(service, other, id, 'signed'));
    await succeed(service.call('DELETE', `/v1/connections/${other.connectionId}`, { session }));
    await receiver.waitForRequests(6);
    const events = eventsAt(receiver).map((request) => verified(request, secret));
    expect(events.map((event) => event.type).sort()).toEqual([
      'agent_payment.created',
      'agent_payment.signed',
      'automation_policy.activated',
      'automation_policy.created',
      'automation_policy.revoked',
    ]);
    const signed = events.find((event) => event.type === 'agent_payment.signed');
    expect(signed?.data).toMatchObject({
      agent_payment: { id, status: 'signed' },
      previous_status: 'intent_created',
    });
    const revoked = events.find((event) => event.type === 'automation_policy.revoked');
    expect(revoked?.data).toMatchObject({ automation_policy: { id: policy.id, status: 'revoked' } });
  });

  it('and by the audit trail, which names who let the agent act', async () => {
    const other = await anotherUser(service, world);
    const policy = await activePolicy(service, other);
    const query = { target_id: policy.id };
    const trail = await service.call('GET', '/v1/audit-events', { session: other.merchant.session, query });
    const acts = trail.body.audit_events.map(
      (event: { type: string; actor: { kind: string } }) => `${event.type} by ${event.actor.kind}`,
    );
    expect(acts).toEqual(['automation_policy.activated by wallet', 'automation_policy.created by api_key']);
  });
});

describe('the wallet sees what it is to sign', () => {
  it('in its list and by id, without a key', async () => {
    const other = await anotherUser(service, world);
    await activePolicy(service, other);
    const { id } = (await succeed(pay(service, other, '1'))).body.data;
    const device = deviceOf(other.device);
    const list = await service.call('GET', '/v1/agent-payments', { device });
    expect(list.body.data).toMatchObject({ items: [{ id }], next_cursor: null });
    const read = await service.call('GET', `/v1/agent-payments/${id}`, { bearer: other.device.token });
    expect(read.body.data.facts_digest).toMatch(/^sha256:[0-9a-f]{64}$/);
  });
});
