// Slow: makes many organizations, and repeats the race many times.
import { activePolicy, autonomy, pay } from '@payassent/proof/people/autonomy';
import {
  deleteDomain,
  outcome,
  proveDomain,
  succeed,
  type TestMerchant,
  takeDomain,
  uniqueDomain,
  verifiedMerchant,
} from '@payassent/proof/people/merchants';
import { activePayee, payeeFacts, replacePayee, verifyPayee } from '@payassent/proof/people/payees';
import {
  type PaymentStage,
  paymentStage,
  pendingRequest,
  readRequest,
} from '@payassent/proof/people/payments';
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
  it('covers previous versions that open requests are pinned to', async () => {
    const stage = await paymentStage(service);
    const { merchant } = stage;
    const open = await pendingRequest(service, stage);
    const second = { ...merchant, domain: uniqueDomain() };
    const other = { ...second, ...(await proveDomain(service, merchant.session, second.domain)) };
    const moved = await replacePayee(service, other, stage.payee);
    expect(await payeeOf(stage, open.request_id)).toMatchObject({ verified: true, is_current: false });
    await lose(merchant);
    expect((await readRecipient(service, merchant, moved)).recipient.status).toBe('active');
    expect(await payeeOf(stage, open.request_id)).toMatchObject({ verified: false, is_current: false });
    const fresh = await pendingRequest(service, { ...stage, payee: moved });
    expect(fresh.payee).toMatchObject({ verified: true, domain: other.domain, is_current: true });
  });

  it('can be replaced: another version with another domain brings the Recipient back', async () => {
    const stage = await paymentStage(service);
    const { merchant } = stage;
    await lose(merchant);
    const other = {
      ...merchant,
      ...(await proveDomain(service, merchant.session, uniqueDomain())),
    };
    const moved = await replacePayee(service, other, stage.payee);
    expect((await readRecipient(service, merchant, moved)).recipient).toMatchObject({ status: 'active' });
    const made = await pendingRequest(service, { ...stage, payee: moved });
    expect(made.payee).toMatchObject({ verified: true, is_current: true });
  });

  it('stays given up for open requests when the same version is activated under another domain', async () => {
    const stage = await paymentStage(service);
    const { merchant, payee } = stage;
    const open = await pendingRequest(service, stage);
    await lose(merchant);
    const other = { ...merchant, ...(await proveDomain(service, merchant.session, uniqueDomain())) };
    const { evidence } = (await succeed(verifyPayee(service, other, payee))).body;
    await succeed(activate(service, merchant, payee, evidence));
    expect(await payeeOf(stage, open.request_id)).toEqual({
      ...open.payee,
      verified: false,
      is_current: true,
    });
    const fresh = await pendingRequest(service, stage);
    expect(fresh.payee).toMatchObject({ verified: true, domain: evidence.domain });
    expect(await payeeOf(stage, fresh.request_id)).toMatchObject({ verified: true, is_current: true });
  });

  it('stays given up for open agent payments when the same version is activated under another domain', async () => {
    const world = await autonomy(service);
    const { merchant, payee, apiKey } = world;
    await activePolicy(service, world);
    const open = (await succeed(pay(service, world, '1'))).body.data;
    const payeeNow = async () =>
      (await succeed(service.call('GET', `/v1/agent-payments/${open.id}`, { apiKey }))).body.data.payee;
    expect(await payeeNow()).toMatchObject({ verified: true, domain: merchant.domain });
    await lose(merchant);
    const other = { ...merchant, ...(await proveDomain(service, merchant.session, uniqueDomain())) };
    const { evidence } = (await succeed(verifyPayee(service, other, payee))).body;
    await succeed(activate(service, merchant, payee, evidence));
    expect(await payeeNow()).toEqual({ ...open.payee, verified: false, is_current: true });
    const fresh = (await succeed(pay(service, world, '1'))).body.data;
    expect(fresh.payee).toMatchObject({ verified: true, domain: evidence.domain });
  });

  it('takes the verification from a pinned payee however its JSON is written', async () => {
    const stage = await paymentStage(service);
    const open = await pendingRequest(service, stage);
    await service.db.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await tx`update payment_requests set payee = jsonb_pretty(payee::jsonb)::json where request_id = ${open.request_id}`;
    });
    await lose(stage.merchant);
    expect(await payeeOf(stage, open.request_id)).toMatchObject({ verified: false, is_current: false });
  });
});

describe('a suspended Recipient', () => {
  it('does not touch Recipients of other domains or other organizations', async () => {
    const [stage, bystander] = [await paymentStage(service), await paymentStage(service)];
    const other = await proveDomain(service, stage.merchant.session, uniqueDomain());
    const safe = await activePayee(service, { ...stage.merchant, ...other });
    await deleteDomain(service, stage.merchant);
    expect((await readRecipient(service, stage.merchant, safe)).recipient.status).toBe('active');
    expect((await readRecipient(service, bystander.merchant, bystander.payee)).recipient.status).toBe(
      'active',
    );
  });
});

describe('a loss that races with an activation', () => {
  it('never leaves an active payee behind, and ends neither of the two by a deadlock', async () => {
    const outcomes = new Set<string>();
    for (let round = 0; round < 12; round += 1) {
      const merchant = await verifiedMerchant(service);
      const payee = await activePayee(service, merchant);
      const facts = { ...payeeFacts(), version: payee.version };
      const added = await succeed(
        service.call('POST', `/v1/recipients/${payee.recipientId}/versions`, {
          session: merchant.session,
          body: facts,
        }),
      );
      const place = {
        ...payee,
        recipientVersionId: added.body.recipient_version.recipient_version_id as string,
        version: added.body.recipient.version as number,
      };
      const { evidence } = (await succeed(verifyPayee(service, merchant, place))).body;
      const [activated] = await Promise.all([
        activate(service, merchant, place, evidence),
        deleteDomain(service, merchant),
      ]);
      outcomes.add(outcome(activated));
      expect((await readRecipient(service, merchant, place)).recipient.status).toBe('suspended');
    }
    expect([...outcomes].every((each) => each === '200 ok' || each === '409 domain_not_verified')).toBe(true);
  });
});
