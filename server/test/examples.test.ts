import { usableAgent } from '@payassent/proof/people/agents';
import {
  type Autonomy,
  activePolicy,
  anotherUser,
  autonomy,
  draftPolicy,
  pay,
} from '@payassent/proof/people/autonomy';
import { succeed, uniqueEmail } from '@payassent/proof/people/merchants';
import { createPayee } from '@payassent/proof/people/payees';
import { agentToken, claim, connect, deviceOf, enrolDevice } from '@payassent/proof/people/wallets';
import type { Body, Sent } from '@payassent/proof/service/client';
import { startService, type TestService } from '@payassent/proof/service/service';
import * as api from '@payassent/protocol/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let service: TestService;
let world: Autonomy;
let connectionToken: string;
beforeAll(async () => {
  service = await startService();
  world = await autonomy(service);
  ({ connectionToken } = await connect(service, world.agent, world.device));
});
afterAll(() => service.close());

const post = (path: string, sent: Sent) => succeed(service.call('POST', path, sent)).then(({ body }) => body);
const asMerchant = (): Sent => ({ session: world.merchant.session });
const asWallet = (): Sent => ({ device: deviceOf(world.device) });

/** Where an example is sent, by whom, and which of its members become real. */
interface Stage {
  params?: Record<string, string>;
  sent?: Sent;
  real?: Record<string, unknown>;
}

async function newRecipient(): Promise<Stage> {
  const { recipient, recipient_version } = (await createPayee(service, world.merchant)).body;
  const { recipient_version_id } = recipient_version;
  const real = { recipient_version_id, source_id: world.merchant.domainId };
  return { params: { id: recipient.recipient_id }, sent: asMerchant(), real };
}

async function newPairing(): Promise<Stage> {
  const bearer = await agentToken(service, world.agent);
  const body = { requested_scopes: world.agent.allowedScopes };
  const { pairing_session } = await post('/v1/pairing/sessions', { bearer, body });
  const { pairing_session_id: id, code } = pairing_session;
  return { params: { id }, sent: asWallet(), real: { code } };
}

async function pendingAgent(): Promise<Stage> {
  const { agentId } = await usableAgent(service, world.merchant, { status: 'pending' });
  return { params: { agentId }, sent: asMerchant() };
}

async function newPolicy(sent: Sent): Promise<Stage> {
  const { id, version } = await draftPolicy(service, await anotherUser(service, world));
  return { params: { id }, sent, real: { version, recipient_id: world.payee.recipientId } };
}

