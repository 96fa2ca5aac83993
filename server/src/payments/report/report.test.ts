import { outcome, succeed } from '@payassent/proof/people/merchants';
import {
  allEvents,
  type PaymentStage,
  paymentStage,
  pendingRequest,
  readRequest,
  report,
} from '@payassent/proof/people/payments';
import { connect, deviceOf, enrolDevice, type TestDevice } from '@payassent/proof/people/wallets';
import { startService, type TestService } from '@payassent/proof/service/service';
import { PAYMENT_REQUEST_STATUSES, type PaymentRequestStatus, SERVICE_REASONS } from '@payassent/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let service: TestService;
let stage: PaymentStage;
let secondDevice: TestDevice;
beforeAll(async () => {
  service = await startService();
  stage = await paymentStage(service);
  const link = await succeed(
    service.call('POST', '/v1/wallet-devices/link-codes', { device: deviceOf(stage.device) }),
  );
  secondDevice = await enrolDevice(service, { link_code: link.body.link_code });
});
afterAll(() => service.close());

const HOUR_MS = 3_600_000;
const say = (requestId: string, body: Record<string, unknown>, device = stage.device) =>
  report(service, { device }, requestId, body);

/** From the specification's table, not from the code's. */
const MAY_MOVE: Partial<Record<PaymentRequestStatus, PaymentRequestStatus[]>> = {
  pending: ['signed', 'rejected', 'failed'],
  signed: ['broadcasted', 'failed'],
  broadcasted: ['confirmed', 'failed'],
};
const WAY_TO: Record<PaymentRequestStatus, PaymentRequestStatus[]> = {
  pending: [],
  signed: ['signed'],
  broadcasted: ['signed', 'broadcasted'],
  confirmed: ['signed', 'broadcasted', 'confirmed'],
  failed: ['failed'],
  rejected: ['rejected'],
  expired: [],
};

async function requestIn(status: PaymentRequestStatus): Promise<string> {
  const { request_id } = await pendingRequest(service, stage);
  for (const step of WAY_TO[status]) await succeed(say(request_id, { status: step }));
  if (status === 'expired') service.clock.advance(HOUR_MS + 1);
  return request_id;
}

describe.each(PAYMENT_REQUEST_STATUSES)('from %s', (from) => {
  it.each(PAYMENT_REQUEST_STATUSES)('to %s: exactly the declared cells move', async (to) => {
    const requestId = await requestIn(from);
    const before = await readRequest(service, stage, requestId);
    expect(before.body.payment_request.status).toBe(from);
    const eventsBefore = (await allEvents(service, stage)).length;
    const received = await say(requestId, { status: to });
    const after = (await readRequest(service, stage, requestId)).body.payment_request;
    const events = (await allEvents(service, stage)).slice(eventsBefore);
    if (MAY_MOVE[from]?.includes(to)) {
      expect(received.status, received.text).toBe(200);
      expect(after.status).toBe(to);
      expect(events).toEqual([received.body.event]);
      expect(events[0]).toMatchObject({ previous_status: from, status: to, actor: 'wallet' });
      return;
    }
    expect(after).toEqual(before.body.payment_request);
    expect(events).toEqual([]);
    if (from === to && from !== 'pending') {
      expect(received.status).toBe(200);
      expect(received.body.event).toBeNull();
      return;
    }
    expect(received.status).toBe(409);
    const isLate = from === 'expired' && ['signed', 'failed', 'rejected'].includes(to);
    expect(received.body.error.code).toBe(isLate ? 'payment_request_expired' : 'invalid_status_transition');
    if (!isLate) expect(received.body.error.details).toEqual({ from, to, allowed: MAY_MOVE[from] ?? [] });
  });
});

