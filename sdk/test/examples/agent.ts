import {
  AgentClient,
  agentKeyFromSeed,
  type ConnectionClient,
  isPayAssentError,
  outcome,
  standing,
} from '@payassent/sdk';
import { fileStore } from '@payassent/sdk/node';

/** What the agent of the examples knows. */
export interface AgentExample {
  baseUrl: string;
  agentId: string;
  kid: string;
  seed: string;
  connectKey: string;
  recipientId: string;
  folder: string;
}

export async function connectAgent(example: AgentExample): Promise<ConnectionClient> {
  const { baseUrl, agentId, kid, seed, connectKey, folder } = example;
  // #region connect
  // Keeps tokens and keys over restarts: without them the agent would be locked out, or request a payment twice.
  const store = fileStore(folder);
  const agent = new AgentClient({ baseUrl, agentId, kid, key: agentKeyFromSeed(seed), store });

  let connectionId = await store.get('connection of user 42');
  if (!connectionId) {
    // The user has minted a Connect Key in the wallet and approves the connection there.
    const { connection } = await agent.invitations.connect({
      connect_key: connectKey,
      requested_scopes: ['payment.requests.create', 'payment.requests.read'],
    });
    connectionId = connection.connection_id;
    await store.set('connection of user 42', connectionId);
  }
  const client = agent.connection({ connectionId });
  // #endregion
  return client;
}

export async function ask(client: ConnectionClient, recipientId: string, order: string): Promise<string> {
  // #region ask
  const { payment_request } = await client.paymentRequests.create(
    { recipient_id: recipientId, payment: { amount: '12.50' }, display: { title: 'Two tickets' } },
    // The name of the purchase: the same order is never requested twice.
    { intent: order },
  );
  // Created means that the customer is asked to decide, not that anything is paid.
  return payment_request.request_id;
  // #endregion
}

export async function waitFor(client: ConnectionClient, requestId: string): Promise<string> {
  // #region wait
  const request = await client.paymentRequests.waitForStatus(requestId, { timeoutMs: 60_000 });
  switch (outcome(request)) {
    case 'paid':
      // This is the wallet's report. Before you deliver something of value, check the transaction on the chain.
      return `paid with ${request.tx_hash}`;
    case 'not_paid':
      return `not paid: ${standing(request)}, ${request.reason}`;
    case 'waiting':
    case 'unknown':
      // Signed, and then silence: money may have moved. Never request a second payment.
      return 'check the chain';
  }
  // #endregion
}

export async function recover(work: () => Promise<string>): Promise<string> {
  // #region recover
  try {
    return await work();
  } catch (error) {
    if (!isPayAssentError(error)) throw error;
    switch (error.code) {
      case 'network_error':
      case 'timeout':
        // Perhaps it was stored. The same create with the same intent, or this key, finds it again.
        return `no response, may be stored: ${error.mayBeStored}, key ${error.idempotencyKey}`;
      case 'wait_timeout':
        return `still ${error.status}: wait again later`;
      case 'recipient_version_not_active':
        return `use version ${error.details.active_recipient_version_id}`;
      default:
        throw error;
    }
  }
  // #endregion
}
