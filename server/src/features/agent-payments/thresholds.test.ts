import {
  type Autonomy,
  activePolicy,
  anotherUser,
  autonomy,
  draftPolicy,
  openWindow,
  optIn,
  pay,
  readPolicy,
  usageOf,
} from '@payassent/proof/people/autonomy';
import { outcome, succeed } from '@payassent/proof/people/merchants';
import { activePayee, replacePayee, stellarAddress } from '@payassent/proof/people/payees';
import { deviceOf } from '@payassent/proof/people/wallets';
import type { Received } from '@payassent/proof/service/client';
import { startService, type TestService } from '@payassent/proof/service/service';
import { addDecimals } from '@payassent/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const UNIT = '0.0000001';

let service: TestService;
let world: Autonomy;
beforeAll(async () => {
  service = await startService();
  world = await autonomy(service);
});
afterAll(() => service.close());

function triggered(received: Received): string {
  const details = received.body.error?.details;
  return details ? details.triggered_thresholds.join(' ') : String(received.status);
}

function evaluate(user: Autonomy, policyId: string, body: Record<string, unknown>): Promise<Received> {
  return service.call('POST', `/v1/automation-policies/${policyId}/evaluate`, { apiKey: user.apiKey, body });
}

describe('equality passes and one base unit more does not', () => {
  it('single transaction and cumulative', async () => {
    const user = await anotherUser(service, world);
    const policy = await activePolicy(service, user, { single_tx_limit: '10', cumulative_limit: '15' });
    expect(triggered(await pay(service, user, '10.0000001'))).toBe('single_tx_limit');
    expect(triggered(await pay(service, user, '10.0000000'))).toBe('201');
    expect(triggered(await pay(service, user, addDecimals('5', UNIT)))).toBe('cumulative_limit');
    expect(triggered(await pay(service, user, '5'))).toBe('201');
    expect(triggered(await pay(service, user, UNIT))).toBe('cumulative_limit');
    expect(await usageOf(service, user, policy.id)).toBe('spent 0, reserved 15, remaining 0');
  });

  it('0.1 and 0.2 against 0.3', async () => {
    const user = await anotherUser(service, world);
    const policy = await activePolicy(service, user, { single_tx_limit: '1', cumulative_limit: '0.3' });
    expect(triggered(await pay(service, user, '0.1'))).toBe('201');
    expect(triggered(await pay(service, user, '0.2'))).toBe('201');
    expect(await usageOf(service, user, policy.id)).toBe('spent 0, reserved 0.3, remaining 0');
    expect(triggered(await pay(service, user, UNIT))).toBe('cumulative_limit');
  });

  it('the window: its first instant is in, its last instant is the one before until', async () => {
    const user = await anotherUser(service, world);
    const start = new Date(Math.ceil(service.clock.now().getTime() / 1000) * 1000 + 60_000);
    const until = new Date(start.getTime() + 60_000);
    const validity_window = { from: start.toISOString(), until: until.toISOString() };
    const policy = await activePolicy(service, user, { validity_window });
    const at = async (time: Date) => {
      service.clock.freeze(time);
      return triggered(await pay(service, user, '1'));
    };
    try {
      expect(await at(new Date(start.getTime() - 1))).toBe('validity_window');
      expect(await at(start)).toBe('201');
      expect(await at(new Date(until.getTime() - 1))).toBe('201');
      expect(await at(until)).toBe('validity_window');
      const over = await readPolicy(service, user, policy.id);
      expect(over).toMatchObject({ status: 'expired', usage: { reserved: '2' } });
      const late = await pay(service, user, '11');
      expect(late.body.error.details).toMatchObject({
        triggered_thresholds: ['single_tx_limit', 'validity_window'],
        policy_id: policy.id,
        remaining: '23',
        max_amount_allowed: '0',
      });
    } finally {
      service.clock.release();
    }
  });
});

