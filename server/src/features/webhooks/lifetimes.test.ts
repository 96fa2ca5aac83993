import { isPartitionedRun } from '@payassent/proof/database/layout';
import { type TestMerchant, verifiedMerchant } from '@payassent/proof/people/merchants';
import {
  activeEndpoint,
  answering,
  causeEvents,
  eventsAt,
  until,
  wakeWorkers,
} from '@payassent/proof/people/webhooks';
import { serviceForTest, startService, type TestService } from '@payassent/proof/service/service';
import { startHttpReceiver, type TestReceiver } from '@payassent/proof/surroundings/http-receiver';
import { verifyWebhook } from '@payassent/protocol';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DeliveryRow, EndpointRow } from './endpoints/view.ts';
import { webhookRetention } from './index.ts';
import { MAX_ATTEMPTS, RETRY_DELAYS_MS } from './schedule.ts';
import { LEASE_MS } from './worker-state.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const BEGINNING = new Date('2026-05-01T00:00:00.000Z');

let service: TestService;
let receiver: TestReceiver;
let merchant: TestMerchant;

beforeAll(async () => {
  // Jobs started at today's time would delete what belongs to the past.
  service = await startService({ frozenAt: BEGINNING });
});
afterAll(() => service.close());
beforeEach(async () => {
  service.clock.freeze(BEGINNING);
  receiver = await startHttpReceiver();
  merchant = await verifiedMerchant(service);
});
afterEach(async () => {
  await service.db`update webhook_endpoints set deleted_at = created_at where merchant_id = ${merchant.merchantId}`;
  await receiver.close();
});

const cause = (count = 1) => causeEvents(service.context, merchant.merchantId, count);

function advance(durationMs: number): void {
  service.clock.advance(durationMs);
  wakeWorkers(service.context);
}

/** Without the handshake, oldest first. Read from the table: sessions do not live as long as these tests. */
function rows(endpointId: string): Promise<DeliveryRow[]> {
  return service.db<DeliveryRow[]>`
    select * from webhook_deliveries
    where webhook_endpoint_id = ${endpointId} and event_type <> 'webhook.verification'
    order by created_at, attempt, delivery_id`;
}

async function endpointRow(endpointId: string): Promise<EndpointRow> {
  const [row] = await service.db<EndpointRow[]>`
    select * from webhook_endpoints where webhook_endpoint_id = ${endpointId}`;
  if (!row) throw new Error('no such endpoint');
  return row;
}

const untilOver = (endpointId: string, count: number) =>
  until(async () => {
    const found = await rows(endpointId);
    return found.filter((row) => row.status !== 'pending').length === count && found;
  });

describe('the retry schedule', () => {
  it('is walked to its end: ten attempts, each pause within a fifth of its delay, the same bytes each time', async () => {
    const { endpointId, secret } = await activeEndpoint(service, merchant, receiver, {
      script: { kind: 'answer', status: 500 },
    });
    await cause();
    const signedAtMs: number[] = [];
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const found = await untilOver(endpointId, attempt);
      signedAtMs.push(service.clock.now().getTime());
      const last = found[attempt - 1];
      expect(last).toMatchObject({ attempt, status: 'failed' });
      const baseMs = RETRY_DELAYS_MS[attempt - 1];
      if (baseMs === undefined) continue;
      const dueMs = last?.next_attempt_at?.getTime() ?? 0;
      const pauseMs = dueMs - service.clock.now().getTime();
      expect(pauseMs).toBeGreaterThanOrEqual(0.8 * baseMs);
      expect(pauseMs).toBeLessThanOrEqual(1.2 * baseMs);
      expect(found[attempt]).toMatchObject({
        attempt: attempt + 1,
        status: 'pending',
        run_at: new Date(dueMs),
      });
      advance(pauseMs - 1);
      await new Promise((resolve) => setTimeout(resolve, 60));
      expect(eventsAt(receiver)).toHaveLength(attempt);
      advance(1);
    }
    advance(30 * HOUR_MS);
    await new Promise((resolve) => setTimeout(resolve, 400));
    const all = await rows(endpointId);
    expect(all.map((row) => row.status)).toEqual(Array(MAX_ATTEMPTS).fill('failed'));
    expect(all.at(-1)?.next_attempt_at).toBeNull();
    expect((await endpointRow(endpointId)).status).toBe('active');
    const requests = eventsAt(receiver);
    expect(requests).toHaveLength(MAX_ATTEMPTS);
    for (const [index, request] of requests.entries()) {
      expect(request.body.equals(requests[0]?.body ?? Buffer.alloc(0))).toBe(true);
      const { headers, body } = request;
      const nowMs = signedAtMs[index] ?? 0;
      expect(verifyWebhook({ headers, body, secrets: [secret], nowMs, toleranceSeconds: 1 }).ok).toBe(true);
    }
  });
});

