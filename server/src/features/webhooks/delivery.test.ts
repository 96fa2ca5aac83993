import { outcome, succeed, type TestMerchant, verifiedMerchant } from '@payassent/proof/people/merchants';
import { activePayee } from '@payassent/proof/people/payees';
import { allEvents, paymentStage, pendingRequest, report } from '@payassent/proof/people/payments';
import {
  activeEndpoint,
  causeEvents,
  eventsAt,
  listDeliveries,
  until,
  verified,
  wakeWorkers,
} from '@payassent/proof/people/webhooks';
import type { Body } from '@payassent/proof/service/client';
import { startService, type TestService } from '@payassent/proof/service/service';
import { startHttpReceiver, type TestReceiver } from '@payassent/proof/surroundings/http-receiver';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

let service: TestService;
let merchant: TestMerchant;
let receiver: TestReceiver;

beforeAll(async () => {
  service = await startService();
  merchant = await verifiedMerchant(service);
});
afterAll(() => service.close());
beforeEach(async () => {
  receiver = await startHttpReceiver();
});
afterEach(async () => {
  const { session } = merchant;
  const { body } = await service.call('GET', '/v1/webhook-endpoints', { session });
  for (const { webhook_endpoint_id: id } of body.webhook_endpoints)
    await succeed(service.call('DELETE', `/v1/webhook-endpoints/${id}`, { session }));
  await receiver.close();
});

const cause = (count = 1) => causeEvents(service.context, merchant.merchantId, count);
const attempts = (endpointId: string) =>
  listDeliveries(service, merchant, { webhook_endpoint_id: endpointId }).then((rows) =>
    rows.filter((row) => row.event_type !== 'webhook.verification').reverse(),
  );
const untilArrived = (count: number) => until(() => eventsAt(receiver).length >= count && eventsAt(receiver));

async function rotate(endpointId: string): Promise<string> {
  const path = `/v1/webhook-endpoints/${endpointId}/rotate-secret`;
  return (await succeed(service.call('POST', path, { session: merchant.session }))).body.secret;
}

describe('a delivery', () => {
  it('carries the event as the public library verifies it, and is on record', async () => {
    const { endpointId, secret } = await activeEndpoint(service, merchant, receiver);
    const payee = await activePayee(service, merchant);
    const [request] = await untilArrived(1);
    if (!request) throw new Error('nothing came');
    const body = verified(request, secret);
    expect(Object.keys(body)).toEqual(['id', 'type', 'timestamp', 'data']);
    expect(body.type).toBe('recipient.version_activated');
    expect(body.data.recipient_version.recipient_version_id).toBe(payee.recipientVersionId);
    expect(body.data.recipient.recipient_id).toBe(payee.recipientId);
    expect(request).toMatchObject({ method: 'POST', path: '/hook' });
    expect(request.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': body.id,
      'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
      'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}= v1a,[A-Za-z0-9+/]{86}==$/),
    });
    const row = await until(async () => {
      const [first] = await attempts(endpointId);
      return first?.status === 'delivered' && first;
    });
    expect(row).toEqual({
      delivery_id: expect.stringMatching(/^whd_/),
      event_id: body.id,
      event_type: 'recipient.version_activated',
      webhook_endpoint_id: endpointId,
      attempt: 1,
      status: 'delivered',
      http_status: 200,
      error_class: null,
      duration_ms: expect.any(Number),
      created_at: expect.any(String),
      attempted_at: expect.any(String),
      next_attempt_at: null,
    });
  });

  it('of a status change has the id and the sequence of the polled event', async () => {
    const stage = await paymentStage(service, { merchant });
    const { secret } = await activeEndpoint(service, merchant, receiver, {
      event_types: ['payment_request.*'],
    });
    const { request_id } = await pendingRequest(service, stage);
    await succeed(report(service, stage, request_id, { status: 'rejected' }));
    const bodies = (await untilArrived(2)).map((request) => verified(request, secret));
    const [event] = await allEvents(service, stage);
    expect(bodies.map((body) => body.type).sort()).toEqual([
      'payment_request.created',
      'payment_request.rejected',
    ]);
    expect(bodies.find((body) => body.type === 'payment_request.rejected')).toMatchObject({
      id: event.event_id,
      sequence: event.sequence,
      data: { payment_request: { request_id, status: 'rejected' }, previous_status: 'pending' },
    });
    expect(bodies.find((body) => body.type === 'payment_request.created')).toMatchObject({
      data: { payment_request: { request_id, status: 'pending' } },
    });
  });

  it('goes to those who subscribed to it, and to no one else', async () => {
    const wanted = [['*'], ['connection.*'], ['connection.created', 'recipient.*']];
    const unwanted = [['connection.paused'], ['payment_request.*'], ['automation_policy.created']];
    const ids: string[] = [];
    for (const event_types of [...wanted, ...unwanted])
      ids.push((await activeEndpoint(service, merchant, receiver, { event_types })).endpointId);
    const [eventId] = await cause();
    await untilArrived(3);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(eventsAt(receiver).map((request) => request.headers['webhook-id'])).toEqual(
      Array(3).fill(eventId),
    );
    const counts = await Promise.all(ids.map(async (id) => (await attempts(id)).length));
    expect(counts).toEqual([1, 1, 1, 0, 0, 0]);
  });

  it('both secrets sign for 24 hours after a rotation, then only the new one', async () => {
    const { endpointId, secret } = await activeEndpoint(service, merchant, receiver);
    const newer = await rotate(endpointId);
    expect(newer).not.toBe(secret);
    await cause();
    const [first] = await untilArrived(1);
    if (!first) throw new Error('nothing came');
    expect(verified(first, secret)).toEqual(verified(first, newer));
    expect(first.headers['webhook-signature']?.match(/\bv1,/g)).toHaveLength(2);

    const newest = await rotate(endpointId);
    await cause();
    const second = (await untilArrived(2))[1];
    if (!second) throw new Error('nothing came');
    verified(second, newest);
    verified(second, newer);
    expect(() => verified(second, secret)).toThrow();
  });
});

