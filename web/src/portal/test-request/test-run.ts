import { networkRow } from '@payassent/protocol';
import {
  AgentClient,
  generateAgentKey,
  memoryStore,
  type PaymentRequest,
  type RecipientVersion,
  type Scope,
} from '@payassent/sdk';
import { testRequestTexts as texts } from '../../texts/portal/test-request.ts';
import { merchantClient } from '../client.ts';

const SCOPES: readonly Scope[] = ['payment.requests.create', 'payment.requests.read'];
/** Marks the one agent that these tests use again. */
const ENVIRONMENT = 'portal-test';
/** A page that was closed half-way leaves a key whose private half is gone; even that key soon expires. */
const KEY_LIFE_MS = 60 * 60_000;

export interface TestPayee {
  recipientId: string;
  version: RecipientVersion;
}

/** The first active payee on a test network, or null. */
export async function findTestPayee(signal: AbortSignal): Promise<TestPayee | null> {
  for await (const { recipient_id, status } of merchantClient.recipients.each({ limit: 100 }, { signal })) {
    if (status !== 'active') continue;
    const { recipient, recipient_versions } = await merchantClient.recipients.get(recipient_id, { signal });
    const version = recipient_versions.find(
      ({ recipient_version_id: id }) => id === recipient.active_version_id,
    );
    if (version !== undefined && networkRow(version.network).isTestnet)
      return { recipientId: recipient_id, version };
  }
  return null;
}

export interface TestRun {
  /** The code that opens the wallet. */
  code: string;
  /** Waits for the wallet, then requests the payment. */
  ask(payee: TestPayee, amount: string, signal: AbortSignal): Promise<PaymentRequest>;
  /** Revokes the key: nothing that this page held works any more. */
  end(): Promise<void>;
}

/**
 * A team member cannot request payments, so this page is an agent for one request: with a key that is generated here,
 * held in memory alone, and revoked as soon as the request exists.
 */
export async function startTest(): Promise<TestRun> {
  const agentId = await testAgent();
  const key = generateAgentKey();
  const kid = `test-${crypto.randomUUID()}`;
  const expires_at = new Date(Date.now() + KEY_LIFE_MS).toISOString();
  const { credential } = await merchantClient.agents.credentials.add(agentId, { kid, key, expires_at });
  const agent = new AgentClient({
    baseUrl: location.origin,
    allowInsecureHttp: true,
    agentId,
    kid,
    key,
    store: memoryStore(),
  });
  const end = async () => {
    await merchantClient.agents.credentials.revoke(agentId, credential.credential_id);
  };
  try {
    const { pairing_session } = await agent.pairing.start({ requested_scopes: SCOPES });
    return {
      code: pairing_session.code,
      async ask({ recipientId }, amount, signal) {
        const { client } = await agent.pairing.wait(pairing_session, { signal });
        const { payment_request } = await client.paymentRequests.create({
          recipient_id: recipientId,
          payment: { amount },
          display: { purpose: texts.purpose },
        });
        return payment_request;
      },
      end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}

async function testAgent(): Promise<string> {
  for await (const { agent_id, environment, status } of merchantClient.agents.each({ limit: 100 }))
    if (environment === ENVIRONMENT && status === 'active') return agent_id;
  const { agent } = await merchantClient.agents.create({
    name: texts.agentName,
    runtime: 'browser',
    environment: ENVIRONMENT,
    allowed_scopes: SCOPES,
  });
  await merchantClient.agents.update(agent.agent_id, { status: 'active', version: agent.version });
  return agent.agent_id;
}