describe('the allowlist', () => {
  it('takes a Recipient that the intent names, and plain addresses', async () => {
    const user = await anotherUser(service, world);
    const friend = stellarAddress();
    const other = await activePayee(service, user.merchant);
    const named = { recipient_id: user.payee.recipientId };
    await activePolicy(service, user, { allowlist: [named, { address: friend }] });
    const direct = (to: string) => pay(service, user, '1', { to, recipient_id: undefined });
    expect(triggered(await pay(service, user, '1'))).toBe('201');
    expect(triggered(await direct(user.payee.address))).toBe('allowlist');
    expect(triggered(await direct(friend))).toBe('201');
    expect(triggered(await direct(stellarAddress()))).toBe('allowlist');
    expect(triggered(await pay(service, user, '1', { recipient_id: other.recipientId }))).toBe('allowlist');
  });

  it('an address with two memos is two payees, for create and for evaluate', async () => {
    const user = await anotherUser(service, world);
    const address = stellarAddress();
    const payee = (memo?: string) =>
      activePayee(service, user.merchant, memo === undefined ? { address } : { address, memo });
    const [shop, evil, bare] = [await payee('SHOP-111'), await payee('EVIL-999'), await payee()];
    const destinations = {
      shop: { recipient_id: shop.recipientId },
      evil: { recipient_id: evil.recipientId },
      bare: { recipient_id: bare.recipientId },
      direct: { to: address, recipient_id: undefined },
    };
    const passes = async (entry: Record<string, string>) => {
      const policy = await activePolicy(service, user, { allowlist: [entry], cumulative_limit: '1000' });
      expect(policy.allowlist).toEqual([entry]);
      const passed: string[] = [];
      for (const [name, destination] of Object.entries(destinations)) {
        const created = triggered(await pay(service, user, '1', destination));
        const { data } = (await succeed(evaluate(user, policy.id, { amount: '1', ...destination }))).body;
        expect(data.triggered_thresholds.join() || '201').toBe(created);
        if (created === '201') passed.push(name);
      }
      const device = deviceOf(user.device);
      await succeed(service.call('DELETE', `/v1/automation-policies/${policy.id}`, { device }));
      return passed;
    };
    expect(await passes({ recipient_id: shop.recipientId })).toEqual(['shop']);
    expect(await passes({ address, memo: 'SHOP-111' })).toEqual(['shop']);
    expect(await passes({ address })).toEqual(['bare', 'direct']);
  });

  it('another version of a Recipient is not covered, wherever the intent points', async () => {
    const user = await anotherUser(service, world);
    const payee = await activePayee(service, user.merchant);
    const own = { ...user, payee };
    await activePolicy(service, own);
    expect(triggered(await pay(service, own, '1'))).toBe('201');
    await replacePayee(service, user.merchant, payee);
    expect(triggered(await pay(service, own, '1'))).toBe('allowlist');
    const direct = { to: payee.address, recipient_id: undefined };
    expect(triggered(await pay(service, own, '1', direct))).toBe('allowlist');
  });
});