describe('a retry', () => {
  it('is a separate row with the same id and the same bytes, freshly signed', async () => {
    const answers = [500, 503, 200];
    const { endpointId, secret } = await activeEndpoint(service, merchant, receiver, {
      script: () => ({ kind: 'answer', status: answers.shift() ?? 200 }),
    });
    const [eventId] = await cause();
    const untilRows = (count: number) =>
      until(async () => {
        const found = await attempts(endpointId);
        return found.length === count && found;
      });
    const [, planned] = await untilRows(2);
    expect(planned).toMatchObject({ attempt: 2, status: 'pending', attempted_at: null, http_status: null });
    service.clock.advance(6_500);
    wakeWorkers(service.context);
    await untilRows(3);
    service.clock.advance(370_000);
    wakeWorkers(service.context);
    const rows = await until(async () => {
      const found = await attempts(endpointId);
      return found.at(-1)?.status === 'delivered' && found;
    });
    service.clock.advance(-376_500);
    expect(rows.map((row) => [row.attempt, row.status, row.http_status, row.error_class])).toEqual([
      [1, 'failed', 500, 'http_error'],
      [2, 'failed', 503, 'http_error'],
      [3, 'delivered', 200, null],
    ]);
    expect(new Set(rows.map((row) => row.delivery_id)).size).toBe(3);
    expect(rows.map((row) => row.event_id)).toEqual([eventId, eventId, eventId]);
    for (const index of [0, 1]) {
      const endMs = Date.parse(rows[index].attempted_at) + rows[index].duration_ms;
      const pauseMs = Date.parse(rows[index].next_attempt_at) - endMs;
      const baseMs = [5_000, 300_000][index] ?? 0;
      expect(pauseMs).toBeGreaterThan(0.8 * baseMs - 500);
      expect(pauseMs).toBeLessThan(1.2 * baseMs + 500);
    }
    const requests = eventsAt(receiver);
    expect(requests.map((request) => request.headers['webhook-id'])).toEqual([eventId, eventId, eventId]);
    for (const request of requests)
      expect(request.body.equals(requests[0]?.body ?? Buffer.alloc(0))).toBe(true);
    expect(new Set(requests.map((request) => request.headers['webhook-signature'])).size).toBe(3);
    verified(requests[0] ?? requests[1] ?? requests[2] ?? fail(), secret);
  });
});

