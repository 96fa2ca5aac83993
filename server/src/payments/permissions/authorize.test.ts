import { usableAgent } from '@payassent/proof/people/agents';
import { succeed } from '@payassent/proof/people/merchants';
import { activePayee, replacePayee } from '@payassent/proof/people/payees';
import {
  type PaymentStage,
  paymentStage,
  pendingRequest,
  pollRequests,
  postRequest,
  readRequest,
  report,
} from '@payassent/proof/people/payments';
import { connect, deviceOf, enrolDevice } from '@payassent/proof/people/wallets';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

/**
 * The hot routes check the credential inside their own statements. Each right is taken away right after it was used,
 * when everything cacheable is cached, and its loss must take effect immediately.
 */

let service: TestService;
let stage: PaymentStage;
let own: PaymentStage;
let requestId: string;
beforeAll(async () => {
  service = await startService();
  stage = await paymentStage(service);
});
afterAll(() => service.close());

beforeEach(async () => {
  const { merchant } = stage;
  const [agent, payee, device] = await Promise.all([
    usableAgent(service, merchant),
    activePayee(service, merchant),
    enrolDevice(service),
  ]);
  own = { ...stage, agent, payee, device, ...(await connect(service, agent, device)) };
  // Twice each: first uses take the slow path.
  await pendingRequest(service, own);
  requestId = (await pendingRequest(service, own)).request_id;
  await succeed(readRequest(service, own, requestId));
  await succeed(pollRequests(service, own));
});

const session = () => stage.merchant.session;
const countRequests = async () => {
  const rows = await service.db`select from payment_requests where connection_id = ${own.connectionId}`;
  return rows.length;
};

/** The current results of the agent's three hot routes. A rejected create leaves nothing behind. */
async function answers(): Promise<string[]> {
  const before = await countRequests();
  const received = [
    await postRequest(service, own),
    await readRequest(service, own, requestId),
    await pollRequests(service, own),
  ];
  expect(await countRequests()).toBe(before + (received[0]?.status === 201 ? 1 : 0));
  return received.map((answer) => answer.body.error?.code ?? `${answer.status}`);
}

const three = (code: string) => [code, code, code];
const connectionPath = () => `/v1/connections/${own.connectionId}`;
const agentPath = () => `/v1/agents/${own.agent.agentId}`;

describe('an agent that could a moment ago', () => {
  it('still can', async () => {
    expect(await answers()).toEqual(['201', '200', '200']);
  });

  it('cannot with a revoked connection', async () => {
    await succeed(service.call('DELETE', connectionPath(), { device: deviceOf(own.device) }));
    expect(await answers()).toEqual(three('token_revoked'));
  });

  it('cannot with a rotated token', async () => {
    await succeed(service.call('POST', `${connectionPath()}/rotate-token`, { device: deviceOf(own.device) }));
    expect(await answers()).toEqual(three('token_rotated'));
  });

  it('cannot create on a paused connection, but reads', async () => {
    const body = { status: 'paused' };
    await succeed(service.call('PATCH', connectionPath(), { device: deviceOf(own.device), body }));
    expect(await answers()).toEqual(['connection_paused', '200', '200']);
  });

  it('cannot while suspended, nor once revoked', async () => {
    const patch = (body: object) => succeed(service.call('PATCH', agentPath(), { session: session(), body }));
    const suspended = await patch({ status: 'suspended', version: own.agent.version });
    expect(await answers()).toEqual(three('agent_not_active'));
    const resumed = await patch({ status: 'active', version: suspended.body.agent.version });
    expect(await answers()).toEqual(['201', '200', '200']);
    await patch({ status: 'revoked', version: resumed.body.agent.version });
    expect(await answers()).toEqual(three('token_revoked'));
  });

  it('cannot without an active credential', async () => {
    const path = `${agentPath()}/credentials/${own.agent.credentialId}`;
    await succeed(service.call('DELETE', path, { session: session() }));
    expect(await answers()).toEqual(three('agent_not_active'));
  });

  it.each([
    ['payment.requests.create', ['201', 'insufficient_scope', 'insufficient_scope']],
    ['payment.requests.read', ['insufficient_scope', '200', '200']],
  ])('can only do what is left when its scopes are cut to %s', async (scope, expected) => {
    const body = { allowed_scopes: [scope], version: own.agent.version };
    await succeed(service.call('PATCH', agentPath(), { session: session(), body }));
    expect(await answers()).toEqual(expected);
  });

  it('can only do what the customer approved', async () => {
    const narrow = await connect(service, own.agent, own.device, ['payment.requests.read']);
    await pollRequests(service, narrow);
    const received = await postRequest(service, { ...own, ...narrow });
    expect(received.body.error.code).toBe('insufficient_scope');
  });

  it('is served the new version of its payee, never the remembered one', async () => {
    const replaced = await replacePayee(service, stage.merchant, own.payee);
    expect(await answers()).toEqual(['recipient_version_not_active', '200', '200']);
    const received = await postRequest(service, own, { recipient_version_id: undefined });
    expect(received.body.payment_request.payment.to).toBe(replaced.address);
  });

  it("cannot use another organization's payee, remembered or not", async () => {
    const other = await paymentStage(service);
    await pendingRequest(service, other);
    await pendingRequest(service, other);
    const received = await postRequest(service, { ...own, payee: other.payee });
    expect(received.body.error.code).toBe('resource_not_found');
  });
});

describe('a wallet that could a moment ago', () => {
  it('cannot report from a deleted device, nor with another device id', async () => {
    await succeed(report(service, own, requestId, { status: 'signed' }));
    const stranger = await enrolDevice(service);
    const mixed = { device_id: stranger.device_id, token: own.device.token };
    const received = await service.call('POST', `/v1/payment-requests/${requestId}/status`, {
      device: mixed,
      body: { status: 'broadcasted' },
    });
    expect([received.status, received.body.error.code]).toEqual([401, 'unauthenticated']);
    const link = await succeed(
      service.call('POST', '/v1/wallet-devices/link-codes', { device: deviceOf(own.device) }),
    );
    const second = await enrolDevice(service, { link_code: link.body.link_code });
    const path = `/v1/wallet-devices/${own.device.device_id}`;
    await succeed(service.call('DELETE', path, { device: deviceOf(second) }));
    const deleted = await report(service, own, requestId, { status: 'broadcasted' });
    expect([deleted.status, deleted.body.error.code]).toEqual([401, 'token_revoked']);
    const bearer = await service.call('POST', `/v1/payment-requests/${requestId}/status`, {
      bearer: second.token,
      body: { status: 'broadcasted', takeover: true },
    });
    expect(bearer.body.payment_request.status).toBe('broadcasted');
  });
});
