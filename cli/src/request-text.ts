import type { PaymentRequest } from '@payassent/sdk';
import { listing, partyName, plain } from './output.ts';

/** A request in a few lines. */
export function describeRequest(request: PaymentRequest): string {
  const { payment, payee } = request;
  return listing([
    ['Request', plain(request.request_id)],
    [
      'Status',
      request.status + (request.status === 'pending' ? ' (the customer has to decide; nothing is paid)' : ''),
    ],
    ['Amount', `${payment.amount} ${plain(payment.asset)} on ${payment.network}`],
    ['To', `${partyName(payee.name)} (${plain(payee.domain)})`],
    ['Reason', request.reason ? plain(request.reason) : undefined],
    ['Transaction', request.tx_hash ? plain(request.tx_hash) : undefined],
    ['On chain', request.tx_hash ? (request.settlement?.state ?? 'not checked') : undefined],
    [request.is_final ? 'Ended' : 'Expires', request.is_final ? request.updated_at : request.expires_at],
  ]);
}
