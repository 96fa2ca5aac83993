import { multiplyRequest, storedState } from '@payassent/proof/database/many';
import { type Autonomy, activePolicy, autonomy, pay, usageOf } from '@payassent/proof/people/autonomy';
import { outcome, succeed } from '@payassent/proof/people/merchants';
import { activePayee, payeeFacts, type TestPayee, verifyPayee } from '@payassent/proof/people/payees';
import {
  allEvents,
  type PaymentStage,
  paymentStage,
  pendingRequest,
  readRequest,
  report,
} from '@payassent/proof/people/payments';
import { connect, deviceOf, enrolDevice } from '@payassent/proof/people/wallets';
import type { Body, Received } from '@payassent/proof/service/client';
import { type ServiceOptions, startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recallJob } from './index.ts';

/** No job runs here, so only a call that finds an ended request closes it. */
let service: TestService;
let stage: PaymentStage;
let world: Autonomy;
beforeAll(async () => {
  const options: ServiceOptions = {};
  service = await startService(options);
  [stage, world] = [await paymentStage(service), await autonomy(service)];
  options.jobs = false;
  await service.restart();
});
afterAll(() => service.close());

/** A separate payee on a separate connection. */
async function fresh(): Promise<PaymentStage> {
  const device = await enrolDevice(service);
  const payee = await activePayee(service, stage.merchant);
  return { ...stage, payee, device, ...(await connect(service, stage.agent, device)) };
}

const asMerchant = (method: string, path: string, body?: object) =>
  service.call(method, path, { session: stage.merchant.session, ...(body === undefined ? {} : { body }) });
const recall = ({ recipientId }: TestPayee) =>
  asMerchant('POST', `/v1/recipients/${recipientId}/reject-pending`);
const recordOf = async (own: PaymentStage, id: string): Promise<Body> =>
  (await succeed(readRequest(service, own, id))).body.payment_request;
const codeOf = ({ status, body }: Received) => [status, body.error?.code];
async function workOff(): Promise<void> {
  while (await recallJob.run(service.context));
}

describe('reject-pending', () => {
  it('rejects what awaits a decision for that payee and nothing else, by the merchant, once', async () => {
    const own = await fresh();
    const other = await activePayee(service, stage.merchant);
    const [first, signed, second] = [
      await pendingRequest(service, own),
      await pendingRequest(service, own),
      await pendingRequest(service, own),
    ];
    await succeed(report(service, own, signed.request_id, { status: 'signed' }));
    const elsewhere = await pendingRequest(service, { ...own, payee: other });
    const listed = await service.call('GET', '/v1/payment-requests', {
      session: stage.merchant.session,
      query: { recipient_id: own.payee.recipientId, status: 'pending' },
    });
    const idsOf = (rows: Body[]) => rows.map((row) => row['request_id']);
    expect(idsOf(listed.body.payment_requests)).toEqual([second.request_id, first.request_id]);

    const recalled = await succeed(recall(own.payee));
    expect(recalled.body).toMatchObject({
      rejected: 2,
      recipient: { recipient_id: own.payee.recipientId, status: 'active', version: own.payee.version },
    });
    for (const { request_id } of [first, second]) {
      expect(await recordOf(own, request_id)).toMatchObject({ status: 'rejected', reason: 'payee_recalled' });
      expect(codeOf(await report(service, own, request_id, { status: 'signed' }))).toEqual([
        409,
        'invalid_status_transition',
      ]);
    }
    expect((await recordOf(own, signed.request_id)).status).toBe('signed');
    expect((await recordOf(own, elsewhere.request_id)).status).toBe('pending');
    const events = await allEvents(service, own);
    expect(events.map(({ sequence, status, actor, reason }) => [sequence, status, actor, reason])).toEqual([
      [1, 'signed', 'wallet', undefined],
      [2, 'rejected', 'merchant', 'payee_recalled'],
      [3, 'rejected', 'merchant', 'payee_recalled'],
    ]);
    expect((await succeed(recall(own.payee))).body.rejected).toBe(0);
    const audit = await service.call('GET', '/v1/audit-events', {
      session: stage.merchant.session,
      query: { type: 'recipient.pending_rejected', target_id: own.payee.recipientId },
    });
    expect(audit.body.audit_events.map((entry: Body) => entry['details'])).toEqual([
      { because: 'asked', rejected: 0 },
      { because: 'asked', rejected: 2 },
    ]);

    // A later request is unaffected.
    const later = await pendingRequest(service, own);
    expect((await report(service, own, later.request_id, { status: 'signed' })).status).toBe(200);
  });

  it('is only for the payee’s own merchant', async () => {
    const own = await fresh();
    const path = (id: string) => `/v1/recipients/${id}/reject-pending`;
    const { session } = world.merchant;
    const foreign = await service.call('POST', path(own.payee.recipientId), { session });
    const absent = await service.call('POST', path('rcp_nothing'), { session });
    expect(foreign.status).toBe(404);
    const withoutId = ({ text, body }: Received) => text.replace(body.error.request_id, '');
    expect(withoutId(foreign)).toBe(withoutId(absent));
  });

  it('ends agent payments too, and gives back what they had reserved', async () => {
    const policy = await activePolicy(service, world);
    const payment = (await succeed(pay(service, world, '7'))).body.data;
    const signed = (await succeed(pay(service, world, '2'))).body.data;
    const device = deviceOf(world.device);
    const say = (id: string, status: string) =>
      service.call('POST', `/v1/agent-payments/${id}/status`, { device, body: { status } });
    await succeed(say(signed.id, 'signed'));
    expect(await usageOf(service, world, policy['id'])).toBe('spent 0, reserved 9, remaining 16');
    const path = `/v1/recipients/${world.payee.recipientId}/reject-pending`;
    await succeed(service.call('POST', path, { session: world.merchant.session }));
    const read = await service.call('GET', `/v1/agent-payments/${payment.id}`, { device });
    expect(read.body.data).toMatchObject({ status: 'rejected', reason: 'payee_recalled' });
    expect(outcome(await say(payment.id, 'signed'))).toBe('409 invalid_status_transition');
    expect(await usageOf(service, world, policy['id'])).toBe('spent 0, reserved 2, remaining 23');
    expect(outcome(await pay(service, world, '1'))).toBe('201 ok');
  });

  it('also ends what was just being stored when it committed', async () => {
    const own = await fresh();
    const template = await pendingRequest(service, own);
    await succeed(recall(own.payee));
    await workOff();
    // Its statement read the payee before the recall, and commits only now.
    await multiplyRequest(service.db, template, 3, { status: 'pending', state_version: 1, reason: null });
    const read = await recordOf(own, `${template.request_id}-1`);
    expect(read).toMatchObject({ status: 'rejected', reason: 'payee_recalled' });
    const signing = await report(service, own, `${template.request_id}-2`, { status: 'signed' });
    expect(codeOf(signing)).toEqual([409, 'invalid_status_transition']);
    expect(await storedState(service.db, own.connectionId)).toMatchObject({ pending: 1 });
    service.clock.advance(121_000);
    await workOff();
    expect(await storedState(service.db, own.connectionId)).toMatchObject({ pending: 0, events: 4, last: 4 });
  });
});

