import { outcome, succeed, type TestMerchant, verifiedMerchant } from '@payassent/proof/people/merchants';
import {
  activeEndpoint,
  answering,
  causeEvents,
  listDeliveries,
  until,
} from '@payassent/proof/people/webhooks';
import { startService, type TestService } from '@payassent/proof/service/service';
import { startHttpReceiver, type TestReceiver } from '@payassent/proof/surroundings/http-receiver';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

let service: TestService;
let receiver: TestReceiver;
let merchant: TestMerchant;
let other: TestMerchant;

beforeAll(async () => {
  service = await startService({ jobs: true });
  receiver = await startHttpReceiver();
  other = await verifiedMerchant(service);
});
afterAll(async () => {
  await service.close();
  await receiver.close();
});
beforeEach(async () => {
  receiver.script(answering());
  merchant = await verifiedMerchant(service);
});

const path = (id: string, act = '') => `/v1/webhook-endpoints/${id}${act}`;

describe('delete', () => {
  it('returns the last state, then the endpoint is gone, its queue cancelled and its secret deleted', async () => {
    const { endpointId } = await activeEndpoint(service, merchant, receiver, {
      script: { kind: 'answer', status: 500 },
    });
    await causeEvents(service.context, merchant.merchantId, 3);
    const { session } = merchant;
    const attempts = () => listDeliveries(service, merchant, { webhook_endpoint_id: endpointId });
    await until(async () => (await attempts()).filter((row) => row.attempt === 2).length === 3);
    const deleted = await service.call('DELETE', path(endpointId), { session });
    expect(deleted.body.webhook_endpoint).toMatchObject({
      webhook_endpoint_id: endpointId,
      status: 'active',
    });
    expect((await attempts()).map((row) => `${row.attempt} ${row.status}`).sort()).toEqual([
      ...Array(1).fill('1 delivered'),
      ...Array(3).fill('1 failed'),
      ...Array(3).fill('2 cancelled'),
    ]);
    for (const received of [
      await service.call('GET', path(endpointId), { session }),
      await service.call('DELETE', path(endpointId), { session }),
      await service.call('POST', path(endpointId, '/verify'), { session }),
      await service.call('PATCH', path(endpointId), { session, body: { status: 'disabled', version: 3 } }),
      await service.call('POST', path(endpointId, '/rotate-secret'), { session }),
    ])
      expect(outcome(received)).toBe('404 resource_not_found');
    const [row] = await service.db`
      select secret_box from webhook_endpoints where webhook_endpoint_id = ${endpointId}`;
    expect(row?.['secret_box']).toHaveLength(0);
    const audit = await service.call('GET', '/v1/audit-events', {
      session,
      query: { target_id: endpointId },
    });
    expect(audit.body.audit_events[0].type).toBe('webhook_endpoint.deleted');
  });

  it('racing with failures that are just being recorded leaves no attempt planned', async () => {
    const { session, merchantId } = merchant;
    for (let round = 0; round < 4; round += 1) {
      const ids: string[] = [];
      for (let index = 0; index < 4; index += 1) {
        const script = { kind: 'answer', status: 500, delayMs: 60 } as const;
        ids.push((await activeEndpoint(service, merchant, receiver, { script })).endpointId);
      }
      const seen = receiver.requests.length;
      await causeEvents(service.context, merchantId, 8);
      await receiver.waitForRequests(seen + 4);
      await Promise.all(
        ids.map(async (id, index) => {
          await new Promise((resolve) => setTimeout(resolve, 55 + 5 * index + 4 * round));
          await succeed(service.call('DELETE', path(id), { session }));
        }),
      );
      // What was due is cancelled within moments; a retry that slipped through would stay for at least four seconds.
      await until(async () => {
        const pending = await service.db`
          select from webhook_deliveries
          where webhook_endpoint_id = any(${ids}::text[]) and status = 'pending'`;
        return pending.length === 0;
      }, 3_000);
    }
  });
});

describe('another tenant', () => {
  it('sees none of it: the same 404 everywhere', async () => {
    const { endpointId } = await activeEndpoint(service, merchant, receiver);
    await causeEvents(service.context, merchant.merchantId);
    const [delivery] = await listDeliveries(service, merchant);
    const { session } = other;
    const absent = await service.call('GET', path('whe_01ARZ3NDEKTSV4RRFFQ69G5FAV'), { session });
    for (const received of [
      await service.call('GET', path(endpointId), { session }),
      await service.call('PATCH', path(endpointId), { session, body: { status: 'disabled', version: 2 } }),
      await service.call('DELETE', path(endpointId), { session }),
      await service.call('POST', path(endpointId, '/verify'), { session }),
      await service.call('POST', path(endpointId, '/rotate-secret'), { session }),
      await service.call('POST', `/v1/webhook-deliveries/${delivery.delivery_id}/redeliver`, { session }),
    ]) {
      const strip = (text: string) => text.replace(/"request_id":"[^"]*"/, '');
      expect(strip(received.text)).toBe(strip(absent.text));
    }
    expect(await listDeliveries(service, other)).toEqual([]);
    expect(await listDeliveries(service, other, { webhook_endpoint_id: endpointId })).toEqual([]);
  });
});