function fail(): never {
  throw new Error('nothing came');
}

describe('410', () => {
  it('disables the endpoint immediately and is not tried again', async () => {
    const { endpointId } = await activeEndpoint(service, merchant, receiver, {
      script: { kind: 'answer', status: 410 },
    });
    await cause();
    const endpoint = await until(async () => {
      const { body } = await service.call('GET', `/v1/webhook-endpoints/${endpointId}`, {
        session: merchant.session,
      });
      return body.webhook_endpoint.status === 'disabled' && body.webhook_endpoint;
    });
    expect(endpoint.version).toBe(3);
    await until(async () => (await attempts(endpointId))[0]?.status === 'failed');
    await cause();
    expect(await attempts(endpointId)).toMatchObject([
      { attempt: 1, status: 'failed', http_status: 410, next_attempt_at: null },
    ]);
    const { body } = await service.call('GET', '/v1/audit-events', {
      session: merchant.session,
      query: { target_id: endpointId, type: 'webhook_endpoint.disabled' },
    });
    expect(body.audit_events).toMatchObject([{ actor: { kind: 'system' }, details: { reason: 'gone' } }]);
  });
});

describe('an endpoint that is not active', () => {
  it('gets no new rows; what is pending waits and continues when it is active again', async () => {
    const answers = [500];
    const { endpointId, version } = await activeEndpoint(service, merchant, receiver, {
      script: () => ({ kind: 'answer', status: answers.shift() ?? 200 }),
    });
    const path = `/v1/webhook-endpoints/${endpointId}`;
    const { session } = merchant;
    await cause();
    await until(async () => (await attempts(endpointId)).length === 2);
    await succeed(service.call('PATCH', path, { session, body: { status: 'disabled', version } }));
    await cause();
    service.clock.advance(7_000);
    wakeWorkers(service.context);
    const waiting = await until(async () => {
      const rows = await attempts(endpointId);
      return rows[1]?.next_attempt_at === null && rows;
    });
    expect(waiting.map((row: Body) => row.status)).toEqual(['failed', 'pending']);
    expect(eventsAt(receiver)).toHaveLength(1);
    await succeed(service.call('PATCH', path, { session, body: { status: 'active', version: version + 1 } }));
    await untilArrived(2);
    await until(async () => (await attempts(endpointId))[1]?.status === 'delivered');
    service.clock.advance(-7_000);
  });
});

describe('redeliver', () => {
  const again = (deliveryId: string) =>
    service.call('POST', `/v1/webhook-deliveries/${deliveryId}/redeliver`, { session: merchant.session });

  it('makes a new row for the same event: same webhook-id, same bytes', async () => {
    const { endpointId, secret } = await activeEndpoint(service, merchant, receiver);
    await cause();
    const [first] = await untilArrived(1);
    const row = await until(async () => {
      const [found] = await attempts(endpointId);
      return found?.status === 'delivered' && found;
    });
    const received = await again(row.delivery_id);
    expect(received.status).toBe(202);
    expect(received.body.webhook_delivery).toMatchObject({
      event_id: row.event_id,
      webhook_endpoint_id: endpointId,
      attempt: 1,
      status: 'pending',
    });
    expect(received.body.webhook_delivery.delivery_id).not.toBe(row.delivery_id);
    const read = await service.call('GET', `/v1/webhook-deliveries/${row.delivery_id}`, {
      session: merchant.session,
    });
    expect(read.body).toMatchObject({ webhook_delivery: row, payload: first?.body.toString() });
    const { session } = await verifiedMerchant(service);
    const foreign = await service.call('GET', `/v1/webhook-deliveries/${row.delivery_id}`, { session });
    expect(outcome(foreign)).toBe('404 resource_not_found');
    expect(foreign.text).not.toContain(row.event_id);
    const second = (await untilArrived(2))[1] ?? fail();
    expect(second.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second.body.equals(first?.body ?? Buffer.alloc(0))).toBe(true);
    verified(second, secret);
  });

  it('is refused while the endpoint is not active, for a verification, and for what is not there', async () => {
    const { endpointId, version } = await activeEndpoint(service, merchant, receiver);
    const [verification] = await listDeliveries(service, merchant, { webhook_endpoint_id: endpointId });
    expect(outcome(await again(verification.delivery_id))).toBe('404 resource_not_found');
    const { session } = merchant;
    const read = (id: string) => service.call('GET', `/v1/webhook-deliveries/${id}`, { session });
    expect((await read(verification.delivery_id)).body).toMatchObject({ payload: null });
    expect(outcome(await read('whd_nothing'))).toBe('404 resource_not_found');
    await cause();
    const row = await until(async () => {
      const [found] = await attempts(endpointId);
      return found?.status === 'delivered' && found;
    });
    await succeed(
      service.call('PATCH', `/v1/webhook-endpoints/${endpointId}`, {
        session: merchant.session,
        body: { status: 'disabled', version },
      }),
    );
    expect(outcome(await again(row.delivery_id))).toBe('409 invalid_status_transition');
    expect(outcome(await again('whd_01ARZ3NDEKTSV4RRFFQ69G5FAV'))).toBe('404 resource_not_found');
    expect(await attempts(endpointId)).toHaveLength(1);
  });
});

