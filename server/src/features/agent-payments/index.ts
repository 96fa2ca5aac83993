import type { Engine } from '../../payments/index.ts';
import type { Feature } from '../feature.ts';
import { intentExpiryJob } from './job.ts';
import { paymentRoutes } from './routes.ts';

/**
 * Payment intents with authoritative status: an agent's within the customer's policy, a human's by the wallet's
 * approval.
 */
export const agentPaymentsFeature = (parts: { engine: Engine }): Feature => ({
  name: 'agent-payments',
  routes: paymentRoutes(parts),
  jobs: [intentExpiryJob],
});