const STAGES: Readonly<Record<string, () => Stage | Promise<Stage>>> = {
  requestSignInLink: () => ({}),
  enrolDevice: () => ({}),
  registerDomain: () => ({ sent: asMerchant() }),
  updateMerchant: async () => {
    const { body } = await service.call('GET', '/v1/merchants/current', asMerchant());
    return { sent: asMerchant(), real: { version: body.merchant.version } };
  },
  inviteOperator: () => ({ sent: asMerchant() }),
  changeOperator: async () => {
    const body = { email: uniqueEmail(), role: 'developer' };
    const { operator } = await post('/v1/merchant-operators', { ...asMerchant(), body });
    return { params: { id: operator.operator_id }, sent: asMerchant() };
  },
  createRecipient: () => ({ sent: asMerchant() }),
  addRecipientVersion: newRecipient,
  updateRecipient: newRecipient,
  verifyRecipientVersion: newRecipient,
  createAgent: () => ({ sent: asMerchant() }),
  updateAgent: pendingAgent,
  registerAgentCredential: pendingAgent,
  createWebhookEndpoint: () => ({ sent: asMerchant() }),
  updateWebhookEndpoint: async () => {
    const body = { url: 'https://shop.example/hooks' };
    const { webhook_endpoint } = await post('/v1/webhook-endpoints', { ...asMerchant(), body });
    return { params: { id: webhook_endpoint.webhook_endpoint_id }, sent: asMerchant() };
  },
  createApiKey: () => ({ sent: asMerchant(), real: { agent_id: world.agent.agentId } }),
  claimConnectKey: async () => {
    const { connect_key } = await post('/v1/connect-keys', asWallet());
    return { sent: { bearer: await agentToken(service, world.agent) }, real: { connect_key } };
  },
  approveConnectInvitation: async () => {
    const { invitationId } = await claim(service, world.agent, world.device);
    return { params: { id: invitationId }, sent: asWallet() };
  },
  createPairingSession: async () => ({ sent: { bearer: await agentToken(service, world.agent) } }),
  approvePairingSession: newPairing,
  rejectPairingSession: newPairing,
  updateConnection: async () => {
    const device = await enrolDevice(service);
    const { connectionId } = await connect(service, world.agent, device);
    return { params: { id: connectionId }, sent: { device: deviceOf(device) } };
  },
  postTransactionContext: () => ({ sent: { bearer: connectionToken } }),
  createPaymentRequest: () => ({
    sent: { bearer: connectionToken },
    real: { recipient_id: world.payee.recipientId },
  }),
  previewPaymentRequest: () => ({
    sent: { bearer: connectionToken },
    real: { recipient_id: world.payee.recipientId },
  }),
  reportPaymentRequestStatus: async () => {
    const body = {
      recipient_id: world.payee.recipientId,
      payment: { amount: '1' },
      policy: { requires_user_approval: true },
      request_id: 'to-be-rejected',
    };
    const { payment_request } = await post('/v1/payment-requests', { bearer: connectionToken, body });
    return { params: { id: payment_request.request_id }, sent: asWallet() };
  },
  createAutomationPolicy: () => ({
    sent: { apiKey: world.apiKey },
    real: { connection_id: world.connectionId },
  }),
  updateAutomationPolicy: () => newPolicy({ bearer: world.admin }),
  evaluateAutomationPolicy: () => newPolicy({ apiKey: world.apiKey }),
  createAgentPayment: async () => {
    const payer = await anotherUser(service, world);
    await activePolicy(service, payer);
    const real = { connection_id: payer.connectionId, recipient_id: world.payee.recipientId };
    return { sent: { apiKey: world.apiKey }, real };
  },
  reportAgentPaymentStatus: async () => {
    const payer = await anotherUser(service, world);
    await activePolicy(service, payer);
    const { id } = (await succeed(pay(service, payer, '1'))).body.data;
    return { params: { id }, sent: { device: deviceOf(payer.device) } };
  },
};

/** Their bodies are one-time secrets, signatures, keys of a browser, or versions of what a person has just seen. */
const WITHOUT_EXAMPLE = [
  'activateAgentCredential',
  'activateRecipientVersion',
  'cancelPasskey',
  'createMerchant',
  'createMerchantSession',
  'createRecoveryCode',
  'deleteDecisionKey',
  'deleteDevice',
  'exchangeAgentAssertion',
  'optInToAutomationPolicy',
  'registerPasskey',
  'resumeAutomationPolicy',
  'setDecisionKey',
  'setPushSubscription',
  'signInWithPasskey',
  'stepUp',
  'verifyEmail',
];

const operations = Object.values(api as Record<string, unknown>).filter(api.isOperation);

/** The example with the members that must name something real. */
function withReal(example: object, real: Record<string, unknown> = {}): Body {
  return Object.fromEntries(
    Object.entries(example).map(([name, value]) => [name, name in real ? real[name] : value]),
  );
}

describe('the examples of the OpenAPI document', () => {
  it.each(operations.flatMap((operation) => (operation.example ? [[operation.id, operation] as const] : [])))(
    '%s succeeds as it is published',
    async (id, operation) => {
      const { params = {}, sent = {}, real } = (await STAGES[id]?.()) ?? {};
      const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');
      const body = withReal(operation.example as object, real);
      const received = await service.call(operation.method, path, { ...sent, body });
      expect([received.status, received.body.error]).toEqual([operation.status ?? 200, undefined]);
    },
  );

  it('cover every body that a reader could send', () => {
    const silent = operations.filter(({ body, example }) => body && !example).map(({ id }) => id);
    expect(silent.toSorted()).toEqual(WITHOUT_EXAMPLE);
  });
});
