import { createECDH, createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { HOUR_MS } from '../../lib/clock.ts';
import type { Keys } from '../../lib/keys.ts';

/** Identifies this installation to push services (RFC 8292). It signs nothing else. */
interface VapidKey {
  /** An uncompressed point, base64url. */
  publicKey: string;
  key: KeyObject;
}

/** At most 24 hours by the standard, and clocks differ. */
const TOKEN_LIFE_MS = 12 * HOUR_MS;

/** By the master key. */
export type VapidKeys = (keys: Keys, keyId: string) => VapidKey;

/** Each is derived once: any caller may request the public one. There are as many as configured master keys. */
export function createVapidKeys(): VapidKeys {
  const known = new Map<string, VapidKey>();
  return (keys, keyId) => {
    const key = known.get(keyId) ?? deriveKey(keys, keyId);
    known.set(keyId, key);
    return key;
  };
}

/** A browser stays bound to the key it subscribed with, so each configured master key has its own. */
function deriveKey(keys: Keys, keyId: string): VapidKey {
  const pair = createECDH('prime256v1');
  for (let turn = 0; ; turn += 1) {
    try {
      // One in 2^32 is not a scalar of the curve: then the next one is taken.
      pair.setPrivateKey(keys.mac('push-signing', keyId, `p256/${turn}`));
      break;
    } catch (error) {
      if (turn > 8) throw error;
    }
  }
  const point = pair.getPublicKey();
  const text = (from: number, to: number) => point.subarray(from, to).toString('base64url');
  // Node.js omits leading zeros.
  const scalar = Buffer.concat([Buffer.alloc(32), pair.getPrivateKey()]).subarray(-32);
  const jwk = { kty: 'EC', crv: 'P-256', x: text(1, 33), y: text(33, 65), d: scalar.toString('base64url') };
  return { publicKey: point.toString('base64url'), key: createPrivateKey({ key: jwk, format: 'jwk' }) };
}

export function vapidHeader(
  { key, publicKey }: VapidKey,
  endpoint: string,
  contact: string,
  now: Date,
): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const exp = Math.floor((now.getTime() + TOKEN_LIFE_MS) / 1000);
  const signed = `${encode({ typ: 'JWT', alg: 'ES256' })}.${encode({ aud: new URL(endpoint).origin, exp, sub: contact })}`;
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
  return `vapid t=${signed}.${signature.toString('base64url')}, k=${publicKey}`;
}
