import { createPublicKey, verify as verifyBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type World, wholeWorld } from '@payassent/proof/people/sdk';
import { startService, type TestService } from '@payassent/proof/service/service';
import { startHttpReceiver, type TestReceiver } from '@payassent/proof/surroundings/http-receiver';
import { formatWebhookSecret } from '@payassent/protocol';
import {
  fetchErrorCatalogue,
  fetchNetworks,
  isPayAssentError,
  type PublishedKeys,
  verifyWebhook,
} from '@payassent/sdk';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ask, connectAgent, recover, waitFor } from './examples/agent.ts';
import { nextRoute } from './examples/webhooks.ts';

let service: TestService;
let receiver: TestReceiver;
let world: World;
beforeAll(async () => {
  [service, receiver] = await Promise.all([startService(), startHttpReceiver()]);
  world = await wholeWorld(service);
});
afterAll(() => Promise.all([receiver.close(), service.close()]));

describe('the SDK', () => {
  it('reads the published error table', async () => {
    const { errors } = await fetchErrorCatalogue({ baseUrl: service.url });
    expect(errors.map(({ code }) => code)).toContain('idempotency_key_reused');
  });

  it('reads the networks, and the payees that the agent may request payments for', async () => {
    const { networks } = await fetchNetworks({ baseUrl: service.url });
    const { payees } = world.connection;
    const { recipientId } = world.payee;
    const { payee } = await payees.get(recipientId);
    const row = networks.find(({ network }) => network === payee.payment.network);
    expect(row).toMatchObject({ enabled: true, native_asset: payee.payment.asset });
    expect((await payees.list({ q: payee.domain })).payees).toEqual([payee]);
    for await (const each of payees.each({ limit: 1 })) expect(each).toEqual(payee);
  });
});

describe('webhooks of the real service', () => {
  it('verify, narrow by their type, and cannot be altered, aged or redirected', async () => {
    const { webhooks } = world.merchant;
    const made = await webhooks.create({ url: `${receiver.url}/hooks`, event_types: ['payment_request.*'] });
    const { webhook_endpoint, secret } = made;
    const id = webhook_endpoint.webhook_endpoint_id;
    receiver.script((request) => {
      const event = verifyWebhook({ body: request.body, headers: request.headers, secret });
      const body = event.type === 'webhook.verification' ? event.data.challenge : '';
      return { kind: 'answer', status: 200, body };
    });
    expect((await webhooks.verify(id)).webhook_endpoint.status).toBe('active');

    const input = { recipient_id: world.payee.recipientId, payment: { amount: '2' } };
    const { payment_request } = await world.connection.paymentRequests.create(input);
    await world.wallet.paymentRequests.reportStatus(payment_request.request_id, { status: 'signed' });
    const [, created, signed] = await receiver.waitForRequests(3);
    if (!created || !signed) throw new Error('two events were expected');
    const events = [created, signed].map((request) =>
      verifyWebhook({ body: request.body, headers: new Headers(request.headers), secret }),
    );
    const signedEvent = events.find(({ type }) => type === 'payment_request.signed');
    if (signedEvent?.type !== 'payment_request.signed') throw new Error('no signed event');
    expect(signedEvent.data.payment_request.request_id).toBe(payment_request.request_id);
    expect(signedEvent.data.previous_status).toBe('pending');

    const { headers, text } = signed;
    const reasons = [
      { body: text.replace('"2"', '"3"'), headers, secret },
      { body: text, headers: { ...headers, 'webhook-id': 'evt_other' }, secret },
      { body: text, headers, secret, now: Date.now() + 6 * 60_000 },
      { body: text, headers: {}, secret },
      { body: text, headers, secret: formatWebhookSecret(new Uint8Array(32)) },
      { body: text, headers, secret: 'not a secret' },
    ].map((attempt) => {
      try {
        return verifyWebhook(attempt).id;
      } catch (error) {
        return isPayAssentError(error) && error.code === 'webhook_invalid' ? error.reason : error;
      }
    });
    expect(reasons).toEqual([
      'signature_mismatch',
      'signature_mismatch',
      'timestamp_too_old',
      'header_missing',
      'signature_mismatch',
      'secret_malformed',
    ]);
  });

  it('are listed, sent again, and continue under both secrets of a rotation', async () => {
    const { webhooks } = world.merchant;
    const [endpoint] = (await webhooks.list()).webhook_endpoints;
    const id = endpoint?.webhook_endpoint_id ?? '';
    const rotated = await webhooks.rotateSecret(id);
    receiver.script(() => ({ kind: 'answer', status: 200 }));
    const before = receiver.requests.length;
    const delivered = await webhooks.deliveries.list({ webhook_endpoint_id: id, status: 'delivered' });
    const last = delivered.webhook_deliveries.find(({ event_type }) => event_type !== 'webhook.verification');
    const again = await webhooks.deliveries.redeliver(last?.delivery_id ?? '');
    expect(again.webhook_delivery.event_id).toBe(last?.event_id);
    const request = (await receiver.waitForRequests(before + 1)).at(-1);
    const { body, headers } = request ?? { body: '', headers: {} };
    expect(verifyWebhook({ body, headers, secret: rotated.secret }).id).toBe(last?.event_id);
    const { version } = (await webhooks.get(id)).webhook_endpoint;
    const disabled = await webhooks.update(id, { status: 'disabled', version });
    expect(disabled.webhook_endpoint.status).toBe('disabled');
    await webhooks.delete(id);
    expect((await webhooks.list()).webhook_endpoints).toEqual([]);
  });
});

