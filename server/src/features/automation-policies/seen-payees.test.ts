import {
  type Autonomy,
  activePolicy,
  anotherUser,
  autonomy,
  draftPolicy,
  optIn,
  pay,
  readPolicy,
} from '@payassent/proof/people/autonomy';
import { outcome, succeed } from '@payassent/proof/people/merchants';
import {
  activateFirst,
  activePayee,
  createPayee,
  replacePayee,
  type TestPayee,
} from '@payassent/proof/people/payees';
import { deviceOf } from '@payassent/proof/people/wallets';
import type { Body, Received } from '@payassent/proof/service/client';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

let service: TestService;
let world: Autonomy;
let user: Autonomy;
beforeAll(async () => {
  service = await startService();
  world = await autonomy(service);
});
afterAll(() => service.close());

/** A customer and a payee that no other test changes. */
beforeEach(async () => {
  user = { ...(await anotherUser(service, world)), payee: await activePayee(service, world.merchant) };
});

/** The merchant gives the payee another address. */
async function move(payee: TestPayee = user.payee): Promise<TestPayee> {
  const moved = await replacePayee(service, user.merchant, payee);
  if (payee.recipientId === user.payee.recipientId) user = { ...user, payee: moved };
  return moved;
}

async function archive({ recipientId, version }: TestPayee): Promise<void> {
  const { session } = user.merchant;
  const body = { status: 'archived', version };
  await succeed(service.call('PATCH', `/v1/recipients/${recipientId}`, { session, body }));
}

function change(policyId: string, body: Body, by: 'wallet' | 'admin' = 'wallet'): Promise<Received> {
  const credential = by === 'wallet' ? { device: deviceOf(user.device) } : { bearer: user.admin };
  return service.call('PATCH', `/v1/automation-policies/${policyId}`, { ...credential, body });
}

const read = (policy: Body) => readPolicy(service, user, policy['id']);
const pins = (payees: readonly { recipient_version_id: string }[]) =>
  payees.map((payee) => payee.recipient_version_id);

/** 201, or what blocked the payment. */
async function paid(overrides: Record<string, unknown> = {}): Promise<string> {
  const { status, body } = await pay(service, user, '1', overrides);
  return status === 201 ? '201' : (body.error.details.triggered_thresholds ?? [body.error.code]).join();
}

async function expectConflict(pending: Promise<Received>, currentVersion: number): Promise<void> {
  const received = await pending;
  expect(outcome(received)).toBe('409 version_conflict');
  expect(received.body.error.details).toEqual({ current_version: currentVersion });
}

describe('opting into a draft', () => {
  it('accepts a payee in the version that the draft showed, and shows a newer one first', async () => {
    const first = user.payee;
    const draft = await draftPolicy(service, user);
    expect(draft).toMatchObject({
      allowed_payees: [{ recipient_version_id: first.recipientVersionId, address: first.address }],
      proposed_payees: [],
    });
    const moved = await move();
    expect(await read(draft)).toEqual(draft);

    await expectConflict(optIn(service, user, draft), 2);
    const shown = await read(draft);
    expect(shown).toMatchObject({
      status: 'draft',
      version: 2,
      opted_in_at: null,
      allowed_payees: [{ recipient_version_id: moved.recipientVersionId, address: moved.address }],
      proposed_payees: [],
    });
    expect(await paid()).toBe('no_active_policy');
    await expectConflict(optIn(service, user, draft), 2);

    const active = (await succeed(optIn(service, user, shown))).body.data;
    expect(active).toMatchObject({ status: 'active', version: 3 });
    expect(pins(active.allowed_payees)).toEqual([moved.recipientVersionId]);
    expect(await paid()).toBe('201');
  });

  it('shows a payee first that had no version yet when the draft was made', async () => {
    const created = await createPayee(service, user.merchant);
    const { recipient_id } = created.body.recipient;
    const draft = await draftPolicy(service, user, { allowlist: [{ recipient_id }] });
    expect(draft['allowed_payees']).toEqual([]);
    expect(outcome(await optIn(service, user, draft))).toBe('409 recipient_not_active');
    const activated = await activateFirst(service, user.merchant, created);
    await expectConflict(optIn(service, user, draft), 2);
    const shown = await read(draft);
    expect(pins(shown['allowed_payees'])).toEqual([activated.recipientVersionId]);
    expect((await optIn(service, user, shown)).status).toBe(200);
  });

  it('refuses an archived payee and changes nothing, also when another one moved', async () => {
    const other = await activePayee(service, user.merchant);
    const allowlist = [{ recipient_id: user.payee.recipientId }, { recipient_id: other.recipientId }];
    const draft = await draftPolicy(service, user, { allowlist });
    await move();
    await archive(other);
    const refused = await optIn(service, user, draft);
    expect(outcome(refused)).toBe('409 recipient_not_active');
    expect(refused.body.error.details).toEqual({ recipient_id: other.recipientId });
    expect(await read(draft)).toEqual(draft);
  });

  it('refuses a payee whose domain no longer vouches for it, and what is in force covers it no longer', async () => {
    const own = await autonomy(service);
    const active = await activePolicy(service, own);
    const draft = await draftPolicy(service, own, { allowlist: [{ recipient_id: own.payee.recipientId }] });
    const { session, domainId } = own.merchant;
    await succeed(service.call('DELETE', `/v1/merchant-domains/${domainId}`, { session }));
    for (const policy of [draft, active])
      expect(outcome(await optIn(service, own, policy))).toBe('409 recipient_not_active');
    expect(outcome(await pay(service, own, '1'))).toBe('409 recipient_not_active');
    expect(await readPolicy(service, own, draft['id'])).toEqual(draft);
  });
});

