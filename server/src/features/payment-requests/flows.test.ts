import {
  allEvents,
  type PaymentStage,
  paymentStage,
  pendingRequest,
  pollRequests,
  postRequest,
  readRequest,
  report,
} from '@payassent/proof/people/payments';
import { startService, type TestService } from '@payassent/proof/service/service';
import { PaymentRequestV1Schema } from '@payassent/protocol/records';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileValidator } from '../../http/validate.ts';

let service: TestService;
let stage: PaymentStage;
beforeAll(async () => {
  service = await startService();
  stage = await paymentStage(service);
});
afterAll(() => service.close());

const specified = compileValidator(PaymentRequestV1Schema);

describe('a new request', () => {
  it('is pending, pinned to the payee and valid under the published schema', async () => {
    const received = await postRequest(service, stage);
    expect(received.text).toContain('"ok":true');
    expect(received.status).toBe(201);
    const record = received.body.payment_request;
    expect(specified(record)).toEqual([]);
    expect(record).toMatchObject({
      status: 'pending',
      state_version: 1,
      is_final: false,
      payment: {
        rail: 'stellar_xlm',
        network: 'stellar_testnet',
        asset: 'XLM',
        amount: '12.50',
        to: stage.payee.address,
        decimals: 7,
      },
      payee: {
        name: 'Shop',
        verified: true,
        domain: stage.merchant.domain,
        recipient_id: stage.payee.recipientId,
        recipient_version_id: stage.payee.recipientVersionId,
      },
      tx_hash: null,
      reason: null,
      transaction_context: null,
    });
    expect((await readRequest(service, stage, record.request_id)).body.payment_request).toEqual(record);
  });
});

describe('the ways of a request', () => {
  it.each([
    ['confirmed', ['signed', 'broadcasted', 'confirmed']],
    ['rejected', ['rejected']],
    ['failed', ['signed', 'failed']],
  ])('to %s, one event a step', async (_end, steps) => {
    const before = (await allEvents(service, stage)).length;
    const { request_id } = await pendingRequest(service, stage);
    let previous = 'pending';
    for (const [index, status] of steps.entries()) {
      const received = await report(service, stage, request_id, { status });
      expect(received.status, received.text).toBe(200);
      expect(received.body.payment_request).toMatchObject({ status, state_version: index + 2 });
      expect(received.body.event).toMatchObject({
        type: `payment_request.${status}`,
        sequence: before + index + 1,
        previous_status: previous,
        actor: 'wallet',
      });
      previous = status;
    }
    const page = (await pollRequests(service, stage, { since: before })).body;
    expect(page.events.map((event: { status: string }) => event.status)).toEqual(steps);
    expect(page.next_cursor).toBe(before + steps.length);
  });

  it('to expired, by the clock', async () => {
    const before = (await allEvents(service, stage)).length;
    const { request_id, expires_at } = await pendingRequest(service, stage);
    service.clock.advance(3_600_001);
    const record = (await readRequest(service, stage, request_id)).body.payment_request;
    expect(record).toMatchObject({ status: 'expired', is_final: true, updated_at: expires_at });
    const page = (await pollRequests(service, stage, { since: before })).body;
    const events = page.events.filter((event: { request_id: string }) => event.request_id === request_id);
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({ status: 'expired', actor: 'system', occurred_at: expires_at });
  });
});
