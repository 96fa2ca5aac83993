import { allEvents, type PaymentStage, paymentStage, pendingRequest } from '@payassent/proof/people/payments';
import { connect, deviceOf } from '@payassent/proof/people/wallets';
import type { Received } from '@payassent/proof/service/client';
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
  return { ...stage, ...(await connect(service, stage.agent, stage.device)) };
}

describe('lists', () => {
  const idsOf = (received: Received) =>
    received.body.payment_requests.map((record: { request_id: string }) => record.request_id);

  it('an agent sees its connection, a merchant its organization, a wallet its connections, each nothing else', async () => {
    const own = await freshConnection();
    const other = await paymentStage(service);
    const [mine, theirs] = [await pendingRequest(service, own), await pendingRequest(service, other)];
    const list = (sent: object) => service.call('GET', '/v1/payment-requests', sent);
    expect(idsOf(await list({ bearer: own.connectionToken }))).toEqual([mine.request_id]);
    const merchants = await list({ session: stage.merchant.session, query: { limit: 100 } });
    expect(idsOf(merchants)).toContain(mine.request_id);
    expect(idsOf(merchants)).not.toContain(theirs.request_id);
    const shown = merchants.body.payment_requests.find(
      (record: { request_id: string }) => record.request_id === mine.request_id,
    );
    expect(shown.idempotency_key).toEqual(mine.idempotency_key);
    const wallets = await list({ device: deviceOf(own.device), query: { limit: 100 } });
    expect(idsOf(wallets)).toContain(mine.request_id);
    expect(idsOf(wallets)).not.toContain(theirs.request_id);
    expect(wallets.body.payment_requests[0]).not.toHaveProperty('idempotency_key');

    const read = (sent: object, id = theirs.request_id) =>
      service.call('GET', `/v1/payment-requests/${id}`, sent);
    for (const sent of [
      { bearer: own.connectionToken },
      { session: stage.merchant.session },
      { device: deviceOf(own.device) },
    ]) {
      const foreign = await read(sent);
      const absent = await read(sent, 'pr_nothing');
      expect(foreign.status).toBe(404);
      expect(foreign.text.replace(foreign.body.error.request_id, '')).toBe(
        absent.text.replace(absent.body.error.request_id, ''),
      );
      expect((await read(sent, mine.request_id)).status).toBe(200);
    }
    const elsewhere = { bearer: own.connectionToken, query: { connection_id: other.connectionId } };
    expect((await read(elsewhere, mine.request_id)).status).toBe(404);
    expect(idsOf(await list(elsewhere))).toEqual([]);
  });

  it('settle what they are about to show, and never show a pending request past its time', async () => {
    const own = await freshConnection();
    const late = await pendingRequest(service, own, {
      expires_at: new Date(service.clock.now().getTime() + 60_000).toISOString(),
    });
    const open = await pendingRequest(service, own);
    service.clock.advance(60_001);
    const list = (query: Record<string, string>) =>
      service.call('GET', '/v1/payment-requests', { bearer: own.connectionToken, query });
    const [pending, expired, all] = await Promise.all([
      list({ status: 'pending' }),
      list({ status: 'expired' }),
      list({}),
    ]);
    expect(idsOf(pending)).toEqual([open.request_id]);
    expect(idsOf(expired)).toEqual([late.request_id]);
    expect(all.body.payment_requests.map((record: { status: string }) => record.status)).toEqual([
      'pending',
      'expired',
    ]);
    expect((await allEvents(service, own)).map((event) => event.status)).toEqual(['expired']);
  });
});