describe('a rejection', () => {
  it('names all four in order, and repeats the limits byte for byte', async () => {
    const user = await anotherUser(service, world);
    const validity_window = { from: '2030-01-01T00:00:00.000Z', until: '2031-01-01T00:00:00.000Z' };
    const thresholds = { single_tx_limit: '1.00', cumulative_limit: '2.50', validity_window };
    const policy = await activePolicy(service, user, thresholds);
    const refused = await pay(service, user, '3', { to: stellarAddress(), recipient_id: undefined });
    expect(refused.body).toMatchObject({ success: false, error: { code: 'HC_NC_5_HITL_REQUIRED' } });
    expect(refused.body.error.details).toEqual({
      triggered_thresholds: ['single_tx_limit', 'cumulative_limit', 'validity_window', 'allowlist'],
      policy_id: policy.id,
      limits: { ...thresholds, allowlist: policy.allowlist },
      remaining: '2.5',
      max_amount_allowed: '0',
      resubmit: { initiated_by: 'human' },
    });
  });

  it('no active policy: none, a draft, a paused one, or one for another asset', async () => {
    const user = await anotherUser(service, world);
    const nothing = {
      triggered_thresholds: ['no_active_policy'],
      policy_id: null,
      limits: null,
      remaining: null,
      max_amount_allowed: '0',
      resubmit: { initiated_by: 'human' },
    };
    const details = async (overrides = {}) => (await pay(service, user, '1', overrides)).body.error.details;
    expect(await details()).toEqual(nothing);
    const draft = await draftPolicy(service, user);
    expect(await details({ policy_id: draft.id })).toEqual(nothing);
    await succeed(optIn(service, user, draft));
    expect((await pay(service, user, '1', { policy_id: draft.id })).body.data.policy_id).toBe(draft.id);
    const device = deviceOf(user.device);
    await succeed(service.call('POST', `/v1/automation-policies/${draft.id}/pause`, { device }));
    expect(await details()).toEqual(nothing);
    const issued = { asset: 'USDC', issuer: stellarAddress() };
    await activePolicy(service, user, issued);
    expect(await details()).toEqual(nothing);
  });

  it('an asset of the same code from another issuer is another asset', async () => {
    const user = await anotherUser(service, world);
    const [issuer, forger] = [stellarAddress(), stellarAddress()];
    const genuine = await activePayee(service, user.merchant, { asset: 'USDC', issuer });
    const forged = await activePayee(service, user.merchant, { asset: 'USDC', issuer: forger });
    const allowlist = [{ recipient_id: genuine.recipientId }, { address: forged.address }];
    const policy = await activePolicy(service, user, { asset: 'USDC', issuer, allowlist });
    const usdc = (recipient_id: string) => pay(service, user, '1', { asset: 'USDC', recipient_id });
    expect((await usdc(genuine.recipientId)).body.data).toMatchObject({ issuer, policy_id: policy.id });
    expect(triggered(await usdc(forged.recipientId))).toBe('no_active_policy');
    const named = { asset: 'USDC', recipient_id: forged.recipientId, policy_id: policy.id };
    expect(triggered(await pay(service, user, '1', named))).toBe('no_active_policy');
    const evaluated = await evaluate(user, policy.id, { amount: '1', recipient_id: forged.recipientId });
    expect(evaluated.body.data.triggered_thresholds).toEqual(['no_active_policy']);
    expect(await usageOf(service, user, policy.id)).toBe('spent 0, reserved 1, remaining 24');
  });
});

