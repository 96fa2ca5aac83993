import type { PaymentRequest } from '@payassent/sdk';

export function agentName(request: PaymentRequest): string {
  const name = request.source['agent_name'];
  return typeof name === 'string' ? name : '';
}