/** What docs/SDK.md shows is what runs here. */
describe('the examples of the API page', () => {
  it('an agent connects, requests a payment, and learns that the customer approved', async () => {
    const { wallet, registered, payee } = world;
    const { connect_key: connectKey } = await wallet.connectKeys.create();
    const { agentId, kid, key } = registered;
    const folder = await mkdtemp(join(tmpdir(), 'svc-example-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const { recipientId } = payee;
    const example = { baseUrl: service.url, agentId, kid, seed: key.seed, connectKey, recipientId, folder };
    const pay = async () => {
      const client = await connectAgent(example);
      return waitFor(client, await ask(client, recipientId, 'order-1001'));
    };
    const told = recover(pay);
    const invitation = await untilFound(() => wallet.invitations.each({ status: 'pending_approval' }).next());
    await wallet.invitations.approve(invitation.connect_invitation_id);
    const request = await untilFound(() => wallet.paymentRequests.each({ status: 'pending' }).next());
    for (const status of ['signed', 'broadcasted', 'confirmed'] as const)
      await wallet.paymentRequests.reportStatus(request.request_id, { status, tx_hash: 'ab12' });
    expect(await told).toBe('paid with ab12');
    // Started again with the same folder: no second connection, no second request.
    expect(await recover(pay)).toBe('paid with ab12');
  });

  it('a receiver passes the verification, accepts what is signed and refuses what is not', async () => {
    const receiver = await startHttpReceiver();
    const { webhooks } = world.merchant;
    const { webhook_endpoint, secret } = await webhooks.create({ url: receiver.url });
    const handle = nextRoute(secret, () => undefined);
    receiver.script({ kind: 'answer', status: 500 });
    const id = webhook_endpoint.webhook_endpoint_id;
    await webhooks.verify(id).catch(() => undefined);
    const [sent] = await receiver.waitForRequests(1);
    await receiver.close();
    const request = (body: string) =>
      new Request('http://receiver.example/', { method: 'POST', headers: sent?.headers ?? {}, body });
    const accepted = await handle(request(sent?.text ?? ''));
    expect(accepted.status).toBe(200);
    expect(JSON.parse(sent?.text ?? '').data.challenge).toBe(await accepted.text());
    expect((await handle(request(`${sent?.text} `))).status).toBe(400);
  });
});

async function untilFound<T>(look: () => Promise<IteratorResult<T, void>>): Promise<T> {
  for (;;) {
    const found = await look();
    if (!found.done) return found.value;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

describe('messages of the real service', () => {
  it('verify with the published key of the service alone, in any library, but no challenge does', async () => {
    const { webhooks } = world.merchant;
    const { webhook_endpoint, secret } = await webhooks.create({ url: `${receiver.url}/keyed` });
    receiver.script((request) => ({
      kind: 'answer',
      status: 200,
      body: JSON.parse(request.text).data.challenge,
    }));
    const before = receiver.requests.length;
    await webhooks.verify(webhook_endpoint.webhook_endpoint_id);
    const { payment_request } = await world.connection.paymentRequests.create({
      recipient_id: world.payee.recipientId,
      payment: { amount: '3' },
    });
    const arrived = await receiver.waitForRequests(before + 2);
    const [challenge, event] = arrived.filter(({ path }) => path === '/keyed');
    if (!challenge || !event) throw new Error('a challenge and an event were expected');
    const keys: PublishedKeys = await (await fetch(`${service.url}/.well-known/svc-keys.json`)).json();

    const [{ public_key: x } = { public_key: '' }, ...others] = keys.keys.filter(
      ({ use }) => use === 'webhook',
    );
    expect(others).toEqual([]);
    const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    const {
      'webhook-id': id,
      'webhook-timestamp': time,
      'webhook-signature': signatures = '',
    } = event.headers;
    const [, made = ''] = /(?:^| )v1a,(\S+)/.exec(signatures) ?? [];
    const signed = Buffer.concat([Buffer.from(`${id}.${time}.`), event.body]);
    expect(verifyBytes(null, signed, publicKey, Buffer.from(made, 'base64'))).toBe(true);

    const { body, headers } = event;
    for (const proof of [
      { keys },
      { keys, secret },
      { secret },
      { keys, secret: formatWebhookSecret(new Uint8Array(32)) },
    ])
      expect(verifyWebhook({ body, headers, ...proof })).toMatchObject({
        data: { payment_request: { request_id: payment_request.request_id } },
      });
    const reasonOf = (incoming: Parameters<typeof verifyWebhook>[0]) => {
      try {
        return verifyWebhook(incoming).id;
      } catch (error) {
        return isPayAssentError(error) && error.code === 'webhook_invalid' ? error.reason : error;
      }
    };
    expect(reasonOf({ body: event.text.replace('"3"', '"4"'), headers, keys })).toBe('signature_mismatch');
    const retired = keys.keys.map((key) => ({ ...key, retired_at: '2026-01-01T00:00:00.000Z' }));
    const madeEarlier = retired.map((key) => ({ ...key, created_at: '2025-01-01T00:00:00.000Z' }));
    expect(reasonOf({ body, headers, keys: { keys: madeEarlier } })).toBe('signature_mismatch');
    const { body: asked, headers: askedHeaders } = challenge;
    expect(reasonOf({ body: asked, headers: askedHeaders, keys })).toBe('challenge_needs_secret');
    expect(verifyWebhook({ body: asked, headers: askedHeaders, keys, secret }).type).toBe(
      'webhook.verification',
    );
    for (const wrong of [{ keys: [] }, { keys: keys.keys.filter(({ use }) => use !== 'webhook') }])
      expect(() => verifyWebhook({ body, headers, keys: wrong })).toThrow('svc-keys.json');
    await webhooks.delete(webhook_endpoint.webhook_endpoint_id);
  });
});
