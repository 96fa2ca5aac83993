import { setTimeout as pause } from 'node:timers/promises';
import { succeed } from '@payassent/proof/people/merchants';
import {
  allEvents,
  type PaymentStage,
  paymentStage,
  pendingRequest,
  pollRequests,
  report,
} from '@payassent/proof/people/payments';
import { connect, deviceOf } from '@payassent/proof/people/wallets';
import { type Received, timed } from '@payassent/proof/service/client';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let service: TestService;
let stage: PaymentStage;
beforeAll(async () => {
  service = await startService();
  stage = await paymentStage(service);
});
afterAll(() => service.close());

async function freshConnection(): Promise<PaymentStage> {
  const own = { ...stage, ...(await connect(service, stage.agent, stage.device)) };
  // First uses end the time in which the token can be collected; later ones are measured here.
  await succeed(pollRequests(service, own));
  return own;
}

describe('pages', () => {
  it('follow each other without gap or overlap', async () => {
    const own = await freshConnection();
    for (let index = 0; index < 7; index += 1) {
      const { request_id } = await pendingRequest(service, own);
      await succeed(report(service, own, request_id, { status: 'rejected' }));
    }
    const sequences: number[] = [];
    let since = 0;
    for (const [size, more] of [
      [3, true],
      [3, true],
      [1, false],
    ] as const) {
      const page = (await pollRequests(service, own, { since, limit: 3 })).body;
      expect([page.events.length, page.has_more]).toEqual([size, more]);
      sequences.push(...page.events.map((event: { sequence: number }) => event.sequence));
      since = page.next_cursor;
    }
    expect(sequences).toEqual([1, 2, 3, 4, 5, 6, 7]);
    const exact = (await pollRequests(service, own, { since: 4, limit: 3 })).body;
    expect([exact.events.length, exact.has_more, exact.next_cursor]).toEqual([3, false, 7]);
  });

  it('continue where numbers are missing, however many', async () => {
    const own = await freshConnection();
    const sequences = [1, 2, 1003, 1004, 5005];
    for (const sequence of sequences) {
      const { request_id } = await pendingRequest(service, own);
      await service.db`
        update connection_heads set last_sequence = ${sequence - 1} where connection_id = ${own.connectionId}`;
      await succeed(report(service, own, request_id, { status: 'rejected' }));
    }
    const read: unknown[] = [];
    for (let since = 0, more = true; more; ) {
      const page = (await pollRequests(service, own, { since, limit: 2 })).body;
      read.push(page.events.map((event: { sequence: number }) => event.sequence));
      since = page.next_cursor;
      more = page.has_more;
    }
    expect(read).toEqual([[1, 2], [1003, 1004], [5005]]);
  });

  it('are empty at the end and beyond it, with the cursor as it was sent', async () => {
    const own = await freshConnection();
    for (const since of [0, 5, 999_999_999_999_999]) {
      const page = (await pollRequests(service, own, { since })).body;
      expect(page).toEqual({ ok: true, events: [], next_cursor: since, has_more: false });
    }
  });

  it('creation makes no event', async () => {
    const own = await freshConnection();
    await pendingRequest(service, own);
    expect(await allEvents(service, own)).toEqual([]);
  });

  it.each(['-1', '01', '1.0', 'x', '1000000000000000', '', ' 1', '٣'])(
    'since=%s is no cursor',
    async (since) => {
      const received = await pollRequests(service, stage, { since });
      expect([received.status, received.body.error.code]).toEqual([400, 'invalid_cursor']);
    },
  );

  it('limit and wait have their bounds', async () => {
    for (const query of [{ limit: 0 }, { limit: 501 }, { limit: 'x' }, { wait: 31 }, { wait: -1 }]) {
      const received = await pollRequests(service, stage, query);
      expect(received.status).toBe(400);
      expect(received.body.error.field).toBe(Object.keys(query)[0]);
    }
    expect((await pollRequests(service, stage, { limit: 500, wait: 0 })).status).toBe(200);
    const refused = await service.call('GET', '/v1/payment-requests/events', {
      bearer: 'svc_ct_wrong',
      query: { since: 'x' },
    });
    expect(refused.status).toBe(401);
  });

  it('need the scope to read', async () => {
    const narrow = await connect(service, stage.agent, stage.device, ['payment.requests.create']);
    expect((await pollRequests(service, narrow)).body.error.code).toBe('insufficient_scope');
  });
});