describe('two devices of one wallet', () => {
  it('never both pass the gate: the second is refused, the first may repeat', async () => {
    const requestId = await requestIn('pending');
    const [one, two] = await Promise.all([
      say(requestId, { status: 'signed' }),
      say(requestId, { status: 'signed' }, secondDevice),
    ]);
    const [winner, loser] = one.status === 200 ? [one, two] : [two, one];
    const winning = winner === one ? stage.device : secondDevice;
    expect(winner.body.event).not.toBeNull();
    expect([loser.status, loser.body.error.code]).toEqual([409, 'status_conflict']);
    const repeat = await say(requestId, { status: 'signed' }, winning);
    expect([repeat.status, repeat.body.event]).toEqual([200, null]);
  });

  it.each(['broadcasted', 'failed'])(
    'the other one cannot report %s on what this one has signed',
    async (status) => {
      const requestId = await requestIn('signed');
      for (const takeover of [undefined, false]) {
        const refused = await say(requestId, { status, takeover }, secondDevice);
        expect([refused.status, refused.body.error.code]).toEqual([409, 'status_conflict']);
      }
      const own = await readRequest(service, stage, requestId);
      expect(own.body.payment_request).toMatchObject({ status: 'signed', state_version: 2 });
      expect((await say(requestId, { status })).body.event).toMatchObject({ status });
    },
  );

  it('the other one takes over when its report claims that: the event records it, and from then on it reports', async () => {
    const requestId = await requestIn('signed');
    const taking = { status: 'broadcasted', tx_hash: 'abc', takeover: true };
    const moved = await say(requestId, taking, secondDevice);
    expect(moved.body.event).toMatchObject({ status: 'broadcasted', tx_hash: 'abc', takeover: true });
    const polled = (await allEvents(service, stage)).find(
      ({ event_id }) => event_id === moved.body.event.event_id,
    );
    expect(polled).toEqual(moved.body.event);
    expect((await say(requestId, { status: 'confirmed' })).body.error.code).toBe('status_conflict');
    expect((await say(requestId, { status: 'broadcasted' })).status).toBe(409);
    expect((await say(requestId, { status: 'broadcasted' }, secondDevice)).body.event).toBeNull();
    const confirmed = await say(requestId, { status: 'confirmed' }, secondDevice);
    expect(confirmed.body.event).toMatchObject({ status: 'confirmed' });
    expect(confirmed.body.event).not.toHaveProperty('takeover');
  });

  it('a takeover is ignored before signed, and never makes a repeat of signed succeed', async () => {
    const requestId = await requestIn('pending');
    const signed = await say(requestId, { status: 'signed', takeover: true });
    expect(signed.body.event).toMatchObject({ status: 'signed' });
    expect(signed.body.event).not.toHaveProperty('takeover');
    const repeat = await say(requestId, { status: 'signed', takeover: true }, secondDevice);
    expect([repeat.status, repeat.body.error.code]).toEqual([409, 'status_conflict']);
  });

  it('a foreign wallet sees nothing at all', async () => {
    const requestId = await requestIn('pending');
    const stranger = await enrolDevice(service);
    const received = await say(requestId, { status: 'signed' }, stranger);
    const absent = await say('pr_nothing', { status: 'signed' }, stranger);
    expect(received.status).toBe(404);
    expect(received.text.replace(received.body.error.request_id, '')).toBe(
      absent.text.replace(absent.body.error.request_id, ''),
    );
  });
});

describe('tx_hash', () => {
  it('never changes once set, whatever status comes with another one', async () => {
    const requestId = await requestIn('pending');
    await succeed(say(requestId, { status: 'signed', tx_hash: 'aa' }));
    for (const status of ['signed', 'broadcasted', 'confirmed', 'rejected']) {
      const received = await say(requestId, { status, tx_hash: 'bb' });
      expect([received.status, received.body.error.code]).toEqual([409, 'status_conflict']);
    }
    const pending = await say(requestId, { status: 'pending', tx_hash: 'bb' });
    expect(pending.body.error.code).toBe('invalid_status_transition');
    expect((await say(requestId, { status: 'signed', tx_hash: 'aa' })).body.event).toBeNull();
    const moved = await say(requestId, { status: 'broadcasted', tx_hash: 'aa' });
    expect(moved.body.event).toMatchObject({ status: 'broadcasted', tx_hash: 'aa' });
  });

  it('may come with a repeat of the deciding device, once and without an event', async () => {
    const requestId = await requestIn('broadcasted');
    expect((await say(requestId, { status: 'broadcasted', tx_hash: 'late' }, secondDevice)).status).toBe(409);
    const before = (await allEvents(service, stage)).length;
    const added = await say(requestId, { status: 'broadcasted', tx_hash: 'late' });
    expect(added.body).toMatchObject({ event: null, payment_request: { tx_hash: 'late', state_version: 3 } });
    expect((await say(requestId, { status: 'broadcasted', tx_hash: 'other' })).status).toBe(409);
    expect((await allEvents(service, stage)).length).toBe(before);
    const confirmed = await say(requestId, { status: 'confirmed' });
    expect(confirmed.body.event).toMatchObject({ status: 'confirmed', tx_hash: 'late', state_version: 4 });
  });

  it('has 1 to 256 printable ASCII characters', async () => {
    const requestId = await requestIn('pending');
    for (const tx_hash of ['', 'a'.repeat(257), 'é', 'a\n', 5])
      expect((await say(requestId, { status: 'signed', tx_hash })).body.error.field).toBe('tx_hash');
    expect((await say(requestId, { status: 'signed', tx_hash: '~ '.repeat(128) })).status).toBe(200);
  });
});