describe('the list', () => {
  it('filters by endpoint and status, pages newest first, and shows no body, header, secret or address', async () => {
    const secretWord = 'do-not-repeat-me';
    const good = await activeEndpoint(service, merchant, receiver, { event_types: ['connection.created'] });
    const other = await startHttpReceiver();
    const bad = await activeEndpoint(service, merchant, other, {
      path: `/${secretWord}`,
      script: { kind: 'answer', status: 500, headers: { 'x-secret': secretWord }, body: secretWord },
    });
    await cause(5);
    await until(async () => {
      const rows = [...(await attempts(good.endpointId)), ...(await attempts(bad.endpointId))];
      return rows.filter((row) => row.status !== 'pending').length === 10;
    });
    const failed = await listDeliveries(service, merchant, {
      webhook_endpoint_id: bad.endpointId,
      status: 'failed',
    });
    expect(failed.map((row) => [row.status, row.webhook_endpoint_id])).toEqual(
      Array(5).fill(['failed', bad.endpointId]),
    );
    const { session } = merchant;
    const pages: Body[] = [];
    for (let cursor: string | undefined; pages.length < 20; ) {
      const query = { limit: 2, webhook_endpoint_id: good.endpointId, ...(cursor ? { cursor } : {}) };
      const page = await succeed(service.call('GET', '/v1/webhook-deliveries', { session, query }));
      expect(page.text).not.toContain(secretWord);
      pages.push(...page.body.webhook_deliveries);
      cursor = page.body.next_cursor ?? undefined;
      if (!cursor) break;
    }
    const all = await listDeliveries(service, merchant, { webhook_endpoint_id: good.endpointId });
    expect(pages).toEqual(all);
    expect(all).toHaveLength(6);
    const times = all.map((row) => row.created_at);
    expect(times).toEqual([...times].sort().reverse());
    const [one, two] = all;
    const ofEvents = { event_id: `${one?.event_id},${two?.event_id},evt_nothing` };
    const found = await listDeliveries(service, merchant, ofEvents);
    expect([...new Set(found.map((row) => row.event_id))].sort()).toEqual(
      [one?.event_id, two?.event_id].sort(),
    );
    expect(await listDeliveries(service, await verifiedMerchant(service), ofEvents)).toEqual([]);
    const text = JSON.stringify(await listDeliveries(service, merchant));
    for (const hidden of [secretWord, 'whsec_', '127.0.0.1', 'v1,']) expect(text).not.toContain(hidden);
    await other.close();
  });

  it.each([
    [{ status: 'lost' }, '400 validation_failed'],
    [{ limit: 0 }, '400 validation_failed'],
    [{ limit: 101 }, '400 validation_failed'],
    [{ cursor: '!' }, '400 invalid_cursor'],
    [{ merchant_id: 'mer_x' }, '400 validation_failed'],
  ])('%o is refused', async (query, expected) => {
    const { session } = merchant;
    const received = await service.call('GET', '/v1/webhook-deliveries', { session, query: query as never });
    expect(outcome(received)).toBe(expected);
  });
});
