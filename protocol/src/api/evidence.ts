import { EvidenceBundleSchema } from '../records/evidence-bundle.ts';
import { operation } from './operation.ts';
import { ConnectionQuery } from './payment-requests.ts';

const description =
  'The document itself, without an envelope; `verifyEvidence` verifies it. Once the payment is over and in the log, it is the same bytes each time.';

export const getPaymentRequestEvidence = operation({
  id: 'getPaymentRequestEvidence',
  method: 'GET',
  path: '/v1/payment-requests/{id}/evidence',
  summary: 'Read everything that proves what became of a request',
  description,
  tag: 'Payment requests',
  credential: ['connection', 'wallet', 'merchant'],
  scope: 'payment.requests.read',
  limit: 'reads',
  query: ConnectionQuery,
  isBare: true,
  answer: EvidenceBundleSchema,
  errors: ['resource_not_found', 'ambiguous_request_id'],
});

export const getAgentPaymentEvidence = operation({
  id: 'getAgentPaymentEvidence',
  method: 'GET',
  path: '/v1/agent-payments/{id}/evidence',
  summary: 'Read everything that proves what became of a payment',
  description,
  tag: 'Agent payments',
  credential: ['connection', 'api_key', 'admin', 'merchant', 'wallet'],
  scope: 'payment.requests.read',
  limit: 'reads',
  isBare: true,
  answer: EvidenceBundleSchema,
  errors: ['resource_not_found', 'phase_0_mainnet_disabled'],
});