describe('a change of a draft', () => {
  it.each(['wallet', 'admin'] as const)('by the %s pins its payees again', async (by) => {
    const draft = await draftPolicy(service, user);
    const moved = await move();
    const changed = (await succeed(change(draft['id'], { version: 1, single_tx_limit: '9' }, by))).body.data;
    expect(changed).toMatchObject({ status: 'draft', version: 2, proposed_payees: [] });
    expect(pins(changed.allowed_payees)).toEqual([moved.recipientVersionId]);
    expect((await optIn(service, user, changed)).status).toBe(200);
  });

  it('by a team member who takes the consent away pins again and drops what was proposed', async () => {
    const policy = await activePolicy(service, user);
    await move();
    await expectConflict(optIn(service, user, policy), policy['version'] + 1);
    const moved = await move();
    const body = { version: policy['version'] + 1, single_tx_limit: '9' };
    const draft = (await succeed(change(policy['id'], body, 'admin'))).body.data;
    expect(draft).toMatchObject({ status: 'draft', opted_in_at: null, proposed_payees: [] });
    expect(pins(draft.allowed_payees)).toEqual([moved.recipientVersionId]);
  });
});

describe('opting into an active policy', () => {
  it('changes nothing while its payees are what they were', async () => {
    const policy = await activePolicy(service, user);
    const again = await optIn(service, user, policy);
    expect(again.status).toBe(200);
    expect(again.body.data).toEqual(policy);
    const sent = { session: user.merchant.session, query: { target_id: policy['id'] } };
    const { audit_events } = (await succeed(service.call('GET', '/v1/audit-events', sent))).body;
    expect(audit_events.map((event: { type: string }) => event.type)).toEqual([
      'automation_policy.activated',
      'automation_policy.created',
    ]);
  });

  it('proposes a payee that moved, keeps what is in force, and accepts the proposal by its version', async () => {
    const policy = await activePolicy(service, user);
    const first = user.payee;
    const second = await move();
    await expectConflict(optIn(service, user, policy), 3);
    const proposed = await read(policy);
    expect(proposed).toMatchObject({ status: 'active', version: 3, opted_in_at: policy['opted_in_at'] });
    expect(pins(proposed['allowed_payees'])).toEqual([first.recipientVersionId]);
    expect(proposed['proposed_payees']).toMatchObject([
      { recipient_version_id: second.recipientVersionId, address: second.address },
    ]);
    expect(await paid()).toBe('allowlist');
    await expectConflict(optIn(service, user, policy), 3);

    const third = await move();
    await expectConflict(optIn(service, user, proposed), 4);
    const newer = await read(policy);
    expect(pins(newer['allowed_payees'])).toEqual([first.recipientVersionId]);
    expect(pins(newer['proposed_payees'])).toEqual([third.recipientVersionId]);

    const accepted = (await succeed(optIn(service, user, newer))).body.data;
    expect(accepted).toMatchObject({ status: 'active', version: 5, proposed_payees: [] });
    expect(pins(accepted.allowed_payees)).toEqual([third.recipientVersionId]);
    expect(await paid()).toBe('201');
  });

  it('keeps a proposal over pause and resume, which accept nothing', async () => {
    const policy = await activePolicy(service, user);
    const first = user.payee;
    const second = await move();
    await expectConflict(optIn(service, user, policy), 3);
    const path = `/v1/automation-policies/${policy['id']}`;
    const device = deviceOf(user.device);
    await succeed(service.call('POST', `${path}/pause`, { device }));
    const body = { version: 4 };
    const resumed = (await succeed(service.call('POST', `${path}/resume`, { device, body }))).body.data;
    expect(pins(resumed.allowed_payees)).toEqual([first.recipientVersionId]);
    expect(pins(resumed.proposed_payees)).toEqual([second.recipientVersionId]);
    expect(await paid()).toBe('allowlist');
  });

  it('refuses an archived payee; what is in force covers it no longer either', async () => {
    const policy = await activePolicy(service, user);
    await archive(user.payee);
    expect(outcome(await optIn(service, user, policy))).toBe('409 recipient_not_active');
    expect(await paid()).toBe('recipient_not_active');
    expect(await read(policy)).toEqual(policy);
  });
});

