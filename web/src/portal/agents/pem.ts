import { decodeBase64Url, encodeBase64 } from '@payassent/protocol';

/** PKCS #8 around an Ed25519 seed (RFC 8410): everything before the 32 bytes is constant. */
const PKCS8_HEAD = Uint8Array.of(48, 46, 2, 1, 0, 48, 5, 6, 3, 43, 101, 112, 4, 34, 4, 32);

/** The private key as OpenSSL, Node and the SDK's `agentKeyFromPem` read it. */
export function pemOf(seed: string): string {
  const bytes = decodeBase64Url(seed);
  if (bytes === undefined) throw new TypeError('The seed is not base64url.');
  return `-----BEGIN PRIVATE KEY-----\n${encodeBase64(Uint8Array.of(...PKCS8_HEAD, ...bytes))}\n-----END PRIVATE KEY-----\n`;
}

/** The name of the file in which the private half of this key is handed over. */
export function keyFileName(kid: string): string {
  return `${kid.replaceAll(/[^A-Za-z0-9._-]/g, '_')}.pem`;
}
