import { paymentStage, pendingRequest } from '@payassent/proof/people/payments';
import { createEndpoint, forceActive } from '@payassent/proof/people/webhooks';
import { serviceForTest, type TestService } from '@payassent/proof/service/service';
import { describe, expect, it } from 'vitest';
import { backlogJob } from './backlog-job.ts';

async function fullEndpoint(service: TestService) {
  const stage = await paymentStage(service);
  const { session } = stage.merchant;
  const made = await createEndpoint(service, stage.merchant, { url: 'http://127.0.0.1:9/dead' });
  const endpointId = made.endpointId;
  await forceActive(service.db, endpointId);
  const waiting = async () =>
    (
      await service.db`
      select from webhook_deliveries where webhook_endpoint_id = ${endpointId} and status = 'pending'`
    ).length;
  const read = async () =>
    (await service.call('GET', `/v1/webhook-endpoints/${endpointId}`, { session })).body.webhook_endpoint;
  return { stage, session, endpointId, waiting, read };
}

describe('an endpoint for which too much waits', () => {
  it('takes no more, is marked as full, and takes deliveries again when they have become fewer', async () => {
    const { run: look } = backlogJob();
    const service = await serviceForTest({ env: { SVC_CAPS: 'endpoint_deliveries=5' } });
    const { stage, session, endpointId, waiting, read } = await fullEndpoint(service);
    // The queue stays as it is, whatever the worker tries.
    const other = await fullEndpoint(service);
    for (let turn = 0; turn < 5; turn += 1) await pendingRequest(service, stage);
    await look(service.context);
    expect(await waiting()).toBe(5);
    expect((await read()).queue_full_since).toMatch(/^20/);
    expect((await other.read()).queue_full_since).toBeNull();
    const requestId = await pendingRequest(service, stage);
    expect(requestId).toBeTruthy();
    expect(await waiting()).toBe(5);
    await pendingRequest(service, other.stage);
    expect(await other.waiting()).toBe(1);

    const [delivery] = await service.db<{ delivery_id: string }[]>`
      select delivery_id from webhook_deliveries where webhook_endpoint_id = ${endpointId} limit 1`;
    const again = await service.call('POST', `/v1/webhook-deliveries/${delivery?.delivery_id}/redeliver`, {
      session,
    });
    expect([again.status, again.body.error.code]).toEqual([409, 'limit_reached']);

    await service.db`
      update webhook_deliveries set status = 'cancelled' where webhook_endpoint_id = ${endpointId}`;
    await look(service.context);
    expect((await read()).queue_full_since).toBeNull();
    await pendingRequest(service, stage);
    expect(await waiting()).toBe(1);
  });

  it('is found in bounded steps that reach every endpoint in turn', async () => {
    const { run: look } = backlogJob();
    const service = await serviceForTest({ env: { SVC_CAPS: 'endpoint_deliveries=2' }, jobs: false });
    await service.db`
      insert into merchants (merchant_id, name, status, created_at, updated_at)
      values ('mer_many', 'Many', 'active', now(), now())`;
    await service.db`
      insert into webhook_endpoints (webhook_endpoint_id, merchant_id, url, event_types, status, secret_key_id, secret_box,
        created_at, updated_at)
      select 'whe_' || lpad(n::text, 4, '0'), 'mer_many', 'https://dead.example', '{*}', 'active', 'k', '', now(), now()
      from generate_series(1, 450) n`;
    await service.db`
      insert into webhook_deliveries (delivery_id, webhook_endpoint_id, merchant_id, event_id, event_type, attempt, status,
        run_at, created_at)
      select 'whd_' || n || '_' || m, 'whe_' || lpad(n::text, 4, '0'), 'mer_many', 'evt', 'x', 1, 'pending', now(), now()
      from generate_series(1, 450) n, generate_series(1, case when n % 20 = 0 then 3 else 1 end) m`;
    const full = async () =>
      (await service.db`select from webhook_endpoints where queue_full_since is not null`).length;
    await look(service.context);
    expect(await full()).toBeLessThan(22);
    for (let turn = 0; turn < 6; turn += 1) await look(service.context);
    expect(await full()).toBe(22);
  });
});
