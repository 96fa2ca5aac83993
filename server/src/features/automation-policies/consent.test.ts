import {
  type Autonomy,
  activePolicy,
  anotherUser,
  autonomy,
  draftPolicy,
  openWindow,
  optIn,
  pay,
  policyBody,
  readPolicy,
} from '@payassent/proof/people/autonomy';
import { outcome, succeed } from '@payassent/proof/people/merchants';
import { createPayee, stellarAddress } from '@payassent/proof/people/payees';
import { deviceOf } from '@payassent/proof/people/wallets';
import type { Body, Received, Sent } from '@payassent/proof/service/client';
import { startService, type TestService } from '@payassent/proof/service/service';
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
};

function act(policyId: string, name: string, sent: Sent): Promise<Received> {
  return service.call('POST', `/v1/automation-policies/${policyId}/${name}`, sent);
}

function change(policyId: string, sent: Sent): Promise<Received> {
  return service.call('PATCH', `/v1/automation-policies/${policyId}`, sent);
}

const wallet = (body?: Body): Sent => ({ device: deviceOf(user.device), ...(body ? { body } : {}) });
const admin = (body?: Body): Sent => ({ bearer: user.admin, ...(body ? { body } : {}) });

describe('opting in', () => {
  it('needs all four thresholds and names every missing one', async () => {
    await fresh();
    const bare = { connection_id: user.connectionId, network: 'stellar_testnet', asset: 'XLM' };
    const { data } = (
      await succeed(service.call('POST', '/v1/automation-policies', { apiKey: user.apiKey, body: bare }))
    ).body;
    expect(data).toMatchObject({
      single_tx_limit: null,
      cumulative_limit: null,
      validity_window: null,
      allowlist: null,
      issuer: null,
      usage: { spent: '0', reserved: '0', remaining: null },
    });
    const refused = await optIn(service, user, data);
    expect(outcome(refused)).toBe('409 policy_incomplete');
    expect(refused.body.error.details).toEqual({
      missing: ['single_tx_limit', 'cumulative_limit', 'validity_window', 'allowlist'],
    });
    const past = { from: '2020-01-01T00:00:00Z', until: '2020-02-01T00:00:00Z' };
    const filled = await succeed(
      change(data.id, admin({ version: 1, single_tx_limit: '1', validity_window: past, allowlist: [] })),
    );
    expect(filled.body.data).toMatchObject({ status: 'draft', version: 2, allowlist: [] });
    const still = await optIn(service, user, filled.body.data);
    expect(still.body.error.details.missing).toEqual(['cumulative_limit', 'validity_window', 'allowlist']);
  });

  it('accepts the version that the customer saw and no other', async () => {
    await fresh();
    const draft = await draftPolicy(service, user);
    const raised = { version: 1, cumulative_limit: '1000' };
    await succeed(change(draft.id, admin(raised)));
    const refused = await optIn(service, user, draft);
    expect(outcome(refused)).toBe('409 version_conflict');
    expect(refused.body.error.details).toEqual({ current_version: 2 });
    expect(outcome(await act(draft.id, 'opt-in', wallet({})))).toBe('400 validation_failed');
    expect(outcome(await optIn(service, user, { id: draft.id, version: 3 }))).toBe('409 version_conflict');
    expect((await optIn(service, user, { id: draft.id, version: 2 })).status).toBe(200);
  });

  it('a window that begins later is fine; nothing passes before', async () => {
    await fresh();
    const { from, until } = openWindow(new Date(Date.now() + 3_600_000));
    const policy = await activePolicy(service, user, { validity_window: { from, until } });
    expect(policy).toMatchObject({ status: 'active', validity_window: { from, until } });
    expect((await pay(service, user, '1')).body.error.details.triggered_thresholds).toEqual([
      'validity_window',
    ]);
  });

  it('at most one active policy per connection, network, asset and issuer', async () => {
    await fresh();
    const first = await activePolicy(service, user);
    const second = await draftPolicy(service, user);
    const refused = await optIn(service, user, second);
    expect(outcome(refused)).toBe('409 policy_conflict');
    await activePolicy(service, user, { asset: 'USDC', issuer: stellarAddress() });
    await succeed(act(first.id, 'pause', wallet()));
    await succeed(optIn(service, user, second));
    const { version } = await readPolicy(service, user, first.id);
    expect(outcome(await act(first.id, 'resume', wallet({ version })))).toBe('409 policy_conflict');
  });

  it('of two at the same moment one wins', async () => {
    await fresh();
    const drafts = await Promise.all([1, 2, 3, 4].map(() => draftPolicy(service, user)));
    const outcomes = await Promise.all(drafts.map((draft) => optIn(service, user, draft)));
    expect(outcomes.map(outcome).sort()).toEqual([
      '200 ok',
      '409 policy_conflict',
      '409 policy_conflict',
      '409 policy_conflict',
    ]);
  });

  it('needs Recipients that can be paid', async () => {
    await fresh();
    const created = await createPayee(service, user.merchant);
    const { recipient_id } = created.body.recipient;
    const draft = await draftPolicy(service, user, { allowlist: [{ recipient_id }] });
    const refused = await optIn(service, user, draft);
    expect(outcome(refused)).toBe('409 recipient_not_active');
    expect(refused.body.error.details).toEqual({ recipient_id });
  });
});

