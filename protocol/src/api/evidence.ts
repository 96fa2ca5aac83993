import { EvidenceBundleSchema } from '../records/evidence-bundle.ts';
import { operations } from './operation.ts';
import { ConnectionQuery } from './payment-requests.ts';

const operation = operations({ tag: 'Payment requests', credential: ['connection', 'wallet', 'merchant'] });

const description =
  'The document itself, without an envelope; `verifyEvidence` verifies it. Once the payment is over and in the log, it is the same bytes each time.';

export const getPaymentRequestEvidence = operation(
  'getPaymentRequestEvidence',
  'GET /v1/payment-requests/{id}/evidence',
  {
    sdk: ['MerchantPaymentRequests.evidence', 'WalletPaymentRequests.evidence'],
    summary: 'Read everything that proves the outcome of a request',
    description,
    scope: 'payment.requests.read',
    query: ConnectionQuery,
    isBare: true,
    answer: EvidenceBundleSchema,
    errors: ['ambiguous_request_id'],
  },
);

export const getAgentPaymentEvidence = operation(
  'getAgentPaymentEvidence',
  'GET /v1/agent-payments/{id}/evidence',
  {
    sdk: ['AgentPayments.evidence', 'ConnectionAgentPayments.evidence'],
    summary: 'Read everything that proves the outcome of a payment',
    description,
    tag: 'Agent payments',
    credential: ['connection', 'api_key', 'admin', 'merchant', 'wallet'],
    scope: 'payment.requests.read',
    isBare: true,
    answer: EvidenceBundleSchema,
    errors: ['phase_0_mainnet_disabled'],
  },
);