describe('a long poll', () => {
  it('is woken by the change itself, not by the heartbeat that finds lost announcements', async () => {
    const own = await freshConnection();
    const wakeUpMs = async () => {
      const { request_id } = await pendingRequest(service, own);
      const { next_cursor: since } = (await pollRequests(service, own)).body;
      const waiting = pollRequests(service, own, { since, wait: 20 });
      await pause(300);
      const changedAt = performance.now();
      const moved = await report(service, own, request_id, { status: 'signed' });
      expect((await waiting).body.events).toEqual([moved.body.event]);
      return performance.now() - changedAt;
    };
    // A busy machine may be late once; a heartbeat would be late every time.
    let bestMs = Infinity;
    for (let turn = 0; turn < 5 && bestMs >= 1_500; turn += 1) bestMs = Math.min(bestMs, await wakeUpMs());
    expect(bestMs).toBeLessThan(1_500);
  });

  it('returns an empty page when its time is over, and immediately when there is something', async () => {
    const own = await freshConnection();
    const empty = await timed(pollRequests(service, own, { wait: 1 }));
    expect(empty.body.events).toEqual([]);
    expect(empty.ms).toBeGreaterThan(900);
    const { request_id } = await pendingRequest(service, own);
    await report(service, own, request_id, { status: 'signed' });
    const full = await timed(pollRequests(service, own, { wait: 20 }));
    expect(full.body.events).toHaveLength(1);
    expect(full.ms).toBeLessThan(10_000);
  });

  it('returns an expiry', async () => {
    const own = await freshConnection();
    const expires_at = new Date(service.clock.now().getTime() + 1500).toISOString();
    const { request_id } = await pendingRequest(service, own, { expires_at });
    const received = await timed(pollRequests(service, own, { wait: 15 }));
    expect(received.body.events).toMatchObject([{ request_id, status: 'expired', occurred_at: expires_at }]);
    expect(received.ms).toBeLessThan(10_000);
  });

  it('ends immediately when its token ends: revoked, rotated, agent suspended', async () => {
    const device = deviceOf(stage.device);
    const waitFor = async (own: PaymentStage, end: () => Promise<Received>) => {
      const waiting = timed(pollRequests(service, own, { wait: 20 }));
      await pause(200);
      await succeed(end());
      const received = await waiting;
      expect(received.ms).toBeLessThan(10_000);
      return [received.status, received.body.error.code];
    };
    const revoked = await freshConnection();
    const path = `/v1/connections/${revoked.connectionId}`;
    expect(await waitFor(revoked, () => service.call('DELETE', path, { device }))).toEqual([
      401,
      'token_revoked',
    ]);
    const rotated = await freshConnection();
    const rotate = `/v1/connections/${rotated.connectionId}/rotate-token`;
    expect(await waitFor(rotated, () => service.call('POST', rotate, { device }))).toEqual([
      401,
      'token_rotated',
    ]);
    const other = await paymentStage(service, { merchant: stage.merchant });
    await succeed(pollRequests(service, other));
    const suspend = () =>
      service.call('PATCH', `/v1/agents/${other.agent.agentId}`, {
        session: stage.merchant.session,
        body: { status: 'suspended', version: other.agent.version },
      });
    expect(await waitFor(other, suspend)).toEqual([403, 'agent_not_active']);
  });

  it('leaves nothing behind when its caller hangs up', async () => {
    const own = await freshConnection();
    const { waiters } = service.app.parts.engine;
    const caller = new AbortController();
    const waiting = fetch(`${service.url}/v1/payment-requests/events?wait=30`, {
      headers: { authorization: `Bearer ${own.connectionToken}` },
      signal: caller.signal,
    });
    waiting.catch(() => {});
    await expect.poll(() => waiters.waiting()).toBe(1);
    caller.abort();
    await expect.poll(() => waiters.waiting()).toBe(0);
  });

  it('gets an empty page immediately when the service stops', async () => {
    const own = await freshConnection();
    const waiting = timed(pollRequests(service, own, { wait: 20 }));
    const inbox = service.call('GET', '/v1/payment-requests', {
      device: deviceOf(own.device),
      query: { wait: 20, connection_id: own.connectionId },
    });
    await expect.poll(() => service.app.parts.engine.waiters.waiting()).toBe(2);
    await service.restart();
    const received = await waiting;
    expect(received.body).toEqual({ ok: true, events: [], next_cursor: 0, has_more: false });
    expect((await inbox).body.payment_requests).toEqual([]);
    expect(received.ms).toBeLessThan(10_000);
  });
});

describe('counters', () => {
  it('count creates, replays, transitions, expiries and rejections', async () => {
    const own = await freshConnection();
    const body = {
      recipient_id: own.payee.recipientId,
      payment: { amount: '1' },
      policy: { requires_user_approval: true },
    };
    const send = () =>
      service.call('POST', '/v1/payment-requests', {
        bearer: own.connectionToken,
        idempotencyKey: 'c',
        body,
      });
    const { request_id } = (await send()).body.payment_request;
    await send();
    await report(service, own, request_id, { status: 'confirmed' });
    await report(service, own, request_id, { status: 'rejected' });
    const { text } = await service.call('GET', '/metrics');
    for (const line of [
      /^svc_payment_requests_created_total [1-9]/m,
      /^svc_payment_requests_replayed_total 1$/m,
      /^svc_payment_request_transitions_total\{from="pending",to="rejected"\} [1-9]/m,
      /^svc_payment_requests_refused_total\{code="invalid_status_transition"\} 1$/m,
    ])
      expect(text).toMatch(line);
  });
});
