import { type PaymentStage, paymentStage, pendingRequest, report } from '@payassent/proof/people/payments';
import { connect, deviceOf, enrolDevice } from '@payassent/proof/people/wallets';
import type { Sent } from '@payassent/proof/service/client';
import { secondService } from '@payassent/proof/service/second-service';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

let service: TestService;
let stage: PaymentStage;
beforeAll(async () => {
  service = await startService();
  stage = await paymentStage(service);
});
afterAll(() => service.close());

const read = (
  requestId: string,
  query: Record<string, number>,
  sent: Sent = { bearer: stage.connectionToken },
) => service.call('GET', `/v1/payment-requests/${requestId}`, { ...sent, query });
const waiting = () => service.app.parts.engine.waiters.waiting();
const isWaiting = (count = 1) => vi.waitFor(() => expect(waiting()).toBe(count), { timeout: 60_000 });
const readers = (): [string, Sent][] => [
  ['agent', { bearer: stage.connectionToken }],
  ['wallet', { device: deviceOf(stage.device) }],
  ['merchant', { session: stage.merchant.session }],
];

describe('a read that waits', () => {
  it('returns immediately when the request has changed since, or no time is given', async () => {
    const { request_id } = await pendingRequest(service, stage);
    for (const [, sent] of readers()) {
      expect((await read(request_id, { wait: 30 }, sent)).body.payment_request.status).toBe('pending');
      expect((await read(request_id, { wait: 30, state_version: 0 }, sent)).status).toBe(200);
      expect((await read(request_id, { state_version: 1 }, sent)).body.payment_request.state_version).toBe(1);
    }
  });

  it('returns when the customer decides, for every kind of caller, in every process', async () => {
    const other = await secondService(service);
    const { request_id } = await pendingRequest(service, stage);
    const waits = readers().map(([, sent]) => read(request_id, { wait: 30, state_version: 1 }, sent));
    await isWaiting(3);
    await report({ call: other.call }, stage, request_id, { status: 'signed' });
    for (const { status, body } of await Promise.all(waits))
      expect([status, body.payment_request.status, body.payment_request.state_version]).toEqual([
        200,
        'signed',
        2,
      ]);
    expect(waiting()).toBe(0);
  });

  it('responds with the record as it is when the time is over', async () => {
    const { request_id } = await pendingRequest(service, stage);
    const { status, body } = await read(request_id, { wait: 1, state_version: 1 });
    expect([status, body.payment_request.state_version]).toEqual([200, 1]);
  });

  it('is refused when its credential ends meanwhile', async () => {
    const device = await enrolDevice(service);
    const own = { ...stage, device, ...(await connect(service, stage.agent, device)) };
    const { request_id } = await pendingRequest(service, own);
    const agent = read(request_id, { wait: 30, state_version: 1 }, { bearer: own.connectionToken });
    const wallet = read(request_id, { wait: 30, state_version: 2 }, { device: deviceOf(device) });
    await isWaiting(2);
    await service.call('DELETE', `/v1/wallet-devices/${device.device_id}`, { device: deviceOf(device) });
    for (const { status, body } of await Promise.all([agent, wallet]))
      expect([status, body.error?.code]).toEqual([401, 'token_revoked']);
  });

  it('takes 0 to 30 seconds and a whole number of version', async () => {
    for (const [query, field] of [
      [{ wait: 31 }, 'wait'],
      [{ wait: 1, state_version: -1 }, 'state_version'],
      [{ wait: 1, state_version: 1.5 }, 'state_version'],
    ] as const) {
      const { status, body } = await read('pr_x', query);
      expect([status, body.error.field]).toEqual([400, field]);
    }
    expect((await read('pr_nothing', { wait: 30, state_version: 1 })).status).toBe(404);
  });
});

describe('the check for all waiting calls', () => {
  it('finds a merchant who signed out, which nothing announces', async () => {
    const own = await paymentStage(service);
    const { request_id } = await pendingRequest(service, own);
    const { session } = own.merchant;
    const waits = read(request_id, { wait: 30, state_version: 1 }, { session });
    await isWaiting();
    await service.call('DELETE', '/v1/merchant-sessions/current', { session });
    expect((await waits).status).toBe(401);
  });
});
