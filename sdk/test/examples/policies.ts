import { AgentPaymentsClient, isApiError } from '@payassent/sdk';
import { fileStore } from '@payassent/sdk/node';

/** What the agent of the example knows. */
export interface PolicyExample {
  baseUrl: string;
  apiKey: string;
  connectionId: string;
  recipientId: string;
  folder: string;
}

export async function payWithinPolicy(example: PolicyExample, order: string): Promise<string> {
  const { baseUrl, apiKey, connectionId, recipientId, folder } = example;
  // #region policies
  const agent = new AgentPaymentsClient({ baseUrl, apiKey, store: fileStore(folder) });
  try {
    const payment = await agent.payments.create(
      {
        connection_id: connectionId,
        network: 'stellar_testnet',
        asset: 'XLM',
        amount: '5',
        recipient_id: recipientId,
      },
      { intent: order },
    );
    return `${payment.id} is ${payment.status}`;
  } catch (error) {
    // Above the limits that the user has agreed to, a person has to submit it.
    if (isApiError(error, 'HC_NC_5_HITL_REQUIRED'))
      return `a person decides: ${error.details.triggered_thresholds.join(', ')}`;
    throw error;
  }
  // #endregion
}