describe('anyone else who changes the policy takes the consent away', () => {
  it('an active policy becomes a draft, by a team member of either kind', async () => {
    for (const credential of [{ bearer: world.admin }, { session: world.merchant.session }]) {
      await fresh();
      const policy = await activePolicy(service, user);
      const body = { version: policy.version, single_tx_limit: '9' };
      const changed = await succeed(change(policy.id, { ...credential, body }));
      expect(changed.body.data).toMatchObject({
        status: 'draft',
        version: policy.version + 1,
        opted_in_at: null,
        allowlist: [{ recipient_id: user.payee.recipientId }],
      });
      expect((await pay(service, user, '1')).body.error.details.triggered_thresholds).toEqual([
        'no_active_policy',
      ]);
    }
  });

  it('so does a paused one: it cannot be resumed, only opted into again', async () => {
    await fresh();
    const policy = await activePolicy(service, user);
    const paused = (await succeed(act(policy.id, 'pause', admin()))).body.data;
    const body = { version: paused.version, cumulative_limit: '9999' };
    const loosened = (await succeed(change(policy.id, admin(body)))).body.data;
    expect(loosened.status).toBe('draft');
    const refused = await act(policy.id, 'resume', wallet({ version: loosened.version }));
    expect(outcome(refused)).toBe('409 invalid_status_transition');
    expect(refused.body.error.details).toMatchObject({ from: 'draft', to: 'active' });
    expect((await optIn(service, user, loosened)).body.data.status).toBe('active');
  });

  it("the customer's own change is consent, pins again and must leave the policy complete", async () => {
    await fresh();
    const policy = await activePolicy(service, user);
    const raised = await succeed(
      change(policy.id, wallet({ version: policy.version, single_tx_limit: '20' })),
    );
    expect(raised.body.data).toMatchObject({
      status: 'active',
      single_tx_limit: '20',
      allowed_payees: [{ recipient_version_id: user.payee.recipientVersionId }],
    });
    expect((await pay(service, user, '20')).status).toBe(201);
    const { version } = raised.body.data;
    const emptied = await change(policy.id, wallet({ version, allowlist: [] }));
    expect(outcome(emptied)).toBe('409 policy_incomplete');
    const over = { from: '2020-01-01T00:00:00Z', until: '2020-02-01T00:00:00Z' };
    const ended = await change(policy.id, wallet({ version, validity_window: over }));
    expect(ended.body.error.details).toEqual({ missing: ['validity_window'] });
    const draft = await draftPolicy(service, await anotherUser(service, world));
    expect(draft.status).toBe('draft');
  });

  it("the customer's change of a draft is no opt-in", async () => {
    await fresh();
    const draft = await draftPolicy(service, user);
    const changed = await succeed(change(draft.id, wallet({ version: 1, single_tx_limit: '1' })));
    expect(changed.body.data).toMatchObject({ status: 'draft', opted_in_at: null, version: 2 });
  });
});

