import { networkRow, paymentUri } from '@payassent/protocol';
import type { AgentPayment, PaymentRequest } from '@payassent/protocol/records';
import type { LinkSigner } from './link-key.ts';

type Facts = Pick<
  AgentPayment,
  'network' | 'asset' | 'amount' | 'to' | 'memo' | 'contract' | 'issuer' | 'decimals'
>;
type Name = Pick<PaymentRequest, 'request_id' | 'connection_id'>;

/** They depend on the configuration, so the service adds them to what the database wrote. */
export interface Links {
  /** What links for Stellar wallets are signed with, where the service has a domain. */
  signingKey: Uint8Array | undefined;
  /** Where the person decides: agents and organizations pass it on. */
  review(name: Name): { review_url: string; wallet_uri: string };
  /** The payment for another wallet; null where no standard can say every fact. Agents do not pay. */
  payment(facts: Facts): string | null;
}

export function createLinks(baseUrl: string, signer?: LinkSigner): Links {
  const origin = encodeURIComponent(baseUrl);
  return {
    signingKey: signer?.publicKey,
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
      if (uri === undefined) return null;
      return signer ? signer.sign(uri) : uri;
    },
  };
}
