import { randomUUID } from 'node:crypto';
import type { Body, Caller, Received, Sent } from '../service/client.ts';
import { type TestAgent, usableAgent } from './agents.ts';
import { type MerchantSurroundings, succeed, type TestMerchant, verifiedMerchant } from './merchants.ts';
import { activePayee, type TestPayee } from './payees.ts';
import { connect, deviceOf, enrolDevice, type TestConnection, type TestDevice } from './wallets.ts';

/** Everything a payment needs: who is paid, who requests it, who decides. */
export interface PaymentStage extends TestConnection {
  merchant: TestMerchant;
  payee: TestPayee;
  agent: TestAgent;
  device: TestDevice;
}

type Surroundings = MerchantSurroundings & { url: string; clock?: { now(): Date } };

/** Through the front door, from an email address to a connected agent. */
export async function paymentStage(
  service: Surroundings,
  options: { device?: TestDevice; merchant?: TestMerchant } = {},
): Promise<PaymentStage> {
  const merchant = options.merchant ?? (await verifiedMerchant(service));
  const [payee, agent, device] = await Promise.all([
    activePayee(service, merchant),
    usableAgent(service, merchant),
    options.device ?? enrolDevice(service),
  ]);
  return { merchant, payee, agent, device, ...(await connect(service, agent, device)) };
}

/** The smallest body that creates a request. */
export function paymentBody(stage: Pick<PaymentStage, 'payee'>, overrides: Record<string, unknown> = {}) {
  return {
    recipient_id: stage.payee.recipientId,
    recipient_version_id: stage.payee.recipientVersionId,
    payment: { amount: '12.50' },
    policy: { requires_user_approval: true },
    ...overrides,
  };
}

export function postRequest(
  service: { call: Caller },
  stage: PaymentStage,
  overrides: Record<string, unknown> = {},
  sent: Sent = {},
): Promise<Received> {
  return service.call('POST', '/v1/payment-requests', {
    bearer: stage.connectionToken,
    idempotencyKey: randomUUID(),
    body: paymentBody(stage, overrides),
    ...sent,
  });
}

/** A fresh pending request. */
export async function pendingRequest(
  service: { call: Caller },
  stage: PaymentStage,
  overrides: Record<string, unknown> = {},
): Promise<Body> {
  return (await succeed(postRequest(service, stage, overrides))).body.payment_request;
}

export function report(
  service: { call: Caller },
  stage: Pick<PaymentStage, 'device'>,
  requestId: string,
  body: Record<string, unknown>,
): Promise<Received> {
  return service.call('POST', `/v1/payment-requests/${encodeURIComponent(requestId)}/status`, {
    device: deviceOf(stage.device),
    body,
  });
}

export function readRequest(
  service: { call: Caller },
  stage: Pick<PaymentStage, 'connectionToken'>,
  requestId: string,
): Promise<Received> {
  return service.call('GET', `/v1/payment-requests/${encodeURIComponent(requestId)}`, {
    bearer: stage.connectionToken,
  });
}

export function pollRequests(
  service: { call: Caller },
  stage: Pick<PaymentStage, 'connectionToken'>,
  query: Record<string, string | number> = {},
): Promise<Received> {
  return service.call('GET', '/v1/payment-requests/events', { bearer: stage.connectionToken, query });
}

/** Every event of the connection, page by page. */
export async function allEvents(
  service: { call: Caller },
  stage: Pick<PaymentStage, 'connectionToken'>,
  limit = 500,
): Promise<Body[]> {
  const events: Body[] = [];
  let since = 0;
  for (;;) {
    const page = (await succeed(pollRequests(service, stage, { since, limit }))).body;
    events.push(...page.events);
    since = page.next_cursor;
    if (!page.has_more) return events;
  }
}

/** What every reader sees alike: links, and what it was created with, depend on who reads a record. */
export function withoutLinks(record: Body): Body {
  const { review_url: _, wallet_uri: __, payment_uri: ___, created_with: ____, ...rest } = record;
  return rest;
}
