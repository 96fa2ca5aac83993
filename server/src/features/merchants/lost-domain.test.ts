import { activePolicy, autonomy, pay } from '@payassent/proof/people/autonomy';
import {
  deleteDomain,
  outcome,
  proveDomain,
  succeed,
  type TestMerchant,
  takeDomain,
  verifiedMerchant,
} from '@payassent/proof/people/merchants';
import { activePayee, verifyPayee } from '@payassent/proof/people/payees';
import {
  type PaymentStage,
  paymentStage,
  pendingRequest,
  postRequest,
  readRequest,
  report,
} from '@payassent/proof/people/payments';
import { deviceOf } from '@payassent/proof/people/wallets';
import type { Body } from '@payassent/proof/service/client';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { activate, readRecipient } from '../../../test/payee-steps.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const LOSSES: [string, (merchant: TestMerchant) => Promise<unknown>][] = [
  ['deleted by its owner', (merchant) => deleteDomain(service, merchant)],
  ['proved by another organization', (merchant) => takeDomain(service, merchant)],
];

const payeeOf = async (stage: PaymentStage, requestId: string): Promise<Body> =>
  (await succeed(readRequest(service, stage, requestId))).body.payment_request.payee;

describe.each(LOSSES)('a domain that is %s', (_how, lose) => {
  it('vouches for no one: its payees are suspended, and no payment to them can be requested', async () => {
    const stage = await paymentStage(service);
    await pendingRequest(service, stage);
    await lose(stage.merchant);
    const { recipient, recipient_versions } = await readRecipient(service, stage.merchant, stage.payee);
    expect(recipient).toMatchObject({
      status: 'suspended',
      active_version_id: stage.payee.recipientVersionId,
      version: stage.payee.version,
    });
    expect(recipient_versions[0]).toMatchObject({ status: 'active', suspended_at: expect.any(String) });
    const named = await postRequest(service, stage);
    const unnamed = await postRequest(service, stage, { recipient_version_id: undefined });
    for (const refused of [named, unnamed]) {
      expect(outcome(refused)).toBe('409 recipient_not_active');
      expect(refused.body.error.details).toMatchObject({ status: 'suspended' });
    }
  });

  it('stops agent payments too, under a policy and by a human', async () => {
    const world = await autonomy(service);
    const policy = await activePolicy(service, world);
    await lose(world.merchant);
    const asked = await pay(service, world, '1');
    const human = await pay(service, world, '1', { initiated_by: 'human' }, { bearer: world.admin });
    for (const refused of [asked, human]) {
      expect(outcome(refused)).toBe('409 recipient_not_active');
      expect(refused.body.error.details).toMatchObject({ status: 'suspended' });
    }
    const evaluated = await service.call('POST', `/v1/automation-policies/${policy.id}/evaluate`, {
      apiKey: world.apiKey,
      body: { amount: '1', recipient_id: world.payee.recipientId },
    });
    expect(outcome(evaluated)).toBe('409 recipient_not_active');
  });

  it('is no longer shown as vouching for open requests; decided ones keep what was true', async () => {
    const stage = await paymentStage(service);
    const decided = await pendingRequest(service, stage);
    await succeed(report(service, stage, decided.request_id, { status: 'signed' }));
    const open = await pendingRequest(service, stage);
    expect(open.payee).toMatchObject({ verified: true, is_current: true, binding: 'domain' });
    await lose(stage.merchant);
    expect(await payeeOf(stage, open.request_id)).toEqual({
      ...open.payee,
      verified: false,
      is_current: false,
    });
    expect(await payeeOf(stage, decided.request_id)).toEqual({ ...decided.payee, is_current: false });
    const device = deviceOf(stage.device);
    const inbox = (await succeed(service.call('GET', '/v1/payment-requests', { device }))).body;
    const listed = inbox.payment_requests.find((entry: Body) => entry.request_id === open.request_id);
    expect(listed.payee).toMatchObject({ verified: false, is_current: false });
  });

  it('cannot activate what was proved with it before, not even after it was proved again', async () => {
    const merchant = await verifiedMerchant(service);
    const payee = await activePayee(service, merchant);
    const { evidence } = (await succeed(verifyPayee(service, merchant, { ...payee, version: payee.version })))
      .body;
    await lose(merchant);
    expect(outcome(await activate(service, merchant, payee, evidence))).toBe('409 domain_not_verified');
    const again = { ...merchant, ...(await proveDomain(service, merchant.session, merchant.domain)) };
    expect(outcome(await activate(service, merchant, payee, evidence))).toBe('409 domain_not_verified');

    // New evidence brings back the same version.
    const fresh = (await succeed(verifyPayee(service, again, payee))).body.evidence;
    const activated = await succeed(activate(service, merchant, payee, fresh));
    expect(activated.body).toMatchObject({
      recipient: { status: 'active', version: payee.version + 1 },
      recipient_version: { status: 'active', suspended_at: null, activated_at: expect.any(String) },
    });
  });

  it('leaves a trail: one entry for each suspended Recipient', async () => {
    const merchant = await verifiedMerchant(service);
    const payees = [await activePayee(service, merchant), await activePayee(service, merchant)];
    await lose(merchant);
    const { session } = merchant;
    const trail = await service.call('GET', '/v1/audit-events', {
      session,
      query: { type: 'recipient.suspended' },
    });
    const targets = trail.body.audit_events.map((event: Body) => event.target.id);
    expect(targets.toSorted()).toEqual(payees.map((payee) => payee.recipientId).toSorted());
    expect(trail.body.audit_events[0].details).toMatchObject({ domain: merchant.domain });
  });
});

