import { type AgentPayment, networkRow, type PaymentRequest, paymentUri } from '@payassent/protocol';

type Facts = Pick<
  AgentPayment,
  'network' | 'asset' | 'amount' | 'to' | 'memo' | 'contract' | 'issuer' | 'decimals'
>;

/** The payment as a link for another wallet; null where no standard can say every fact. */
function linkOf({ network, to: address, decimals, ...facts }: Facts): string | null {
  return (
    paymentUri(network, { ...facts, address, decimals: decimals ?? networkRow(network).decimals }) ?? null
  );
}

/** What wallets read carries it; agents do not pay. */
export const requestWithLink = (request: PaymentRequest): PaymentRequest => ({
  ...request,
  payment_uri: linkOf(request.payment),
});

export const paymentWithLink = (payment: AgentPayment): AgentPayment => ({
  ...payment,
  payment_uri: linkOf(payment),
});
