// Slow: recalls 20,000 requests.

import { multiplyRequest, storedState } from '@payassent/proof/database/many';
import { succeed } from '@payassent/proof/people/merchants';
import {
  type PaymentStage,
  paymentStage,
  pendingRequest,
  pollRequests,
  postRequest,
  report,
} from '@payassent/proof/people/payments';
import { deviceOf } from '@payassent/proof/people/wallets';
import type { Body } from '@payassent/proof/service/client';
import { type ServiceOptions, startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { recallJob } from './index.ts';

/** No job runs here, so only a call that finds an ended request closes it. */
let service: TestService;
let stage: PaymentStage;
beforeAll(async () => {
  const options: ServiceOptions = {};
  service = await startService(options);
  stage = await paymentStage(service);
  options.jobs = false;
  await service.restart();
});
afterAll(() => service.close());

it('a recall commits before 20,000 requests are closed: every reader gets rejected, and events stay dense', async () => {
  const MANY = 20_000;
  const path = `/v1/recipients/${stage.payee.recipientId}/reject-pending`;
  const recall = () => service.call('POST', path, { session: stage.merchant.session });
  const own = stage;
  const template = await pendingRequest(service, own);
  await multiplyRequest(service.db, template, MANY - 1);
  expect((await succeed(recall())).body.rejected).toBe(MANY);
  expect(await storedState(service.db, own.connectionId)).toMatchObject({
    pending: MANY - 200,
    rejected: 200,
  });
  const list = async (reader: object, query: Record<string, string | number>) =>
    (await succeed(service.call('GET', '/v1/payment-requests', { ...reader, query }))).body.payment_requests;
  const readers = [
    { bearer: own.connectionToken },
    { device: deviceOf(own.device) },
    { session: stage.merchant.session },
  ];
  for (const [index, reader] of readers.entries()) {
    const query = { connection_id: own.connectionId, limit: 100 };
    expect(await list(reader, { ...query, status: 'pending' })).toEqual([]);
    for (const status of [{ status: 'rejected' }, {}])
      expect(
        new Set((await list(reader, { ...query, ...status })).map((row: Body) => row['status'])),
      ).toEqual(new Set(['rejected']));
    const id = `${template.request_id}-${15_000 + index}`;
    const one = await service.call('GET', `/v1/payment-requests/${id}`, reader);
    expect(one.body.payment_request).toMatchObject({ status: 'rejected', reason: 'payee_recalled' });
  }
  const replayed = await postRequest(service, own, {}, { idempotencyKey: `${template.request_id}-17000` });
  expect([replayed.status, replayed.body.payment_request.status]).toEqual([200, 'rejected']);
  const signing = await report(service, own, `${template.request_id}-17001`, { status: 'signed' });
  expect([signing.status, signing.body.error?.code]).toEqual([409, 'invalid_status_transition']);
  // A poll closes some and returns their events.
  const { events } = (await pollRequests(service, own, { limit: 500 })).body;
  expect(events).toHaveLength(500);
  while (await recallJob.run(service.context));
  expect(await storedState(service.db, own.connectionId)).toMatchObject({
    pending: 0,
    rejected: MANY,
    events: MANY,
    last: MANY,
    requestsWithEvent: MANY,
  });
}, 240_000);
