import type { PaymentRequest, PaymentRequestEvent } from '@payassent/sdk';
import { listing, partyName, plain } from './output.ts';

/** A request in a few lines. */
export function describeRequest(request: PaymentRequest): string {
  const { payment, payee } = request;
  return listing([
    ['Request', plain(request.request_id)],
    [
      'Status',
      request.status + (request.status === 'pending' ? ' (the user is asked; nothing is paid)' : ''),
    ],
    ['Amount', `${payment.amount} ${plain(payment.asset)} on ${payment.network}`],
    ['To', `${partyName(payee.name)} (${plain(payee.domain)})`],
    ['Reason', request.reason ? plain(request.reason) : undefined],
    ['Transaction', request.tx_hash ? plain(request.tx_hash) : undefined],
    ['On chain', request.tx_hash ? (request.settlement?.state ?? 'not checked') : undefined],
    [request.is_final ? 'Ended' : 'Expires', request.is_final ? request.updated_at : request.expires_at],
  ]);
}

/** A status event in a line. */
export function describeEvent(event: PaymentRequestEvent): string {
  const { sequence, occurred_at, request_id, previous_status, status, tx_hash, reason, settlement_state } =
    event;
  const more = [tx_hash && `tx ${plain(tx_hash)}`, reason && `reason ${plain(reason)}`].filter(Boolean);
  const change = settlement_state ? `on chain: ${plain(settlement_state)}` : `${previous_status} → ${status}`;
  return [`#${sequence}`, occurred_at, plain(request_id), change, ...more].join('  ');
}