describe('120 hours of nothing but failure', () => {
  it('disable the endpoint; a single success begins the count again', async () => {
    let status = 500;
    const { endpointId } = await activeEndpoint(service, merchant, receiver, {
      script: () => ({ kind: 'answer', status }),
    });
    const failOnce = async () => {
      const [eventId] = await cause();
      await until(async () => {
        const found = await rows(endpointId);
        return found.some((row) => row.event_id === eventId && row.status !== 'pending');
      });
    };
    await failOnce();
    advance(119 * HOUR_MS);
    await failOnce();
    expect((await endpointRow(endpointId)).status).toBe('active');
    status = 200;
    await failOnce();
    await until(async () => (await endpointRow(endpointId)).failing_since === null);
    status = 500;
    await failOnce();
    const failingSince = service.clock.now();
    advance(119 * HOUR_MS + 59 * 60_000);
    await failOnce();
    expect(await endpointRow(endpointId)).toMatchObject({ status: 'active', failing_since: failingSince });
    // The retry of that attempt is due by now.
    advance(60_000);
    const disabled = await until(async () => {
      const row = await endpointRow(endpointId);
      return row.status === 'disabled' && row;
    });
    expect(disabled.inactive_since).toEqual(service.clock.now());
    const audit = await service.db`
      select actor_kind, details from audit_events
      where target_id = ${endpointId} and type = 'webhook_endpoint.disabled'`;
    expect(audit).toMatchObject([{ actor_kind: 'system', details: { reason: 'failing' } }]);
  });
});

describe('what waits for an inactive endpoint', () => {
  it('is cancelled after 72 hours, and the queue shows no lag meanwhile', async () => {
    const { endpointId, version } = await activeEndpoint(service, merchant, receiver, {
      script: { kind: 'answer', status: 500 },
    });
    await cause(3);
    await untilOver(endpointId, 3);
    const { session } = merchant;
    const path = `/v1/webhook-endpoints/${endpointId}`;
    await service.call('PATCH', path, { session, body: { status: 'disabled', version } });
    advance(10_000);
    await until(async () => (await rows(endpointId)).filter((row) => row.parked_at !== null).length === 3);
    expect((await service.call('GET', '/health')).body.checks.outbox_lag_s).toBe(0);
    advance(72 * HOUR_MS - 10_001);
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect((await rows(endpointId)).filter((row) => row.status === 'pending')).toHaveLength(3);
    advance(1);
    await until(
      async () => (await rows(endpointId)).filter((row) => row.status === 'cancelled').length === 3,
    );
    expect(eventsAt(receiver)).toHaveLength(3);
  });
});

describe('the overlap of two secrets', () => {
  it('ends after exactly 24 hours', async () => {
    const { endpointId, secret } = await activeEndpoint(service, merchant, receiver);
    const path = `/v1/webhook-endpoints/${endpointId}/rotate-secret`;
    const { body } = await service.call('POST', path, { session: merchant.session });
    const results: boolean[][] = [];
    for (const step of [DAY_MS, 1_000]) {
      advance(step);
      const before = eventsAt(receiver).length;
      await cause();
      const request = await until(() => eventsAt(receiver)[before]);
      const nowMs = service.clock.now().getTime();
      const opens = (key: string) =>
        verifyWebhook({ headers: request.headers, body: request.body, secrets: [key], nowMs }).ok;
      results.push([opens(secret), opens(body.secret)]);
    }
    expect(results).toEqual([
      [true, true],
      [false, true],
    ]);
  });
});