describe('reasons', () => {
  it('reach record and event', async () => {
    const requestId = await requestIn('pending');
    const reason = 'n'.repeat(280);
    const received = await say(requestId, { status: 'rejected', reason_code: 'not_mine', reason });
    expect(received.body.payment_request).toMatchObject({ reason: 'not_mine', reason_text: reason });
    expect(received.body.event).toMatchObject({ reason: 'not_mine' });
  });

  it('belong to rejected and failed, and have a form', async () => {
    const requestId = await requestIn('pending');
    const bad = [
      { status: 'signed', reason_code: 'a' },
      { status: 'signed', reason: 'a' },
      { status: 'failed', reason_code: 'A' },
      { status: 'failed', reason_code: 'a'.repeat(65) },
      { status: 'failed', reason: 'a'.repeat(281) },
      { status: 'paid' },
      { status: 'signed', surprise: 1 },
      {},
    ];
    for (const body of bad) expect((await say(requestId, body)).status).toBe(400);
    expect((await readRequest(service, stage, requestId)).body.payment_request.status).toBe('pending');
  });
});

describe('a reason of the service itself', () => {
  it.each(SERVICE_REASONS)('is not taken from a wallet: %s', async (reason_code) => {
    const requestId = await requestIn('pending');
    for (const status of ['rejected', 'failed']) {
      const received = await say(requestId, { status, reason_code });
      expect(outcome(received)).toBe('400 validation_failed');
      expect(received.body.error.issues).toEqual([
        { field: 'reason_code', code: 'invalid_format', message: expect.stringContaining(reason_code) },
      ]);
    }
    expect((await readRequest(service, stage, requestId)).body.payment_request.status).toBe('pending');
  });
});

describe('expiry', () => {
  it('a decision passes at expires_at exactly and not a millisecond later', async () => {
    service.clock.freeze();
    try {
      const [inTime, late] = [await pendingRequest(service, stage), await pendingRequest(service, stage)];
      service.clock.set(new Date(inTime.expires_at));
      expect((await say(inTime.request_id, { status: 'expired' })).body.error.code).toBe(
        'invalid_status_transition',
      );
      expect((await say(inTime.request_id, { status: 'signed' })).status).toBe(200);
      service.clock.set(new Date(Date.parse(late.expires_at) + 1));
      for (const status of ['signed', 'rejected', 'failed', 'signed']) {
        const received = await say(late.request_id, { status });
        expect([received.status, received.body.error.code]).toEqual([409, 'payment_request_expired']);
      }
      const events = (await allEvents(service, stage)).filter(
        (event) => event.request_id === late.request_id,
      );
      expect(events.map((event) => [event.status, event.occurred_at])).toEqual([
        ['expired', late.expires_at],
      ]);
    } finally {
      service.clock.release();
    }
  });

  it('only pending ever expires: an unknown outcome is never turned into a failure', async () => {
    const requestId = await requestIn('signed');
    service.clock.advance(400 * 24 * HOUR_MS);
    expect((await readRequest(service, stage, requestId)).body.payment_request.status).toBe('signed');
    expect((await say(requestId, { status: 'broadcasted' })).status).toBe(200);
  });
});

describe('a revoked connection', () => {
  it('rejects what was pending, lets signed ones end, and numbers all of it without gaps', async () => {
    const own = { ...stage, ...(await connect(service, stage.agent, stage.device)) };
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) ids.push((await pendingRequest(service, own)).request_id);
    const [signed = '', ...pending] = ids;
    await succeed(say(signed, { status: 'signed' }));
    const device = deviceOf(stage.device);
    await succeed(service.call('DELETE', `/v1/connections/${own.connectionId}`, { device }));
    const stored = () => service.db`
      select sequence, request_id, status, actor, reason from payment_request_events
      where connection_id = ${own.connectionId} order by sequence`;
    await expect.poll(async () => (await stored()).map((row) => row['sequence'])).toEqual([1, 2, 3, 4, 5]);
    const rows = await stored();
    expect(
      rows
        .slice(1)
        .map((row) => row['request_id'])
        .toSorted(),
    ).toEqual(pending.toSorted());
    for (const row of rows.slice(1))
      expect(row).toMatchObject({ status: 'rejected', actor: 'system', reason: 'connection_revoked' });
    for (const id of pending) {
      const received = await say(id, { status: 'rejected' });
      expect([received.status, received.body.error.code]).toEqual([409, 'status_conflict']);
    }
    expect((await say(signed, { status: 'broadcasted' })).body.event).toMatchObject({ sequence: 6 });
    const inbox = await service.call('GET', '/v1/payment-requests', {
      device,
      query: { connection_id: own.connectionId },
    });
    expect(inbox.body.payment_requests).toHaveLength(5);
  });

  it('expires instead what was past its time already', async () => {
    const own = { ...stage, ...(await connect(service, stage.agent, stage.device)) };
    service.clock.freeze();
    const late = await pendingRequest(service, own);
    service.clock.set(new Date(Date.parse(late.expires_at) + 1));
    const device = deviceOf(stage.device);
    await succeed(service.call('DELETE', `/v1/connections/${own.connectionId}`, { device }));
    service.clock.release();
    const read = await service.call('GET', `/v1/payment-requests/${late.request_id}`, { device });
    expect(read.body.payment_request).toMatchObject({ status: 'expired', reason: null });
  });
});
