import { parsePaymentUri } from '@payassent/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { activePolicy, autonomy, pay } from '../../../test/harness/autonomy.ts';
import { succeed } from '../../../test/harness/merchants.ts';
import { paymentStage, pendingRequest } from '../../../test/harness/payments.ts';
import { startService, type TestService } from '../../../test/harness/service.ts';
import { deviceOf } from '../../../test/harness/wallets.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

interface Facts {
  network: string;
  asset: string;
  amount: string;
  to: string;
}
const told = ({ network, asset, amount, to: address }: Facts) => ({ network, asset, amount, address });

describe('the payment as a link', () => {
  it('is on requests that a wallet reads, says the pinned facts, and is on nobody else’s', async () => {
    const stage = await paymentStage(service);
    const made = await pendingRequest(service, stage);
    const device = deviceOf(stage.device);
    const get = (path: string, sent: object) =>
      succeed(service.call('GET', `/v1/payment-requests${path}`, sent));
    const one = (await get(`/${made.request_id}`, { device })).body.payment_request;
    const [listed] = (await get('', { device })).body.payment_requests;
    expect(parsePaymentUri(one.payment_uri)).toMatchObject(told(one.payment));
    expect(listed.payment_uri).toBe(one.payment_uri);
    for (const sent of [{ bearer: stage.connectionToken }, { session: stage.merchant.session }]) {
      expect((await get(`/${made.request_id}`, sent)).body.payment_request).not.toHaveProperty('payment_uri');
      expect((await get('', sent)).body.payment_requests[0]).not.toHaveProperty('payment_uri');
    }
  });

  it('is on agent payments that a wallet reads, and on nobody else’s', async () => {
    const user = await autonomy(service);
    await activePolicy(service, user);
    const { id } = (await succeed(pay(service, user, '1'))).body.data;
    const get = (path: string, sent: object) =>
      succeed(service.call('GET', `/v1/agent-payments${path}`, sent));
    const one = (await get(`/${id}`, { device: deviceOf(user.device) })).body.data;
    const [listed] = (await get('', { device: deviceOf(user.device) })).body.data.items;
    expect(parsePaymentUri(one.payment_uri)).toMatchObject(told(one));
    expect(listed.payment_uri).toBe(one.payment_uri);
    for (const sent of [{ apiKey: user.apiKey }, { bearer: user.admin }])
      expect((await get(`/${id}`, sent)).body.data).not.toHaveProperty('payment_uri');
  });
});