describe('retention', () => {
  const purge = async () => {
    for (const rule of webhookRetention) await rule.purge(service.db, service.clock.now(), 500);
  };
  const counts = async (endpointId: string) => {
    const [row] = await service.db`
      select count(*)::int as attempts, count(m.event_id)::int as messages
      from webhook_deliveries d left join webhook_messages m using (merchant_id, event_id)
      where webhook_endpoint_id = ${endpointId} and event_type <> 'webhook.verification'`;
    return [row?.['attempts'], row?.['messages']];
  };

  // In ranges of time they are deleted with their range, up to some days later (server/test/time-ranges.test.ts).
  it.skipIf(isPartitionedRun)('bytes go 7 days after the last attempt, attempts after 30 days', async () => {
    const { endpointId } = await activeEndpoint(service, merchant, receiver);
    await cause(2);
    await untilOver(endpointId, 2);
    advance(7 * DAY_MS);
    await purge();
    expect(await counts(endpointId)).toEqual([2, 2]);
    advance(1);
    await purge();
    expect(await counts(endpointId)).toEqual([2, 0]);
    advance(23 * DAY_MS - 1);
    await purge();
    expect(await counts(endpointId)).toEqual([2, 0]);
    advance(1);
    await purge();
    expect(await counts(endpointId)).toEqual([0, 0]);
  });

  it('never takes the bytes of what is still to be sent', async () => {
    const { endpointId } = await activeEndpoint(service, merchant, receiver);
    await service.db`update webhook_endpoints set status = 'disabled', inactive_since = ${service.clock.now()}
                     where webhook_endpoint_id = ${endpointId}`;
    const now = service.clock.now();
    await service.db`insert into webhook_messages values ('evt_old', ${merchant.merchantId}, 'connection.created', '{}', ${now})`;
    await service.db`
      insert into webhook_deliveries
        (delivery_id, webhook_endpoint_id, merchant_id, event_id, event_type, attempt, status, run_at, created_at)
      values ('whd_old', ${endpointId}, ${merchant.merchantId}, 'evt_old', 'connection.created', 1, 'pending',
              ${new Date(now.getTime() + 60 * DAY_MS)}, ${now})`;
    service.clock.advance(40 * DAY_MS);
    await purge();
    expect(await counts(endpointId)).toEqual([1, 1]);
  });
});

describe('a lease', () => {
  it('of a worker that was killed is over after its time, and not before', async () => {
    const { endpointId } = await activeEndpoint(service, merchant, receiver);
    const now = service.clock.now();
    await service.db`insert into webhook_messages values ('evt_dead', ${merchant.merchantId}, 'connection.created', '{}', ${now})`;
    await service.db`
      insert into webhook_deliveries
        (delivery_id, webhook_endpoint_id, merchant_id, event_id, event_type, attempt, status, run_at, lease, created_at)
      values ('whd_dead', ${endpointId}, ${merchant.merchantId}, 'evt_dead', 'connection.created', 1, 'pending',
              ${new Date(now.getTime() + LEASE_MS)}, 'of-a-dead-worker', ${now})`;
    advance(LEASE_MS - 1);
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(eventsAt(receiver)).toHaveLength(0);
    advance(1);
    await until(() => eventsAt(receiver).length === 1);
    await untilOver(endpointId, 1);
  });

  it('that was lost meanwhile is not recorded under: who took the delivery over decides', async () => {
    const { endpointId } = await activeEndpoint(service, merchant, receiver, {
      script: { kind: 'answer', status: 200, delayMs: 600 },
    });
    await cause();
    await until(() => eventsAt(receiver).length === 1);
    await service.db`
      update webhook_deliveries set lease = 'of-another-worker', run_at = ${new Date(service.clock.now().getTime() + LEASE_MS)}
      where webhook_endpoint_id = ${endpointId} and status = 'pending'`;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const [row] = await rows(endpointId);
    expect(row).toMatchObject({ status: 'pending', lease: 'of-another-worker', attempted_at: null });
  });
});

describe('stopping', () => {
  it('waits five seconds for what is under way, then gives the lease back, so that others continue immediately', async () => {
    const own = await serviceForTest();
    const shop = await verifiedMerchant(own);
    const { endpointId } = await activeEndpoint(own, shop, receiver, {
      path: '/hang',
      script: { kind: 'never' },
    });
    const slow = await startHttpReceiver();
    await activeEndpoint(own, shop, slow, { script: { kind: 'answer', delayMs: 3_000 } });
    await causeEvents(own.context, shop.merchantId);
    await until(() => eventsAt(receiver).length === 1 && eventsAt(slow).length === 1);
    receiver.script(answering());
    const startedMs = performance.now();
    await own.restart();
    const stoppedMs = performance.now() - startedMs;
    expect(stoppedMs).toBeGreaterThan(4_900);
    expect(stoppedMs).toBeLessThan(40_000);
    await until(() => eventsAt(receiver).length === 2);
    expect(eventsAt(slow)).toHaveLength(1);
    await until(async () => {
      const found = await own.db<DeliveryRow[]>`
        select * from webhook_deliveries where event_type <> 'webhook.verification'`;
      return found.length === 2 && found.every((row) => row.status === 'delivered' && row.attempt === 1);
    });
    const [hung] = await own.db<DeliveryRow[]>`
      select * from webhook_deliveries
      where webhook_endpoint_id = ${endpointId} and event_type <> 'webhook.verification'`;
    expect(hung?.error_class).toBeNull();
    await slow.close();
  });
});