describe('the choice', () => {
  it.each(['keep', undefined, 'reject'] as const)('of archiving with %s', async (pending) => {
    const own = await fresh();
    const { request_id } = await pendingRequest(service, own);
    const body = {
      status: 'archived',
      version: own.payee.version,
      ...(pending === undefined ? {} : { pending }),
    };
    await succeed(asMerchant('PATCH', `/v1/recipients/${own.payee.recipientId}`, body));
    const record = await recordOf(own, request_id);
    if (pending === 'reject') expect(record).toMatchObject({ status: 'rejected', reason: 'payee_recalled' });
    else {
      expect(record['status']).toBe('pending');
      // Still in time for what remained.
      expect((await succeed(recall(own.payee))).body.rejected).toBe(1);
      expect((await recordOf(own, request_id))['status']).toBe('rejected');
    }
  });

  it.each(['keep', undefined, 'reject'] as const)(
    'of activating another version with %s',
    async (pending) => {
      const own = await fresh();
      const { request_id } = await pendingRequest(service, own);
      const { recipientId } = own.payee;
      const added = await succeed(
        asMerchant('POST', `/v1/recipients/${recipientId}/versions`, {
          ...payeeFacts(),
          version: own.payee.version,
        }),
      );
      const { recipient, recipient_version } = added.body;
      const recipientVersionId = recipient_version.recipient_version_id;
      const place = { recipientId, recipientVersionId, version: recipient.version };
      const verified = await succeed(verifyPayee(service, stage.merchant, place));
      const { evidence_id, evidence_digest } = verified.body.evidence;
      await succeed(
        asMerchant('POST', `/v1/recipients/${recipientId}/versions/${recipientVersionId}/activate`, {
          evidence_id,
          evidence_digest,
          version: verified.body.recipient.version,
          ...(pending === undefined ? {} : { pending }),
        }),
      );
      const record = await recordOf(own, request_id);
      expect(record['status']).toBe(pending === 'reject' ? 'rejected' : 'pending');
      const later = await pendingRequest(service, own, { recipient_version_id: recipientVersionId });
      expect((await recordOf(own, later['request_id']))['status']).toBe('pending');
    },
  );

  it('means nothing without an act', async () => {
    const own = await fresh();
    const body = { name: 'Other', pending: 'reject', version: own.payee.version };
    const refused = await asMerchant('PATCH', `/v1/recipients/${own.payee.recipientId}`, body);
    expect([refused.status, refused.body.error.field]).toEqual([400, 'pending']);
  });
});
