import { decodeAnyBase64, ed25519PublicKey, encodeBase64Url, signEd25519 } from '@payassent/protocol';
import { needObject } from '../core/checks.ts';

/**
 * An agent's Ed25519 key. The SDK needs signatures and the public half, never the private one, so a key in an HSM or a
 * key service fits as well as one in memory.
 */
export interface AgentKey {
  /** The 32 bytes of the public key as base64url: what is registered as `public_key`. */
  readonly publicKey: string;
  /** The 64 bytes of an Ed25519 signature over exactly these bytes. */
  sign(message: Uint8Array): Promise<Uint8Array> | Uint8Array;
}

/** A new key and the seed to store. */
export interface GeneratedAgentKey extends AgentKey {
  /** The private key: 32 bytes as base64url. Keep it in a secret store; `agentKeyFromSeed` reads it again. */
  readonly seed: string;
}

/** `CryptoKey`, under the name by which every runtime's types know it: browsers, Node and workers declare it apart. */
export type WebCryptoKey = Parameters<typeof globalThis.crypto.subtle.sign>[1];

const SEED_LENGTH = 32;
/** PKCS #8 around an Ed25519 seed (RFC 8410): everything before the 32 bytes is constant. */
const PKCS8_HEAD = Uint8Array.of(48, 46, 2, 1, 0, 48, 5, 6, 3, 43, 101, 112, 4, 34, 4, 32);

/**
 * Makes a key on this machine.
 *
 * @example
 * ```ts
 * const { seed, publicKey } = generateAgentKey();
 * ```
 */
export function generateAgentKey(
  randomBytes: (length: number) => Uint8Array = (length) =>
    globalThis.crypto.getRandomValues(new Uint8Array(length)),
): GeneratedAgentKey {
  const seed = randomBytes(SEED_LENGTH);
  const { publicKey, sign } = agentKeyFromSeed(seed);
  return keepPrivate({ publicKey, sign }, encodeBase64Url(seed));
}

/**
 * Reads a key from its 32-byte seed, as bytes, base64url or base64.
 *
 * @example
 * ```ts
 * const key = agentKeyFromSeed(readFileSync('agent.key', 'utf8'));
 * ```
 */
export function agentKeyFromSeed(seed: Uint8Array | string): AgentKey {
  const bytes = typeof seed === 'string' ? decodeAnyBase64(seed.trim()) : Uint8Array.from(seed ?? []);
  if (bytes?.length !== SEED_LENGTH)
    throw new TypeError(
      'An Ed25519 seed has exactly 32 bytes: pass what was kept of generateAgentKey().seed',
    );
  let native: Promise<WebCryptoKey | undefined> | undefined;
  return {
    publicKey: encodeBase64Url(ed25519PublicKey(bytes)),
    async sign(message) {
      native ??= importNatively(bytes);
      const key = await native;
      return key ? signNatively(key, message) : signEd25519(message, bytes);
    },
  };
}

/** Reads a PKCS #8 PEM ("BEGIN PRIVATE KEY"), as OpenSSL and Node write it. */
export function agentKeyFromPem(pem: string): AgentKey {
  const encoded = /-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\s]+)-----END PRIVATE KEY-----/.exec(pem)?.[1];
  const bytes = encoded === undefined ? undefined : decodeAnyBase64(encoded.replace(/\s/g, ''));
  const isEd25519 =
    bytes !== undefined && bytes.length >= 48 && PKCS8_HEAD.every((byte, index) => bytes[index] === byte);
  if (!isEd25519) throw new TypeError('This is not an Ed25519 private key in PKCS #8 PEM form');
  return agentKeyFromSeed(bytes.subarray(PKCS8_HEAD.length, PKCS8_HEAD.length + SEED_LENGTH));
}

/** Uses a Web Crypto key pair; its private key may be non-extractable. */
export async function agentKeyFromCryptoKeys(pair: {
  publicKey: WebCryptoKey;
  privateKey: WebCryptoKey;
}): Promise<AgentKey> {
  needObject(
    pair?.publicKey,
    'Pass a key pair: { publicKey, privateKey } as crypto.subtle.generateKey makes it',
  );
  const raw = new Uint8Array(await globalThis.crypto.subtle.exportKey('raw', pair.publicKey));
  if (raw.length !== SEED_LENGTH) throw new TypeError('This is not an Ed25519 key pair');
  return {
    publicKey: encodeBase64Url(raw),
    sign: (message) => signNatively(pair.privateKey, message),
  };
}

/** A private key as text, or none at all, would only be noticed at the first signature. */
export function checkedAgentKey(key: AgentKey): void {
  if (typeof key?.publicKey !== 'string' || typeof key.sign !== 'function')
    throw new TypeError(
      'key must be a key that signs: agentKeyFromSeed(seed), agentKeyFromPem(pem) or generateAgentKey()',
    );
}

/** Undefined where the runtime lacks Ed25519; then the arithmetic of the protocol package signs. */
async function importNatively(seed: Uint8Array): Promise<WebCryptoKey | undefined> {
  try {
    const pkcs8 = Uint8Array.of(...PKCS8_HEAD, ...seed);
    return await globalThis.crypto.subtle.importKey('pkcs8', pkcs8, { name: 'Ed25519' }, false, ['sign']);
  } catch {
    return undefined;
  }
}

async function signNatively(key: WebCryptoKey, message: Uint8Array): Promise<Uint8Array> {
  const copy = Uint8Array.from(message);
  return new Uint8Array(await globalThis.crypto.subtle.sign({ name: 'Ed25519' }, key, copy));
}

/** The seed can be requested by name, but does not show when the object is printed, listed or serialised. */
function keepPrivate(key: AgentKey, seed: string): GeneratedAgentKey {
  return Object.defineProperty({ ...key, seed: '' }, 'seed', { get: () => seed, enumerable: false });
}
