import { networkRow, paymentUri } from '@payassent/protocol';
import type { AgentPayment, PaymentRequest } from '@payassent/protocol/records';
import type { LinkSigner } from './link-key.ts';

type Facts = Pick<
  AgentPayment,
  'network' | 'asset' | 'amount' | 'to' | 'memo' | 'contract' | 'issuer' | 'decimals'
>;
type Name = Pick<PaymentRequest, 'request_id' | 'connection_id'>;
type Requested = Pick<PaymentRequest, 'payment' | 'payee' | 'created_with'>;

/** They depend on the configuration, so the service adds them to what the database wrote. */
export interface Links {
  /** What links for Stellar wallets are signed with, where the service has a domain. */
  signingKey: Uint8Array | undefined;
  /** Where the person decides: agents and organizations pass it on. */
  review(name: Name): { review_url: string; wallet_uri: string };
  /**
   * The payment for another wallet; null where no standard can state every pinned detail. A signed link is the service's
   * word for the payee, so it is only for a verified one, and never for what the customer may have created.
   */
  request(record: Requested): string | null;
  /** The same of an agent payment: unsigned. */
  payment(facts: Facts): string | null;
}

export function createLinks(baseUrl: string, signer?: LinkSigner): Links {
  const origin = encodeURIComponent(baseUrl);
  const payment = ({ network, to: address, decimals, ...facts }: Facts) => {
    const input = { ...facts, address, decimals: decimals ?? networkRow(network).decimals };
    return paymentUri(network, input) ?? null;
  };
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
    request({ payment: facts, payee, created_with }) {
      const uri = payment(facts);
      const isSigned = payee.verified && created_with !== 'shared_token';
      return uri !== null && signer && isSigned ? signer.sign(uri) : uri;
    },
    payment,
  };
}