describe('pausing, resuming, ending', () => {
  it('happens once and returns the same for a repeat', async () => {
    await fresh();
    const policy = await activePolicy(service, user);
    const paused = (await succeed(act(policy.id, 'pause', admin()))).body.data;
    expect(paused).toMatchObject({ status: 'paused', version: policy.version + 1 });
    expect((await act(policy.id, 'pause', wallet())).body.data.version).toBe(paused.version);
    expect(outcome(await act(policy.id, 'resume', wallet({ version: policy.version })))).toBe(
      '409 version_conflict',
    );
    const resumed = (await succeed(act(policy.id, 'resume', wallet({ version: paused.version })))).body.data;
    expect(resumed).toMatchObject({ status: 'active', opted_in_at: policy.opted_in_at });
    expect((await pay(service, user, '1')).status).toBe(201);
    const path = `/v1/automation-policies/${policy.id}`;
    const revoked = (await succeed(service.call('DELETE', path, wallet()))).body.data;
    expect(revoked).toMatchObject({ id: policy.id, status: 'revoked', usage: { reserved: '1' } });
    expect((await service.call('DELETE', path, admin())).body.data).toEqual(revoked);
    for (const refused of [
      await act(policy.id, 'pause', admin()),
      await act(policy.id, 'resume', wallet({ version: revoked.version })),
      await optIn(service, user, revoked),
      await change(policy.id, wallet({ version: revoked.version, single_tx_limit: '1' })),
    ])
      expect(outcome(refused)).toBe('409 invalid_status_transition');
  });

  it('a revoked connection takes its policies and open intents with it', async () => {
    await fresh();
    const policy = await activePolicy(service, user);
    const open = (await succeed(pay(service, user, '2'))).body.data;
    const signed = (await succeed(pay(service, user, '3'))).body.data;
    const report = { device: deviceOf(user.device), body: { status: 'signed' } };
    await succeed(service.call('POST', `/v1/agent-payments/${signed.id}/status`, report));
    await succeed(service.call('DELETE', `/v1/connections/${user.connectionId}`, wallet()));
    // Where the job locked the payment first, the call does not wait for it.
    await expect
      .poll(() => readPolicy(service, user, policy.id))
      .toMatchObject({ status: 'revoked', usage: { spent: '0', reserved: '3', remaining: '22' } });
    const read = await service.call('GET', `/v1/agent-payments/${open.id}`, { apiKey: user.apiKey });
    expect(read.body.data).toMatchObject({ status: 'rejected', reason: 'connection_revoked' });
    expect(outcome(await pay(service, user, '1'))).toBe('409 connection_revoked');
    const now = await readPolicy(service, user, policy.id);
    for (const version of [policy.version, now.version]) {
      const tries = [
        await optIn(service, user, { id: policy.id, version }),
        await act(policy.id, 'resume', wallet({ version })),
        await change(policy.id, admin({ version, single_tx_limit: '1' })),
        await change(policy.id, wallet({ version, single_tx_limit: '1' })),
      ];
      for (const received of tries) expect(outcome(received)).toBe('409 connection_revoked');
    }
    const drafted = await service.call('POST', '/v1/automation-policies', admin(policyBody(user)));
    expect(outcome(drafted)).toBe('409 connection_revoked');
    const end = { device: deviceOf(user.device), body: { status: 'broadcasted' } };
    expect((await service.call('POST', `/v1/agent-payments/${signed.id}/status`, end)).status).toBe(200);
  });

  it('an expired policy makes room for another and is never opened again', async () => {
    await fresh();
    const now = service.clock.now().getTime();
    const window = {
      from: new Date(now - 1000).toISOString(),
      until: new Date(now + 60_000).toISOString(),
    };
    const policy = await activePolicy(service, user, { validity_window: window });
    const next = await draftPolicy(service, user);
    service.clock.advance(61_000);
    expect((await optIn(service, user, next)).status).toBe(200);
    const over = await readPolicy(service, user, policy.id);
    expect(over.status).toBe('expired');
    expect((await optIn(service, user, over)).body.error).toMatchObject({
      code: 'policy_incomplete',
      details: { missing: ['validity_window'] },
    });
    const later = change(
      policy.id,
      wallet({ version: over.version, validity_window: openWindow(service.clock.now()) }),
    );
    expect(outcome(await later)).toBe('409 invalid_status_transition');
    expect((await pay(service, user, '1')).body.data.policy_id).toBe(next.id);
  });
});

