import type { CallOptions, WalletClient } from '@countersign/sdk';
import { PAGE, readAll, readUpTo } from '../lists/read-up-to.ts';
import { type Payment, paymentOfAgent, paymentOfRequest } from './payment.ts';

export interface Report {
  status: 'signed' | 'broadcasted' | 'confirmed' | 'failed' | 'rejected';
  txHash?: string | undefined;
  reasonCode?: string | undefined;
  reason?: string | undefined;
  /** This device reports on what another one has signed. */
  takeover?: true | undefined;
}

export async function readPayment(
  client: WalletClient,
  place: Pick<Payment, 'kind' | 'id' | 'connectionId'>,
): Promise<Payment> {
  if (place.kind === 'agent') return paymentOfAgent(await client.agentPayments.get(place.id));
  const query = { connection_id: place.connectionId };
  return paymentOfRequest((await client.paymentRequests.get(place.id, query)).payment_request);
}

export async function reportPayment(
  client: WalletClient,
  payment: Payment,
  report: Report,
): Promise<Payment> {
  const body = {
    status: report.status,
    ...(report.txHash === undefined ? {} : { tx_hash: report.txHash }),
    ...(report.reasonCode === undefined ? {} : { reason_code: report.reasonCode }),
    ...(report.reason === undefined || report.reason === '' ? {} : { reason: report.reason }),
    ...(report.takeover === undefined ? {} : { takeover: report.takeover }),
  };
  if (payment.kind === 'agent')
    return paymentOfAgent(await client.agentPayments.reportStatus(payment.id, body));
  const place = { connection_id: payment.connectionId };
  const answer = await client.paymentRequests.reportStatus(payment.id, { ...body, ...place });
  return paymentOfRequest(answer.payment_request);
}

/** Everything that waits for the user, oldest deadline first. */
export async function readWaiting(client: WalletClient, options: CallOptions): Promise<Payment[]> {
  const [requests, payments] = await Promise.all([
    readAll(client.paymentRequests.each({ status: 'pending', limit: PAGE }, options)),
    readAll(client.agentPayments.each({ status: 'intent_created', limit: PAGE }, options)),
  ]);
  return [...requests.map(paymentOfRequest), ...payments.map(paymentOfAgent)].sort((a, b) =>
    a.expiresAt.localeCompare(b.expiresAt),
  );
}

/** What was decided or is under way, newest first, however much waits before it. */
export async function readDecided(
  client: WalletClient,
  most: number,
  options: CallOptions,
): Promise<Payment[]> {
  const limit = Math.min(most, PAGE);
  const [requests, payments] = await Promise.all([
    readUpTo(most, client.paymentRequests.each({ limit }, options), ({ status }) => status !== 'pending'),
    readUpTo(
      most,
      client.agentPayments.each({ limit }, options),
      ({ status }) => status !== 'intent_created',
    ),
  ]);
  return [...requests.map(paymentOfRequest), ...payments.map(paymentOfAgent)]
    .sort(newestFirst)
    .slice(0, most);
}

function newestFirst(a: Payment, b: Payment): number {
  return b.createdAt.localeCompare(a.createdAt);
}
