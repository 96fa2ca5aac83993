// Slow: closes a large backlog while creates continue.

import { succeed } from '@payassent/proof/people/merchants';
import {
  type PaymentStage,
  paymentStage,
  pendingRequest,
  readRequest,
  report,
  withoutLinks,
} from '@payassent/proof/people/payments';
import { deviceOf } from '@payassent/proof/people/wallets';
import { workOffBacklog } from '@payassent/proof/rounds/backlog';
import type { Body } from '@payassent/proof/service/client';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sweepJob } from '../../features/payment-requests/sweep-job.ts';
import { webhookBody } from '../../features/webhooks/queue.ts';

let service: TestService;
let stage: PaymentStage;
beforeAll(async () => {
  service = await startService();
  stage = await paymentStage(service);
});
afterAll(() => service.close());

interface Message {
  event_id: string;
  type: string;
  body: string;
  deliveries: number;
}

async function addEndpoint(merchantId: string, eventTypes: string[], status = 'active'): Promise<void> {
  const id = `whe_${Math.random().toString(36).slice(2).toUpperCase()}`;
  await service.db`
    insert into webhook_endpoints (webhook_endpoint_id, merchant_id, url, event_types, status, secret_key_id, secret_box,
      created_at, updated_at)
    values (${id}, ${merchantId}, 'https://example.com/', ${eventTypes}, ${status}, 'k', '', now(), now())`;
}

async function messagesOf(requestId: string): Promise<Message[]> {
  return service.db<Message[]>`
    select m.event_id, m.type, m.body,
           (select count(*)::int from webhook_deliveries d
            where d.merchant_id = m.merchant_id and d.event_id = m.event_id and d.status = 'pending') as deliveries
    from webhook_messages m
    where m.body::json -> 'data' -> 'payment_request' ->> 'request_id' = ${requestId}
    order by m.created_at, m.body::json ->> 'sequence' nulls first`;
}

/** A record that the agent reads, in a webhook's form: with the creating credential, in place of the stored text. */
const asSent = (record: Body) =>
  Object.fromEntries(
    Object.entries(withoutLinks(record)).flatMap(([name, value]) =>
      name === 'expires_at'
        ? [
            [name, value],
            ['created_with', 'own_token'],
          ]
        : [[name, value]],
    ),
  );

describe('webhook messages', () => {
  it('are written with every change, in the very bytes of the view, once for each endpoint that wants them', async () => {
    const { merchantId } = stage.merchant;
    await addEndpoint(merchantId, ['*']);
    await addEndpoint(merchantId, ['payment_request.signed']);
    await addEndpoint(merchantId, ['connection.*']);
    await addEndpoint(merchantId, ['*'], 'disabled');
    const payload = { display: { text: 'é "quoted" \\ \u2028 🧾\n\t/' }, metadata: { n: 1e21 } };

    const created = await pendingRequest(service, stage, payload);
    const signed = await succeed(
      report(service, stage, created.request_id, { status: 'signed', tx_hash: '"\\' }),
    );
    const view = (await readRequest(service, stage, created.request_id)).body.payment_request;
    const messages = await messagesOf(created.request_id);
    expect(messages.map((message) => [message.type, message.deliveries])).toEqual([
      ['payment_request.created', 1],
      ['payment_request.signed', 2],
    ]);
    expect(messages[0]?.body).toBe(
      webhookBody({
        type: 'payment_request.created',
        eventId: messages[0]?.event_id ?? '',
        occurredAt: new Date(created.created_at),
        data: { payment_request: asSent(created) },
      }),
    );
    const { event } = signed.body;
    expect(messages[1]?.body).toBe(
      webhookBody({
        type: 'payment_request.signed',
        eventId: event.event_id,
        sequence: event.sequence,
        occurredAt: new Date(event.occurred_at),
        data: { payment_request: asSent(view), previous_status: 'pending' },
      }),
    );
  });

  it('follow an expiry and a revocation too, with the id and number of the polled event', async () => {
    const late = await pendingRequest(service, stage, {
      expires_at: new Date(service.clock.now().getTime() + 1000).toISOString(),
    });
    service.clock.advance(1001);
    await sweepJob.run(service.context);
    const open = await pendingRequest(service, stage);
    await succeed(
      service.call('DELETE', `/v1/connections/${stage.connectionId}`, { device: deviceOf(stage.device) }),
    );
    const events = await service.db`
      select event_id, sequence, request_id, type from payment_request_events
      where connection_id = ${stage.connectionId} order by sequence`;
    for (const [record, type] of [
      [late, 'payment_request.expired'],
      [open, 'payment_request.rejected'],
    ] as const) {
      const event = events.find((row) => row['request_id'] === record.request_id);
      const message = (await messagesOf(record.request_id)).at(-1);
      expect(event).toMatchObject({ type });
      expect(message).toMatchObject({ type, event_id: event?.['event_id'], deliveries: 1 });
      const body = JSON.parse(message?.body ?? '');
      expect(body).toMatchObject({ id: event?.['event_id'], sequence: event?.['sequence'], type });
      const device = deviceOf(stage.device);
      const read = await service.call('GET', `/v1/payment-requests/${record.request_id}`, { device });
      const { idempotency_key: _, ...shown } = body.data.payment_request;
      expect(read.body.payment_request).toEqual({ ...shown, payment_uri: expect.any(String) });
    }
  });
});

describe('the sweeper', () => {
  it('settles a backlog in bounded batches while creates continue, and numbers every event', async () => {
    const own = await paymentStage(service);
    const timesMs = await workOffBacklog(service, own, { overdue: 3000, creates: 20 });
    // The median of a busy test machine: far below a wait for the whole backlog.
    expect(timesMs[10]).toBeLessThan(500);
  });
});