describe('the input', () => {
  it('is closed, and every issue is listed together', async () => {
    await fresh();
    const body = {
      network: 'nowhere',
      asset: 'USDC',
      merchant_id: 'mer_1',
      single_tx_limit: '0',
      cumulative_limit: '1.12345678',
      validity_window: { from: '2030-01-02T00:00:00Z', until: '2030-01-01T00:00:00Z' },
      allowlist: [{ address: 'GX' }, {}, { recipient_id: 'rcp_1', address: stellarAddress() }],
    };
    const refused = await service.call('POST', '/v1/automation-policies', { apiKey: user.apiKey, body });
    expect(outcome(refused)).toBe('400 validation_failed');
    const issues = refused.body.error.details.issues.map(
      (issue: { field: string; code: string }) => `${issue.field} ${issue.code}`,
    );
    expect(issues.sort()).toEqual([
      'allowlist[0].address address_invalid',
      'allowlist[1].recipient_id required',
      'allowlist[2].address payment_fact_forbidden',
      'connection_id required',
      'cumulative_limit amount_precision_exceeded',
      'issuer required',
      'merchant_id identity_field_forbidden',
      'network invalid_enum',
      'single_tx_limit amount_invalid',
      'validity_window.until out_of_range',
    ]);
  });

  it("an address may have a memo by the network's rules, a Recipient has its own", async () => {
    await fresh();
    const address = stellarAddress();
    const issues = async (...allowlist: Record<string, string>[]) => {
      const sent = { apiKey: user.apiKey, body: policyBody(user, { allowlist }) };
      const received = await service.call('POST', '/v1/automation-policies', sent);
      return (received.body.error?.details.issues ?? []).map(
        (issue: { field: string; code: string }) => `${received.status} ${issue.field} ${issue.code}`,
      );
    };
    expect(
      await issues({ address, memo: 'SHOP-111' }, { address }, { address, memo: '☕'.repeat(9) }),
    ).toEqual([]);
    expect(await issues({ address, memo: '☕'.repeat(10) }, { address, memo: '' })).toEqual([
      '400 allowlist[0].memo too_long',
      '400 allowlist[1].memo too_short',
    ]);
    expect(await issues({ recipient_id: user.payee.recipientId, memo: 'x' })).toEqual([
      '400 allowlist[0].memo payment_fact_forbidden',
    ]);
    expect(await issues({ address, memo: 'a\u202eb' })).toEqual([
      '422 allowlist[0].memo risk_control_characters',
    ]);
  });

  it('the native asset has no issuer, and a change must change something', async () => {
    await fresh();
    const withIssuer = { apiKey: user.apiKey, body: policyBody(user, { issuer: stellarAddress() }) };
    expect(outcome(await service.call('POST', '/v1/automation-policies', withIssuer))).toBe(
      '400 validation_failed',
    );
    const draft = await draftPolicy(service, user);
    expect(outcome(await change(draft.id, admin({ version: 1 })))).toBe('400 validation_failed');
    expect(outcome(await change(draft.id, admin({ single_tx_limit: '1' })))).toBe('400 validation_failed');
    expect(outcome(await change(draft.id, admin({ version: 1, asset: 'USDC' })))).toBe(
      '400 validation_failed',
    );
  });

  it('limits leave byte for byte, times normalised', async () => {
    await fresh();
    const validity_window = { from: '2029-12-31T23:00:00-01:00', until: '2031-01-01T00:00:00Z' };
    const draft = await draftPolicy(service, user, { single_tx_limit: '10.500', validity_window });
    expect(draft).toMatchObject({
      single_tx_limit: '10.500',
      validity_window: { from: '2030-01-01T00:00:00.000Z', until: '2031-01-01T00:00:00.000Z' },
    });
  });
});