describe('evaluate', () => {
  it('never differs from create, and changes nothing', async () => {
    const user = await anotherUser(service, world);
    const strangers = stellarAddress();
    const policy = await activePolicy(service, user, { single_tx_limit: '3', cumulative_limit: '12' });
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return (seed >> 8) % below;
    };
    const verdicts = new Set<string>();
    for (let round = 0; round < 24; round += 1) {
      const amount = `${random(5)}.${random(9) + 1}`;
      const destination = random(4) === 0 ? { to: strangers } : { recipient_id: user.payee.recipientId };
      const before = await usageOf(service, user, policy.id);
      const { data } = (await succeed(evaluate(user, policy.id, { amount, ...destination }))).body;
      expect(await usageOf(service, user, policy.id)).toBe(before);
      const created = await pay(service, user, amount, { recipient_id: undefined, ...destination });
      verdicts.add(data.verdict);
      if (data.verdict === 'allow') {
        expect([data.triggered_thresholds, created.status]).toEqual([[], 201]);
      } else {
        expect(created.body.error.details).toMatchObject({
          triggered_thresholds: data.triggered_thresholds,
          remaining: data.remaining,
          max_amount_allowed: data.max_amount_allowed,
        });
      }
    }
    expect([...verdicts].sort()).toEqual(['allow', 'hitl_required']);
  });

  it('of a draft reports that nothing is active; of a paused connection, what create would return', async () => {
    const user = await anotherUser(service, world);
    const draft = await draftPolicy(service, user);
    const ask = { amount: '1', recipient_id: user.payee.recipientId };
    expect((await evaluate(user, draft.id, ask)).body.data).toEqual({
      id: draft.id,
      status: 'draft',
      verdict: 'hitl_required',
      triggered_thresholds: ['no_active_policy'],
      remaining: null,
      max_amount_allowed: '0',
    });
    await succeed(optIn(service, user, draft));
    const path = `/v1/connections/${user.connectionId}`;
    const device = deviceOf(user.device);
    await succeed(service.call('PATCH', path, { device, body: { status: 'paused' } }));
    expect(outcome(await evaluate(user, draft.id, ask))).toBe('403 connection_paused');
    expect(outcome(await pay(service, user, '1'))).toBe('403 connection_paused');
    const human = { initiated_by: 'human' };
    expect(outcome(await pay(service, user, '1', human, { device }))).toBe('403 connection_paused');
  });

  it('lists every issue of a broken question', async () => {
    const user = await anotherUser(service, world);
    const { id } = await activePolicy(service, user);
    const issues = async (body: Record<string, unknown>) =>
      (await evaluate(user, id, body)).body.error.details.issues.map(
        (issue: { field: string; code: string }) => `${issue.field} ${issue.code}`,
      );
    expect(await issues({ amount: '1e3', to: 'GX', extra: 1 })).toEqual([
      'extra unknown_field',
      'amount amount_invalid',
      'to address_invalid',
    ]);
    expect(await issues({ amount: '1.00000001' })).toEqual([
      'amount amount_precision_exceeded',
      'recipient_id required',
    ]);
    const both = { amount: '1', to: user.payee.address, recipient_id: user.payee.recipientId };
    expect(await issues(both)).toEqual(['to payment_fact_forbidden']);
    const issuer = stellarAddress();
    const { recipientId } = await activePayee(service, user.merchant, { asset: 'USDC', issuer });
    expect(await issues({ amount: '1', recipient_id: recipientId })).toEqual(['recipient_id fact_mismatch']);
  });
});

describe('usage', () => {
  it('stays with the policy when its limits change, also below what is used', async () => {
    const user = await anotherUser(service, world);
    const policy = await activePolicy(service, user);
    await succeed(pay(service, user, '8'));
    const device = deviceOf(user.device);
    const change = { cumulative_limit: '5.50', version: policy.version };
    const path = `/v1/automation-policies/${policy.id}`;
    const lowered = await succeed(service.call('PATCH', path, { device, body: change }));
    expect(lowered.body.data).toMatchObject({
      status: 'active',
      cumulative_limit: '5.50',
      usage: { spent: '0', reserved: '8', remaining: '0' },
    });
    const refused = await pay(service, user, UNIT);
    expect(refused.body.error.details).toMatchObject({ remaining: '0', max_amount_allowed: '0' });
  });

  it('no longer counts what is past its time, from the very next instant', async () => {
    const user = await anotherUser(service, world);
    const now = service.clock.now();
    const policy = await activePolicy(service, user, { validity_window: openWindow(now) });
    const expires_at = new Date(now.getTime() + 600_000).toISOString();
    for (const amount of ['10', '10', '5']) await succeed(pay(service, user, amount, { expires_at }));
    service.clock.freeze(new Date(expires_at));
    try {
      expect(triggered(await pay(service, user, '1'))).toBe('cumulative_limit');
      service.clock.advance(1);
      expect(await usageOf(service, user, policy.id)).toBe('spent 0, reserved 0, remaining 25');
      const ask = { amount: '10', recipient_id: user.payee.recipientId };
      expect((await evaluate(user, policy.id, ask)).body.data.verdict).toBe('allow');
      expect(triggered(await pay(service, user, '10'))).toBe('201');
      expect(await usageOf(service, user, policy.id)).toBe('spent 0, reserved 10, remaining 15');
    } finally {
      service.clock.release();
    }
  });
});
