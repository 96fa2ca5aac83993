import { createPrivateKey, sign as signBytes } from 'node:crypto';
import { ed25519PublicKey, encodeBase64Url, signSep7 } from '@payassent/protocol';
import { parseDomainName } from '../../lib/domain-name/index.ts';
import type { Keys } from '../../lib/keys.ts';
import { createMemory } from '../../lib/memory.ts';

/** Each is read again and again by a wallet that waits; at most 4 MiB in all. */
const MAX_REMEMBERED = 4096;

/** SEP-7 asks for a fully qualified name, whose key wallets find at the usual port of https; otherwise there is none. */
function originDomain(baseUrl: string): string | undefined {
  const { protocol, hostname, port } = new URL(baseUrl);
  const name = parseDomainName(hostname);
  return protocol === 'https:' && port === '' && name.ok ? name.domain : undefined;
}

/**
 * Signs links for Stellar wallets, so that they show which domain a link is from. The key signs nothing else, and moves
 * no money: the standard sets these signatures apart from those of transactions.
 */
export interface LinkSigner {
  publicKey: Uint8Array;
  /** The link as it is handed out. */
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
