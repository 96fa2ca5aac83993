import type { ConnectionQuery, EvidenceBundle } from '../contract.ts';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { getPaymentRequestEvidence } from '../operations.ts';

/** Reads the evidence of one request with whatever credential the client has. */
export function readEvidence(
  api: Api,
  requestId: string,
  query: ConnectionQuery,
  options: CallOptions,
): Promise<EvidenceBundle> {
  return api.call(getPaymentRequestEvidence, { params: { id: requestId }, query }, options);
}
