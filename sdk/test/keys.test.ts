import { createPrivateKey, generateKeyPairSync, verify } from 'node:crypto';
import { decodeBase64Url } from '@payassent/protocol';
import {
  type AgentKey,
  agentKeyFromCryptoKeys,
  agentKeyFromPem,
  agentKeyFromSeed,
  generateAgentKey,
} from '@payassent/sdk';
import { describe, expect, it } from 'vitest';

const message = new TextEncoder().encode('exactly these bytes');

async function verifies(key: AgentKey): Promise<boolean> {
  const publicKey = createPublic(key.publicKey);
  return verify(null, message, publicKey, await key.sign(message));
}

function createPublic(x: string) {
  return { key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' } as const;
}

describe('agent keys', () => {
  it('sign so that another implementation verifies, whatever they are read from', async () => {
    const generated = generateAgentKey();
    const node = generateKeyPairSync('ed25519');
    const pem = node.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
    const pair = (await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify'])) as CryptoKeyPair;
    const keys = [
      generated,
      agentKeyFromSeed(generated.seed),
      agentKeyFromSeed(decodeBase64Url(generated.seed) ?? new Uint8Array()),
      agentKeyFromPem(pem),
      await agentKeyFromCryptoKeys(pair),
    ];
    for (const key of keys) expect(await verifies(key)).toBe(true);
    expect(keys[1]?.publicKey).toBe(generated.publicKey);
    expect(keys[3]?.publicKey).toBe(node.publicKey.export({ format: 'jwk' }).x);
  });

  it('sign alike where the runtime has no built-in Ed25519', async () => {
    const seed = new Uint8Array(32).fill(7);
    const native = await agentKeyFromSeed(seed).sign(message);
    const { subtle } = globalThis.crypto;
    const { importKey } = subtle;
    subtle.importKey = () => Promise.reject(new DOMException('no Ed25519', 'NotSupportedError'));
    try {
      expect(await agentKeyFromSeed(seed).sign(message)).toEqual(native);
    } finally {
      subtle.importKey = importKey;
    }
  });

  it('keep their seed when the bytes they were made from change', async () => {
    const bytes = new Uint8Array(32).fill(3);
    const key = agentKeyFromSeed(bytes);
    bytes.fill(0);
    expect(await verifies(key)).toBe(true);
  });

  it('refuse what is no Ed25519 key, without repeating it', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const wrongPem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
    const publicPem = generateKeyPairSync('ed25519')
      .publicKey.export({ format: 'pem', type: 'spki' })
      .toString();
    for (const pem of [wrongPem, publicPem, 'hello'])
      expect(() => agentKeyFromPem(pem)).toThrow('This is not an Ed25519 private key in PKCS #8 PEM form');
    for (const seed of ['c2hvcnQ', new Uint8Array(31), new Uint8Array(64)])
      expect(() => agentKeyFromSeed(seed)).toThrow('An Ed25519 seed has exactly 32 bytes');
    expect(createPrivateKey(wrongPem).asymmetricKeyType).toBe('ec');
  });
});
