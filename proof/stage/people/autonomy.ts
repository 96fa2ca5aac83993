import { randomUUID } from 'node:crypto';
import type { Body, Received, Sent } from '../service/client.ts';
import { type TestAgent, usableAgent } from './agents.ts';
import { type MerchantSurroundings, succeed, type TestMerchant, verifiedMerchant } from './merchants.ts';
import { activePayee, type TestPayee } from './payees.ts';
import { connect, deviceOf, enrolDevice, type TestDevice, type WalletSurroundings } from './wallets.ts';

type Surroundings = MerchantSurroundings & WalletSurroundings;

/** Everybody whom the second surface knows, joined by one connection. */
export interface Autonomy {
  merchant: TestMerchant;
  payee: TestPayee;
  agent: TestAgent;
  device: TestDevice;
  connectionId: string;
  connectionToken: string;
  apiKey: string;
  apiKeyId: string;
  /** An admin session's bearer. */
  admin: string;
}

export async function autonomy(service: Surroundings, merchant?: TestMerchant): Promise<Autonomy> {
  const owner = merchant ?? (await verifiedMerchant(service));
  const { session } = owner;
  const [payee, agent, device] = await Promise.all([
    activePayee(service, owner),
    usableAgent(service, owner),
    enrolDevice(service),
  ]);
  const connection = await connect(service, agent, device);
  const key = await createKey(service, session, agent.agentId);
  const admin = await openAdminSession(service, session);
  return { merchant: owner, payee, agent, device, ...connection, admin, ...key };
}

/** The same merchant, agent and key with another user: a connection without policies or payments. */
export async function anotherUser(service: WalletSurroundings, world: Autonomy): Promise<Autonomy> {
  const device = await enrolDevice(service);
  const connection = await connect(service, world.agent, device);
  return { ...world, device, ...connection };
}

export async function createKey(
  service: Pick<Surroundings, 'call'>,
  session: TestMerchant['session'],
  agentId: string,
): Promise<{ apiKey: string; apiKeyId: string }> {
  const body = { name: 'Key', agent_id: agentId };
  const made = (await succeed(service.call('POST', '/v1/api-keys', { session, body }))).body;
  return { apiKey: made.api_key, apiKeyId: made.api_key_id };
}

export async function openAdminSession(
  service: Pick<Surroundings, 'call'>,
  session: TestMerchant['session'],
): Promise<string> {
  return (await succeed(service.call('POST', '/v1/admin-sessions', { session }))).body.session_token;
}

type Caller = Pick<Surroundings, 'call'>;

/** A window that is open now and stays so for a month. */
export function openWindow(now = new Date()): { from: string; until: string } {
  return {
    from: new Date(now.getTime() - 60_000).toISOString(),
    until: new Date(now.getTime() + 30 * 86_400_000).toISOString(),
  };
}

export function policyBody(world: Autonomy, overrides: Record<string, unknown> = {}): Body {
  return {
    connection_id: world.connectionId,
    network: 'stellar_testnet',
    asset: 'XLM',
    single_tx_limit: '10',
    cumulative_limit: '25',
    validity_window: openWindow(),
    allowlist: [{ recipient_id: world.payee.recipientId }],
    ...overrides,
  };
}

export async function draftPolicy(
  service: Caller,
  world: Autonomy,
  overrides: Record<string, unknown> = {},
): Promise<Body> {
  const body = policyBody(world, overrides);
  return (await succeed(service.call('POST', '/v1/automation-policies', { apiKey: world.apiKey, body }))).body
    .data;
}

export function optIn(service: Caller, world: Autonomy, policy: Body): Promise<Received> {
  const path = `/v1/automation-policies/${policy.id}/opt-in`;
  return service.call('POST', path, { device: deviceOf(world.device), body: { version: policy.version } });
}

export async function activePolicy(
  service: Caller,
  world: Autonomy,
  overrides: Record<string, unknown> = {},
): Promise<Body> {
  const policy = await draftPolicy(service, world, overrides);
  return (await succeed(optIn(service, world, policy))).body.data;
}

export function paymentBody(world: Autonomy, amount: string, overrides: Record<string, unknown> = {}): Body {
  return {
    connection_id: world.connectionId,
    network: 'stellar_testnet',
    asset: 'XLM',
    amount,
    recipient_id: world.payee.recipientId,
    ...overrides,
  };
}

/** An agent's intent with a fresh key, unless the test sends one. */
export function pay(
  service: Caller,
  world: Autonomy,
  amount: string,
  overrides: Record<string, unknown> = {},
  sent: Sent = { apiKey: world.apiKey },
): Promise<Received> {
  const body = paymentBody(world, amount, overrides);
  return service.call('POST', '/v1/agent-payments', { idempotencyKey: randomUUID(), ...sent, body });
}

export function report(
  service: Caller,
  world: Autonomy,
  paymentId: string,
  status: string,
  extra: Record<string, unknown> = {},
): Promise<Received> {
  const body = { status, ...extra };
  return service.call('POST', `/v1/agent-payments/${paymentId}/status`, {
    device: deviceOf(world.device),
    body,
  });
}

export async function readPolicy(service: Caller, world: Autonomy, policyId: string): Promise<Body> {
  const path = `/v1/automation-policies/${policyId}`;
  return (await succeed(service.call('GET', path, { apiKey: world.apiKey }))).body.data;
}

export async function usageOf(service: Caller, world: Autonomy, policyId: string): Promise<string> {
  const { spent, reserved, remaining } = (await readPolicy(service, world, policyId)).usage;
  return `spent ${spent}, reserved ${reserved}, remaining ${remaining}`;
}
