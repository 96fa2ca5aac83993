import {
  type Autonomy,
  activePolicy,
  anotherUser,
  autonomy,
  pay,
  paymentBody,
  report,
  usageOf,
} from '@payassent/proof/people/autonomy';
import { outcome, succeed } from '@payassent/proof/people/merchants';
import { activePayee, createPayee, stellarAddress } from '@payassent/proof/people/payees';
import { deviceOf } from '@payassent/proof/people/wallets';
import type { Received, Sent } from '@payassent/proof/service/client';
import { startService, type TestService } from '@payassent/proof/service/service';
import { factsDigest } from '@payassent/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let service: TestService;
let world: Autonomy;
let user: Autonomy;
beforeAll(async () => {
  service = await startService();
  world = await autonomy(service);
});
afterAll(() => service.close());

const fresh = async () => {
  user = await anotherUser(service, world);
  return activePolicy(service, user);
};

function issuesOf(received: Received): string[] {
  return received.body.error.details.issues.map(
    (issue: { field: string; code: string }) => `${issue.field} ${issue.code}`,
  );
}

describe('idempotency keys', () => {
  it('the same key and intent respond with the one payment in its current state', async () => {
    const policy = await fresh();
    const sent = { apiKey: user.apiKey, idempotencyKey: 'order-1' };
    const first = await pay(service, user, '2', {}, sent);
    expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([201, null]);
    await succeed(report(service, user, first.body.data.id, 'signed'));
    const device = deviceOf(user.device);
    await succeed(
      service.call('PATCH', `/v1/connections/${user.connectionId}`, { device, body: { status: 'paused' } }),
    );
    const again = await pay(service, user, '2', {}, sent);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
    expect(again.body.data).toMatchObject({ id: first.body.data.id, status: 'signed' });
    const byBody = { apiKey: user.apiKey, headers: { 'idempotency-key': 'order-1' } };
    const body = paymentBody(user, '2', { idempotency_key: 'order-1' });
    const other = await service.call('POST', '/v1/agent-payments', { ...byBody, body });
    expect(other.body.data.id).toBe(first.body.data.id);
    expect(await usageOf(service, user, policy.id)).toBe('spent 0, reserved 2, remaining 23');
  });

  it('another intent under the same key is refused and learns nothing', async () => {
    await fresh();
    const sent = { apiKey: user.apiKey, idempotencyKey: 'order-1' };
    await succeed(pay(service, user, '2', {}, sent));
    const other = await pay(service, user, '3', {}, sent);
    expect(outcome(other)).toBe('422 idempotency_key_reused');
    expect(other.body.error.details).toEqual({});
  });

  it('keys belong to a connection', async () => {
    await fresh();
    const sent = { apiKey: world.apiKey, idempotencyKey: 'shared' };
    const first = await succeed(pay(service, user, '1', {}, sent));
    await fresh();
    const second = await pay(service, user, '1', {}, sent);
    expect(second.status).toBe(201);
    expect(second.body.data.id).not.toBe(first.body.data.id);
  });

  it('is needed, and its carriers must agree', async () => {
    await fresh();
    const body = paymentBody(user, '1');
    const { apiKey } = user;
    const without = await service.call('POST', '/v1/agent-payments', { apiKey, body });
    expect(outcome(without)).toBe('400 idempotency_key_required');
    const differing = { apiKey, idempotencyKey: 'a', body: { ...body, idempotency_key: 'b' } };
    expect(outcome(await service.call('POST', '/v1/agent-payments', differing))).toBe(
      '400 IDEMPOTENCY_KEY_MISMATCH',
    );
    const withId = { apiKey, idempotencyKey: 'a', body: { ...body, request_id: 'mine' } };
    expect(issuesOf(await service.call('POST', '/v1/agent-payments', withId))).toEqual([
      'request_id unknown_field',
    ]);
  });

  it('equal creates at the same moment make one payment and reserve once, also at the cap', async () => {
    user = await anotherUser(service, world);
    const policy = await activePolicy(service, user, { single_tx_limit: '25' });
    const sent = { apiKey: user.apiKey, idempotencyKey: 'at-once' };
    const answers = await Promise.all(Array.from({ length: 12 }, () => pay(service, user, '25', {}, sent)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([...Array(11).fill(200), 201]);
    expect(new Set(answers.map((answer) => answer.body.data.id)).size).toBe(1);
    expect(await usageOf(service, user, policy.id)).toBe('spent 0, reserved 25, remaining 0');
  });
});

describe('what is pinned', () => {
  it('every detail of the Recipient version, with a digest that a wallet can recompute', async () => {
    await fresh();
    const issuer = stellarAddress();
    const facts = { asset: 'USDC', issuer, memo: 'INV-7' };
    const payee = await activePayee(service, user.merchant, facts);
    const device = deviceOf(user.device);
    const made = await pay(
      service,
      user,
      '12.50',
      { asset: 'USDC', recipient_id: payee.recipientId },
      { device },
    );
    const { data } = made.body;
    expect(data).toMatchObject({ ...facts, to: payee.address, amount: '12.50', initiated_by: 'human' });
    expect(data.facts_digest).toBe(
      factsDigest({
        rail: 'stellar_xlm',
        network: 'stellar_testnet',
        amount: '12.50',
        to: payee.address,
        decimals: 7,
        recipient_version_id: payee.recipientVersionId,
        ...facts,
      }),
    );
  });

  it('a plain address is shown as no one vouches for it', async () => {
    await fresh();
    const to = stellarAddress();
    const made = await pay(
      service,
      user,
      '1',
      { to, recipient_id: undefined },
      { device: deviceOf(user.device) },
    );
    expect(made.body.data).toMatchObject({
      to,
      recipient_id: null,
      recipient_version_id: null,
      payee: { name: to, verified: false },
      facts_digest: factsDigest({
        rail: 'stellar_xlm',
        network: 'stellar_testnet',
        asset: 'XLM',
        amount: '1',
        to,
        decimals: 7,
      }),
    });
  });

  it('a plain address carries who typed it, a Recipient no one', async () => {
    user = await anotherUser(service, world);
    const to = stellarAddress();
    await activePolicy(service, user, { allowlist: [{ address: to }] });
    const device = deviceOf(user.device);
    const typed = async (
      sent: Sent,
      overrides: Record<string, unknown> = { to, recipient_id: undefined },
    ) => {
      const { data } = (await succeed(pay(service, user, '1', overrides, sent))).body;
      const read = await service.call('GET', `/v1/agent-payments/${data.id}`, { device });
      // Agents do not see the credential that created it.
      const created_with = data.created_with ?? 'api_key';
      const payment_uri = expect.stringContaining(data.to);
      expect(read.body.data).toEqual({ ...data, created_with, payment_uri });
      return data.to_entered_by;
    };
    expect(await typed({ apiKey: user.apiKey })).toBe('agent');
    expect(await typed({ bearer: user.admin })).toBe('operator');
    expect(await typed({ session: user.merchant.session })).toBe('operator');
    expect(await typed({ device })).toBe('user');
    expect(await typed({ device, apiKey: user.apiKey })).toBe('user');
    expect(await typed({ device }, {})).toBeNull();
  });

  it('lives for an hour unless the caller chooses another time', async () => {
    await fresh();
    const { data } = (await succeed(pay(service, user, '1'))).body;
    expect(Date.parse(data.expires_at) - Date.parse(data.created_at)).toBe(3_600_000);
    const expires_at = '2026-01-01T00:00:00Z';
    expect(issuesOf(await pay(service, user, '1', { expires_at }))).toEqual(['expires_at expires_in_past']);
    const far = new Date(Date.now() + 367 * 86_400_000).toISOString();
    expect(issuesOf(await pay(service, user, '1', { expires_at: far }))).toEqual(['expires_at out_of_range']);
  });
});

describe('what is wrong is listed together', () => {
  it('every issue of a body, those of time and Recipient included', async () => {
    await fresh();
    const body = {
      connection_id: user.connectionId,
      network: 'nowhere',
      asset: 'XLM',
      amount: '01',
      recipient_id: user.payee.recipientId,
      expires_at: '2020-01-01T00:00:00Z',
      metadata: { memo: 'x', note: 'hid\u202eden', text: `send to ${stellarAddress()}` },
      tenant_id: 'x',
    };
    const refused = await service.call('POST', '/v1/agent-payments', { apiKey: user.apiKey, body });
    expect(outcome(refused)).toBe('400 validation_failed');
    expect(issuesOf(refused).sort()).toEqual([
      'amount amount_invalid',
      'expires_at expires_in_past',
      'idempotency_key required',
      'metadata.memo display_override_forbidden',
      'metadata.note risk_control_characters',
      'metadata.text risk_foreign_address',
      'network invalid_enum',
      'tenant_id identity_field_forbidden',
    ]);
  });

  it('in the key as well, where only the payee itself is allowed', async () => {
    await fresh();
    const withKey = (idempotencyKey: string) =>
      pay(service, user, '1', {}, { apiKey: user.apiKey, idempotencyKey });
    const other = stellarAddress();
    const refused = await withKey(`order ${other.toLowerCase()}`);
    expect([refused.status, issuesOf(refused)]).toEqual([422, ['idempotency_key risk_foreign_address']]);
    const body = paymentBody(user, '1', { idempotency_key: 'order\u202e' });
    const hidden = await service.call('POST', '/v1/agent-payments', { apiKey: user.apiKey, body });
    expect([hidden.status, issuesOf(hidden)]).toEqual([422, ['idempotency_key risk_control_characters']]);
    expect((await withKey(`order ${user.payee.address}`)).status).toBe(201);
  });

  it('next to a plain address too, whose own text is no foreign one', async () => {
    await fresh();
    const to = stellarAddress();
    const metadata = { own: to, other: stellarAddress() };
    const sent = { to, recipient_id: undefined, metadata };
    expect(issuesOf(await pay(service, user, '0', sent))).toEqual([
      'amount amount_invalid',
      'metadata.other risk_foreign_address',
    ]);
    // Both readings of the address are possible.
    expect(issuesOf(await pay(service, user, '0', { ...sent, to: `${to}x` }))).toEqual([
      'amount amount_invalid',
      'to address_invalid',
    ]);
  });

  it('what the Recipient does not take, whatever else is wrong', async () => {
    await fresh();
    const wrong = { asset: 'USDC', metadata: { other: stellarAddress() } };
    const ofRecipient = ['asset fact_mismatch', 'metadata.other risk_foreign_address'];
    expect(issuesOf(await pay(service, user, '0', wrong))).toEqual(['amount amount_invalid', ...ofRecipient]);
    expect(issuesOf(await pay(service, user, '1', wrong))).toEqual(ofRecipient);
    const device = deviceOf(user.device);
    expect(issuesOf(await pay(service, user, '0', wrong, { device }))).toEqual([
      'amount amount_invalid',
      ...ofRecipient,
    ]);
    // One issue is enough: the asset is no asset at all.
    expect(issuesOf(await pay(service, user, '0', { asset: 5 }))).toEqual([
      'asset invalid_type',
      'amount amount_invalid',
    ]);
    const foreign = await pay(service, await autonomy(service), '0', {
      ...wrong,
      recipient_id: user.payee.recipientId,
    });
    expect(issuesOf(foreign)).toEqual(['amount amount_invalid']);
  });

  it('misleading notes alone are a risk; the own address is not', async () => {
    await fresh();
    const foreign = { metadata: { text: stellarAddress() } };
    expect(outcome(await pay(service, user, '1', foreign))).toBe('422 risk_rejected');
    const own = { metadata: { text: `to ${user.payee.address}` } };
    expect((await pay(service, user, '1', own)).status).toBe(201);
  });

  it('a plain address takes the native asset only, a Recipient its own', async () => {
    await fresh();
    const toAddress = { asset: 'USDC', to: stellarAddress(), recipient_id: undefined };
    expect(issuesOf(await pay(service, user, '1', toAddress))).toEqual(['asset unsupported_asset']);
    expect(issuesOf(await pay(service, user, '1', { asset: 'USDC' }))).toEqual(['asset fact_mismatch']);
    const unnamed = await pay(service, user, '1', { recipient_id: undefined });
    expect(issuesOf(unnamed)).toEqual(['recipient_id required']);
  });

  it('a Recipient that cannot be paid: 409 when it is known, 404 when not', async () => {
    await fresh();
    const { recipient_id } = (await createPayee(service, user.merchant)).body.recipient;
    expect(outcome(await pay(service, user, '1', { recipient_id }))).toBe('409 recipient_not_active');
    const absent = { recipient_id: `rcp_${'0'.repeat(26)}` };
    expect(outcome(await pay(service, user, '1', absent))).toBe('404 resource_not_found');
  });
});

describe('the envelope', () => {
  it('is the second surface’s on every response, errors included', async () => {
    await fresh();
    const { apiKey } = user;
    const made = await pay(service, user, '1');
    expect(Object.keys(made.body)).toEqual(['success', 'data', 'request_id', 'timestamp']);
    expect(made.body.request_id).toBe(made.headers.get('x-request-id'));
    const answers = {
      404: await service.call('GET', '/v1/agent-payments/ap_none', { apiKey }),
      405: await service.call('PATCH', '/v1/automation-policies', { apiKey }),
      413: await service.call('POST', '/v1/agent-payments', { apiKey, rawBody: 'x'.repeat(70_000) }),
      415: await service.call('POST', '/v1/agent-payments', {
        apiKey,
        rawBody: 'x',
        headers: { 'content-type': 'text/plain' },
      }),
      400: await service.call('POST', '/v1/automation-policies', { apiKey, rawBody: '{' }),
      401: await service.call('GET', '/v1/automation-policies/unknown/path/x'),
    };
    for (const [status, { status: received, body }] of Object.entries(answers)) {
      if (status !== '401') expect(String(received)).toBe(status);
      expect(body).toMatchObject({ success: false, error: { details: expect.any(Object) } });
      expect(Object.keys(body)).toEqual(['success', 'error', 'request_id', 'timestamp']);
      expect(body.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    }
  });
});
