import { activePolicy, autonomy, pay, report as reportPayment } from '@payassent/proof/people/autonomy';
import { succeed } from '@payassent/proof/people/merchants';
import { stellarAddress } from '@payassent/proof/people/payees';
import { paymentStage, pendingRequest, report } from '@payassent/proof/people/payments';
import { deviceOf } from '@payassent/proof/people/wallets';
import type { Body } from '@payassent/proof/service/client';
import { secondService } from '@payassent/proof/service/second-service';
import { startService, type TestService } from '@payassent/proof/service/service';
import { parsePaymentUri, verifySep7 } from '@payassent/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

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

const getter = (start: string) => (path: string, sent: object) =>
  succeed(service.call('GET', `${start}${path}`, sent));

describe('the payment as a link', () => {
  it('is on requests that a wallet reads or reports on, carries the pinned details, and is on no others', async () => {
    const stage = await paymentStage(service);
    const made = await pendingRequest(service, stage);
    const device = deviceOf(stage.device);
    const get = getter('/v1/payment-requests');
    const one = (await get(`/${made.request_id}`, { device })).body.payment_request;
    const [listed] = (await get('', { device })).body.payment_requests;
    const waited = (await get('', { device, query: { wait: 1 } })).body.payment_requests;
    const signed = await succeed(report(service, stage, made.request_id, { status: 'signed' }));
    const again = await succeed(report(service, stage, made.request_id, { status: 'signed' }));
    expect(parsePaymentUri(one.payment_uri)).toMatchObject(told(one.payment));
    for (const record of [listed, waited[0], signed.body.payment_request, again.body.payment_request])
      expect(record.payment_uri).toBe(one.payment_uri);
    for (const sent of [{ bearer: stage.connectionToken }, { session: stage.merchant.session }]) {
      expect((await get(`/${made.request_id}`, sent)).body.payment_request).not.toHaveProperty('payment_uri');
      expect((await get('', sent)).body.payment_requests[0]).not.toHaveProperty('payment_uri');
    }
  });

  it('is on agent payments that a wallet reads or reports on, and on no others', async () => {
    const user = await autonomy(service);
    await activePolicy(service, user);
    const { id } = (await succeed(pay(service, user, '1'))).body.data;
    const get = getter('/v1/agent-payments');
    const one = (await get(`/${id}`, { device: deviceOf(user.device) })).body.data;
    const [listed] = (await get('', { device: deviceOf(user.device) })).body.data.items;
    const signed = await succeed(reportPayment(service, user, id, 'signed'));
    expect(parsePaymentUri(one.payment_uri)).toMatchObject(told(one));
    for (const record of [listed, signed.body.data]) expect(record.payment_uri).toBe(one.payment_uri);
    for (const sent of [{ apiKey: user.apiKey }, { bearer: user.admin }])
      expect((await get(`/${id}`, sent)).body.data).not.toHaveProperty('payment_uri');
  });
});

