import { networkRow, paymentUri } from '@payassent/protocol';
import type { AgentPayment, PaymentRequest } from '@payassent/protocol/records';

type Facts = Pick<
  AgentPayment,
  'network' | 'asset' | 'amount' | 'to' | 'memo' | 'contract' | 'issuer' | 'decimals'
>;
type Name = Pick<PaymentRequest, 'request_id' | 'connection_id'>;

/** They depend on the configuration, so the service adds them to what the database wrote. */
export interface Links {
  /** Where the person decides: agents and organizations pass it on. */
  review(name: Name): { review_url: string; wallet_uri: string };
  /** The payment for another wallet; null where no standard can say every fact. Agents do not pay. */
  payment(facts: Facts): string | null;
}

export function createLinks(baseUrl: string, signed = (uri: string) => uri): Links {
  const origin = encodeURIComponent(baseUrl);
  return {
    review({ request_id, connection_id }) {
      const id = encodeURIComponent(request_id);
      const connection = encodeURIComponent(connection_id);
      return {
        review_url: `${baseUrl}/wallet/requests/${id}?connection=${connection}`,
        wallet_uri: `svc://request?id=${id}&connection=${connection}&origin=${origin}`,
      };
    },
    payment({ network, to: address, decimals, ...facts }) {
      const input = { ...facts, address, decimals: decimals ?? networkRow(network).decimals };
      const uri = paymentUri(network, input);
      return uri === undefined ? null : signed(uri);
    },
  };
}
