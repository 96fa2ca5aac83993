import { createPrivateKey, sign as signBytes } from 'node:crypto';
import { ed25519PublicKey, encodeBase64Url, networkRow, paymentUri, signSep7 } from '@payassent/protocol';
import type { AgentPayment, PaymentRequest } from '@payassent/protocol/records';
import { parseDomainName } from '../../lib/domain-name/index.ts';
import type { Keys } from '../../lib/keys.ts';
import { createMemory } from '../../lib/memory.ts';

type Facts = Pick<
  AgentPayment,
  'network' | 'asset' | 'amount' | 'to' | 'memo' | 'contract' | 'issuer' | 'decimals'
>;
type Name = Pick<PaymentRequest, 'request_id' | 'connection_id'>;
type Requested = Pick<PaymentRequest, 'payment' | 'payee' | 'created_with'>;

/** They depend on the configuration, so the service adds them to the database's text. */
export interface Links {
  /** The key that signs links for Stellar wallets, where the service has a domain. */
  signingKey: Uint8Array | undefined;
  /** The page where the person decides: agents and organizations pass it on. */
  review(name: Name): { review_url: string; wallet_uri: string };
  /**
   * The payment for another wallet; null where no standard can express every pinned detail. A signed link vouches for
   * the payee, so it is only for a verified one, and never for a request that the customer may have created.
   */
  request(record: Requested): string | null;
  /** The same for an agent payment: unsigned. */
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

/** Each is read again and again by a waiting wallet; at most 4 MiB in all. */
const MAX_REMEMBERED = 4096;

/**
 * SEP-7 requires a fully qualified name, whose key wallets find at the default port of https; otherwise there is none.
 */
function originDomain(baseUrl: string): string | undefined {
  const { protocol, hostname, port } = new URL(baseUrl);
  const name = parseDomainName(hostname);
  return protocol === 'https:' && port === '' && name.ok ? name.domain : undefined;
}

/**
 * Signs links for Stellar wallets, so that they show a link's domain. The key signs nothing else, and moves no money:
 * the standard separates these signatures from those of transactions.
 */
export interface LinkSigner {
  publicKey: Uint8Array;
  /** The link with its signature. */
  sign(uri: string): string;
}

/** Signed by the platform: 0.05 ms instead of one. */
export function createLinkSigner(baseUrl: string, keys: Keys): LinkSigner | undefined {
  const domain = originDomain(baseUrl);
  if (domain === undefined) return undefined;
  const seed = keys.mac('link-signing', keys.currentKeyId, 'ed25519');
  const publicKey = ed25519PublicKey(seed);
  const jwk = { kty: 'OKP', crv: 'Ed25519', d: encodeBase64Url(seed), x: encodeBase64Url(publicKey) };
  const key = createPrivateKey({ key: jwk, format: 'jwk' });
  const known = createMemory<string>(MAX_REMEMBERED);
  const sign = (uri: string) => {
    if (!uri.startsWith('web+stellar:')) return uri;
    const found = known.get(uri);
    if (found !== undefined) return found;
    const signed = signSep7(uri, domain, (message) => signBytes(null, message, key));
    known.set(uri, signed);
    return signed;
  };
  return { publicKey, sign };
}
