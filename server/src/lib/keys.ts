import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hash,
  hkdfSync,
  timingSafeEqual,
} from 'node:crypto';
import type { Random } from './random.ts';

/** The purpose of a derived key. A key is never used for two purposes. */
export type KeyPurpose =
  | 'connection-token'
  | 'csrf'
  | 'pairing-code'
  | 'webhook-secret'
  | 'mail-address'
  | 'rate-subject'
  | 'domain-challenge'
  | 'database-role'
  | 'evidence-signing'
  | 'log-signing'
  | 'webhook-signing'
  | 'link-signing'
  | 'push-signing'
  | 'push-subscription'
  | 'mcp-round'
  | 'doctor'
  | 'key-check';

export interface Sealed {
  keyId: string;
  /** nonce (12) ‖ tag (16) ‖ ciphertext */
  box: Buffer;
}

/**
 * One master key, from which every other key is derived. A key id is stored with everything encrypted or derived, so
 * that old values stay readable during a rotation of the master key, while both are configured.
 */
export interface Keys {
  /** The id of the key for new values. */
  readonly currentKeyId: string;
  /** All configured ones, the current one first. */
  readonly keyIds: readonly string[];
  mac(purpose: KeyPurpose, keyId: string, data: string | Uint8Array): Buffer;
  seal(purpose: KeyPurpose, plaintext: Uint8Array, context: string): Sealed;
  open(purpose: KeyPurpose, sealed: Sealed, context: string): Buffer;
}

class UnknownKeyError extends Error {
  constructor(keyId: string) {
    super(
      `A stored value was made with master key ${keyId}, which is not configured. ` +
        'Add the previous key to SVC_MASTER_KEY_PREVIOUS.',
    );
    this.name = 'UnknownKeyError';
  }
}

export function createKeys(master: Uint8Array, previous: readonly Uint8Array[], random: Random): Keys {
  const masters = new Map<string, Uint8Array>();
  for (const key of [master, ...previous]) masters.set(keyIdOf(key), key);
  const currentKeyId = keyIdOf(master);
  const derived = new Map<string, Buffer>();

  const derive = (purpose: KeyPurpose, keyId: string): Buffer => {
    const name = `${keyId}/${purpose}`;
    const known = derived.get(name);
    if (known) return known;
    const source = masters.get(keyId);
    if (!source) throw new UnknownKeyError(keyId);
    const key = Buffer.from(hkdfSync('sha256', source, '', `svc.${purpose}.v1`, 32));
    derived.set(name, key);
    return key;
  };

  return {
    currentKeyId,
    keyIds: [...masters.keys()],
    mac: (purpose, keyId, data) => createHmac('sha256', derive(purpose, keyId)).update(data).digest(),
    seal(purpose, plaintext, context) {
      const nonce = random.bytes(12);
      const cipher = createCipheriv('aes-256-gcm', derive(purpose, currentKeyId), nonce);
      cipher.setAAD(Buffer.from(context, 'utf8'));
      const body = Buffer.concat([cipher.update(plaintext), cipher.final()]);
      return { keyId: currentKeyId, box: Buffer.concat([nonce, cipher.getAuthTag(), body]) };
    },
    open(purpose, { keyId, box }, context) {
      const decipher = createDecipheriv('aes-256-gcm', derive(purpose, keyId), box.subarray(0, 12));
      decipher.setAAD(Buffer.from(context, 'utf8'));
      decipher.setAuthTag(box.subarray(12, 28));
      return Buffer.concat([decipher.update(box.subarray(28)), decipher.final()]);
    },
  };
}

function keyIdOf(master: Uint8Array): string {
  const fingerprint = Buffer.from(hkdfSync('sha256', master, '', 'svc.key-id.v1', 16));
  return `k${fingerprint.toString('hex').slice(0, 16)}`;
}

/** Lower-case hex over the text's UTF-8. In one call: 0.8 µs instead of 1.9, on every request with a credential. */
export function sha256OfText(text: string): string {
  return hash('sha256', text, 'hex');
}

/** The stored form of a bearer secret. The secret has 256 random bits, so a plain hash is enough. */
export function hashSecret(secret: string): string {
  return sha256OfText(secret);
}

export function equalInConstantTime(a: string, b: string): boolean {
  const left = createHash('sha256').update(a, 'utf8').digest();
  const right = createHash('sha256').update(b, 'utf8').digest();
  return timingSafeEqual(left, right);
}
