import { AgentClient, agentKeyFromSeed, isApiError } from '@payassent/sdk';
import { fileStore } from '@payassent/sdk/node';

/** What the agent of the example knows. */
export interface AgentExample {
  baseUrl: string;
  agentId: string;
  kid: string;
  seed: string;
  connectKey: string;
  recipientId: string;
  folder: string;
}

export async function payWithApproval(example: AgentExample): Promise<string> {
  const { baseUrl, agentId, kid, seed, connectKey, recipientId, folder } = example;
  // #region agent
  // Keeps tokens and keys over restarts: without them the agent would be locked out, or ask twice.
  const store = fileStore(folder);
  const agent = new AgentClient({ baseUrl, agentId, kid, key: agentKeyFromSeed(seed), store });

  // The user has minted a Connect Key in the wallet and approves the connection there.
  const { client } = await agent.invitations.connect({
    connect_key: connectKey,
    requested_scopes: ['payment.requests.create', 'payment.requests.read'],
  });

  try {
    const { payment_request, idempotency_key } = await client.paymentRequests.create({
      recipient_id: recipientId,
      payment: { amount: '12.50' },
    });
    // Created means that the user is asked. Whether it was paid is what the status tells.
    const settled = await client.paymentRequests.waitForStatus(payment_request.request_id);
    return `${settled.status} (key ${idempotency_key})`;
  } catch (error) {
    if (isApiError(error) && error.code === 'recipient_version_not_active')
      return `use version ${error.details.active_recipient_version_id}`;
    throw error;
  }
  // #endregion
}