describe("the customer's own change of an active policy", () => {
  it('accepts no payee that moved since it was shown, and none of its limits then', async () => {
    const policy = await activePolicy(service, user);
    const first = user.payee;
    const second = await move();
    const raise = (version: number) => change(policy['id'], { version, single_tx_limit: '20' });
    await expectConflict(raise(2), 3);
    const shown = await read(policy);
    expect(shown).toMatchObject({ status: 'active', version: 3, single_tx_limit: '10' });
    expect(pins(shown['allowed_payees'])).toEqual([first.recipientVersionId]);
    expect(pins(shown['proposed_payees'])).toEqual([second.recipientVersionId]);
    const raised = (await succeed(raise(3))).body.data;
    expect(raised).toMatchObject({ status: 'active', single_tx_limit: '20', proposed_payees: [] });
    expect(pins(raised.allowed_payees)).toEqual([second.recipientVersionId]);
    expect(await paid()).toBe('201');
  });

  it('shows a payee that it adds before it accepts it', async () => {
    const policy = await activePolicy(service, user);
    const other = await activePayee(service, user.merchant);
    const allowlist = [...policy['allowlist'], { recipient_id: other.recipientId }];
    const add = (version: number) => change(policy['id'], { version, allowlist });
    await expectConflict(add(2), 3);
    const shown = await read(policy);
    expect(shown['allowlist']).toEqual(policy['allowlist']);
    const both = [user.payee.recipientVersionId, other.recipientVersionId];
    expect(pins(shown['proposed_payees'])).toEqual(both);
    const moved = await move(other);
    await expectConflict(add(3), 4);
    expect(await paid({ recipient_id: other.recipientId })).toBe('allowlist');
    const added = (await succeed(add(4))).body.data;
    expect(pins(added.allowed_payees)).toEqual([user.payee.recipientVersionId, moved.recipientVersionId]);
    expect(await paid({ recipient_id: other.recipientId })).toBe('201');
  });

  it('on a paused policy binds what was seen as well; removing a payee needs no view of it', async () => {
    const policy = await activePolicy(service, user);
    const device = deviceOf(user.device);
    const path = `/v1/automation-policies/${policy['id']}/pause`;
    const { version } = (await succeed(service.call('POST', path, { device }))).body.data;
    await move();
    await expectConflict(change(policy['id'], { version, single_tx_limit: '20' }), version + 1);
    const other = { allowlist: [{ address: user.payee.address }] };
    const dropped = await succeed(change(policy['id'], { version: version + 1, ...other }));
    expect(dropped.body.data).toMatchObject({ status: 'paused', ...other, allowed_payees: [] });
  });
});
