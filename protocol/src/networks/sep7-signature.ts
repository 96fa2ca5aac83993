import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { decodeStrKey } from '../addresses/stellar.ts';
import { encodeBase64 } from '../encoding/base64.ts';
import { parseSignature, verifyEd25519Strict } from '../proofs/ed25519.ts';

/** A signed SEP-7 link names its origin domain; the domain publishes the key in its `stellar.toml`. */
const SIGNED = /^(web\+stellar:[^#]*&origin_domain=([a-z0-9.-]{1,253}))&signature=([^&]*)$/;
/** 35 zero bytes and a four set these signatures apart from those of transactions. */
const PREFIX = concatBytes(new Uint8Array(35), Uint8Array.of(4), utf8ToBytes('stellar.sep.7 - URI Scheme'));

/** The link from a domain, signed with the domain's `URI_REQUEST_SIGNING_KEY`. */
export function signSep7(
  uri: string,
  originDomain: string,
  sign: (message: Uint8Array) => Uint8Array,
): string {
  const named = `${uri}&origin_domain=${originDomain}`;
  const signature = encodeBase64(sign(messageOf(named)));
  return `${named}&signature=${encodeURIComponent(signature)}`;
}

/**
 * The link without its signature, and the domain it is from; undefined unless `keyOf` the domain, a G… address, signed
 * exactly this text.
 */
export function verifySep7(
  uri: string,
  keyOf: (domain: string) => string | undefined,
): { uri: string; originDomain: string } | undefined {
  const [, named = '', originDomain = '', encoded = ''] = SIGNED.exec(uri) ?? [];
  const key = decodeStrKey('account', (originDomain && keyOf(originDomain)) || '');
  const signature = parseSignature(decoded(encoded));
  if (key === undefined || signature === undefined) return undefined;
  if (!verifyEd25519Strict(key, messageOf(named), signature)) return undefined;
  return { uri: named.slice(0, named.lastIndexOf('&origin_domain=')), originDomain };
}

const messageOf = (uri: string): Uint8Array => concatBytes(PREFIX, utf8ToBytes(uri));

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