describe('a suspended Recipient', () => {
  it('can be archived, and takes no request afterwards', async () => {
    const stage = await paymentStage(service);
    await deleteDomain(service, stage.merchant);
    const archived = await service.call('PATCH', `/v1/recipients/${stage.payee.recipientId}`, {
      session: stage.merchant.session,
      body: { status: 'archived', version: stage.payee.version },
    });
    expect(archived.body.recipient.status).toBe('archived');
    expect((await postRequest(service, stage)).body.error.details).toMatchObject({ status: 'archived' });
  });
});

describe('agent payments', () => {
  it('read unverified while they are open and their payee is suspended', async () => {
    const world = await autonomy(service);
    await activePolicy(service, world);
    const open = (await succeed(pay(service, world, '1'))).body.data;
    const decided = (await succeed(pay(service, world, '2'))).body.data;
    await succeed(
      service.call('POST', `/v1/agent-payments/${decided.id}/status`, {
        device: deviceOf(world.device),
        body: { status: 'signed' },
      }),
    );
    expect(open.payee).toMatchObject({ verified: true, binding: 'domain', is_current: true });
    expect(open.payee.activated_at).toEqual(expect.any(String));
    await deleteDomain(service, world.merchant);
    const read = async (id: string) =>
      (await succeed(service.call('GET', `/v1/agent-payments/${id}`, { apiKey: world.apiKey }))).body.data
        .payee;
    expect(await read(open.id)).toEqual({ ...open.payee, verified: false, is_current: false });
    expect(await read(decided.id)).toEqual({ ...decided.payee, is_current: false });
    const device = deviceOf(world.device);
    const list = (await succeed(service.call('GET', '/v1/agent-payments', { device }))).body.data.items;
    expect(list.find((item: Body) => item.id === open.id).payee.verified).toBe(false);
  });

  it('to a plain address have no payee that could lose its proof', async () => {
    const world = await autonomy(service);
    const to = world.payee.address;
    const made = await pay(
      service,
      world,
      '1',
      { recipient_id: undefined, to, initiated_by: 'human' },
      { device: deviceOf(world.device) },
    );
    expect((await succeed(Promise.resolve(made))).body.data.payee).toEqual({ name: to, verified: false });
  });
});

describe('team members', () => {
  it('of both sides are mailed when a domain moves, and the loser learns which payees stopped', async () => {
    const loser = await verifiedMerchant(service, { name: 'Old Shop' });
    await activePayee(service, loser, { name: 'Front till' });
    const winner = await takeDomain(service, loser);
    const lost = await mailAbout(loser.email, `${loser.domain} no longer vouches for your organization`);
    expect(lost).toContain('another organization');
    expect(lost).toContain('Front till');
    expect(lost).not.toContain(winner.name);
    const gained = await mailAbout(winner.email, `has proved ${loser.domain}`);
    expect(gained).toContain('another organization held it');
    expect(gained).not.toContain('Old Shop');
  });

  it('are not mailed after their own delete', async () => {
    const merchant = await verifiedMerchant(service);
    await activePayee(service, merchant);
    await deleteDomain(service, merchant);
    await expect.poll(() => service.db`select from mail_jobs`.then((rows) => rows.length)).toBe(0);
    const subjects = service.smtp.mails
      .filter((mail) => mail.to.includes(merchant.email))
      .map((mail) => mail.subject);
    expect(subjects.filter((subject) => subject?.includes(merchant.domain))).toEqual([]);
  });
});

async function mailAbout(email: string, subject: string): Promise<string> {
  const find = () =>
    service.smtp.mails.find((mail) => mail.to.includes(email) && mail.subject?.includes(subject));
  await expect.poll(() => find()?.subject, { timeout: 10_000 }).toContain(subject);
  return find()?.text.replaceAll(/\s+/g, ' ') ?? '';
}