describe('a link for Stellar wallets', () => {
  const TOML = '/.well-known/stellar.toml';
  let linkFrom: (at: Pick<TestService, 'call'>) => Promise<Body>;
  beforeAll(async () => {
    const stage = await paymentStage(service);
    const { request_id } = await pendingRequest(service, stage);
    const device = deviceOf(stage.device);
    linkFrom = async (at) =>
      (await succeed(at.call('GET', `/v1/payment-requests/${request_id}`, { device }))).body.payment_request;
  });

  it('is signed with the key that the domain of the service publishes, and verifies only unchanged', async () => {
    const named = await secondService(service, service.clock, { SVC_BASE_URL: 'https://pay.example' });
    const published = await named.call('GET', TOML);
    expect(published.headers.get('access-control-allow-origin')).toBe('*');
    const [, key = ''] = /^URI_REQUEST_SIGNING_KEY="(G[A-Z2-7]{55})"$/m.exec(published.text) ?? [];
    const keyOf = (domain: string) => (domain === 'pay.example' ? key : undefined);
    const { payment_uri: uri, payment } = await linkFrom(named);
    const verified = verifySep7(uri, keyOf);
    expect(verified?.originDomain).toBe('pay.example');
    expect(parsePaymentUri(verified?.uri ?? '')).toMatchObject(told(payment));
    expect((await linkFrom(named)).payment_uri).toBe(uri);
    const changes = [
      uri.replace('amount=', 'amount=1'),
      uri.replace(payment.to, stellarAddress()),
      uri.replace('pay.example', 'pay.examples'),
    ];
    for (const changed of changes) {
      expect(changed).not.toBe(uri);
      expect(verifySep7(changed, () => key)).toBeUndefined();
    }
  });

  it('is not signed for an agent payment, to a bare address or to a verified payee', async () => {
    const named = await secondService(service, service.clock, { SVC_BASE_URL: 'https://pay.example' });
    const [, key] =
      /^URI_REQUEST_SIGNING_KEY="(G[A-Z2-7]{55})"$/m.exec((await named.call('GET', TOML)).text) ?? [];
    const user = await autonomy(service);
    const device = deviceOf(user.device);
    for (const payee of [{ to: stellarAddress(), recipient_id: undefined }, {}]) {
      const asked = { initiated_by: 'human', ...payee };
      const { id } = (await succeed(pay(service, user, '1', asked, { bearer: user.admin }))).body.data;
      const path = `/v1/agent-payments/${id}`;
      const one = (await succeed(named.call('GET', path, { device }))).body.data;
      const list = (await succeed(named.call('GET', '/v1/agent-payments', { device }))).body.data;
      const moved = await succeed(
        named.call('POST', `${path}/status`, { device, body: { status: 'rejected' } }),
      );
      for (const { payment_uri: uri } of [one, list.items[0], moved.body.data]) {
        expect(parsePaymentUri(uri)).toMatchObject(told(one));
        expect(uri).not.toMatch(/signature|origin_domain/);
        expect(verifySep7(uri, () => key)).toBeUndefined();
      }
    }
  });

  it.each([
    ['a loopback address', {}],
    ['a name without a domain', { SVC_BASE_URL: 'https://payments' }],
    ['an address', { SVC_BASE_URL: 'https://192.0.2.7' }],
    ['another port', { SVC_BASE_URL: 'https://pay.example:8443' }],
  ])('is not signed, and no key is published, under %s', async (_, env) => {
    const other = await secondService(service, service.clock, env);
    const { payment_uri: uri, payment } = await linkFrom(other);
    expect(parsePaymentUri(uri)).toMatchObject(told(payment));
    expect((await other.call('GET', TOML)).status).toBe(404);
  });
});

describe('the links to the person', () => {
  it('are on requests that the agent and the organization read, whatever the id is, and not on the wallet’s', async () => {
    const stage = await paymentStage(service);
    for (const id of [undefined, 'order 7/ä"\\\'&?#%","connection_id":"con_x"']) {
      const named = id === undefined ? {} : { request_id: id };
      const made = await pendingRequest(service, stage, named);
      const name = encodeURIComponent(made.request_id);
      const connection = stage.connectionId;
      const origin = encodeURIComponent(service.url);
      const links = {
        review_url: `${service.url}/wallet/requests/${name}?connection=${connection}`,
        wallet_uri: `svc://request?id=${name}&connection=${connection}&origin=${origin}`,
      };
      expect(made).toMatchObject(links);
      const get = getter('/v1/payment-requests');
      for (const sent of [{ bearer: stage.connectionToken }, { session: stage.merchant.session }])
        for (const query of [{}, { wait: 1 }]) {
          const read = await get(`/${name}`, { ...sent, query });
          const seen = { ...made, ...links, ...('session' in sent ? { created_with: 'own_token' } : {}) };
          expect(read.body.payment_request).toEqual(seen);
          expect((await get('', sent)).body.payment_requests[0]).toEqual(seen);
        }
      const own = (await get(`/${name}`, { device: deviceOf(stage.device) })).body.payment_request;
      expect(Object.keys(own)).not.toEqual(expect.arrayContaining(['review_url']));
      expect(Object.keys(own)).not.toEqual(expect.arrayContaining(['wallet_uri']));
      const withdrawn = await succeed(
        service.call('POST', `/v1/payment-requests/${name}/withdraw`, { bearer: stage.connectionToken }),
      );
      expect(withdrawn.body.payment_request).toMatchObject(links);
    }
  });
});
