import { createCipheriv, createECDH, hkdfSync } from 'node:crypto';
import { decodeBase64Url } from '@payassent/protocol';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../lib/clock.ts';
import type { Keys } from '../../lib/keys.ts';
import type { Outbound } from '../../lib/outbound/index.ts';
import type { Random } from '../../lib/random.ts';
import { TIME_OUTS } from '../../limits.ts';
import { parseRetryAfter } from '../webhooks/schedule.ts';
import type { Looked } from './look-sql.ts';
import { openSubscription } from './subscription.ts';
import { type VapidKeys, vapidHeader } from './vapid.ts';

export const DEADLINE_MS = TIME_OUTS.push.s * SECOND_MS;
const MAX_ANSWER_BYTES = 1024;
/** Every message has this length, so that a push service cannot distinguish the kinds. */
const PADDED_TO = 96;
const MIN_TTL_S = 60;
const MAX_TTL_S = 86_400;
/** A newer message replaces one that waits at the push service. */
const TOPIC = 'waiting';

/** The pause after the first failure of a message, the second, and so on. After the last it is given up. */
const PAUSES_MS = [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS] as const;
const MAX_ASKED_MS = HOUR_MS;

export type PushOutcome =
  | { kind: 'delivered' | 'gone' | 'aborted' }
  | { kind: 'failed'; retryAfterMs: number | undefined };

/** Undefined when the message is given up. A push service's `Retry-After` is respected, up to an hour. */
export function pauseAfter(outcome: PushOutcome, tries: number): number | undefined {
  const pauseMs = PAUSES_MS[tries];
  if (outcome.kind !== 'failed' || pauseMs === undefined) return undefined;
  return Math.max(pauseMs, Math.min(outcome.retryAfterMs ?? 0, MAX_ASKED_MS));
}

interface Surroundings {
  config: { baseUrl: string };
  keys: Keys;
  outbound: Outbound;
  random: Random;
  stopping: AbortSignal;
}

/** One message, by the rules for all outbound requests: no redirects, no private addresses, a deadline. */
export async function sendPush(
  context: Surroundings,
  vapidKeys: VapidKeys,
  row: Looked,
  now: Date,
): Promise<PushOutcome> {
  const { config, keys, outbound, random, stopping } = context;
  const { device_id: deviceId, key_id: keyId, box } = row;
  const { endpoint, keys: own } = openSubscription(keys, deviceId, { keyId, box });
  const [p256dh, auth] = [decodeBase64Url(own.p256dh), decodeBase64Url(own.auth)];
  if (!p256dh || !auth) throw new Error('a stored subscription is malformed');
  const message = JSON.stringify({ kind: row.kind, waiting: row.waiting });
  const leftS = Math.ceil(((row.ends_at ?? now).getTime() - now.getTime()) / 1000);
  const result = await outbound.send(
    {
      url: endpoint,
      method: 'POST',
      headers: {
        authorization: vapidHeader(vapidKeys(keys, keyId), endpoint, config.baseUrl, now),
        'content-encoding': 'aes128gcm',
        'content-type': 'application/octet-stream',
        ttl: String(Math.min(MAX_TTL_S, Math.max(MIN_TTL_S, leftS))),
        topic: TOPIC,
        urgency: 'high',
      },
      body: encryptPush(message, { p256dh, auth }, { salt: random.bytes(16), paddedTo: PADDED_TO }),
      deadlineMs: DEADLINE_MS,
      maxBodyBytes: MAX_ANSWER_BYTES,
    },
    stopping,
  );
  if (!result.ok)
    return result.errorClass === 'aborted'
      ? { kind: 'aborted' }
      : { kind: 'failed', retryAfterMs: undefined };
  if (result.status === 404 || result.status === 410) return { kind: 'gone' };
  if (result.status >= 200 && result.status <= 299) return { kind: 'delivered' };
  return { kind: 'failed', retryAfterMs: parseRetryAfter(result.headers['retry-after'], now) };
}

/** The browser's half of a subscription. */
interface PushKeys {
  /** An uncompressed point of P-256. */
  p256dh: Uint8Array;
  auth: Uint8Array;
}

interface EncryptOptions {
  salt: Uint8Array;
  /** Of the one-time key; a new one when absent. */
  privateKey?: Uint8Array;
  /** The length of the plaintext, so that messages cannot be distinguished by size. */
  paddedTo?: number;
}

const RECORD_SIZE = 4096;
const LAST_RECORD = 2;

/** The body of a push message: RFC 8291, in one record of `aes128gcm` (RFC 8188). */
export function encryptPush(text: string, keys: PushKeys, options: EncryptOptions): Buffer {
  const { salt, privateKey, paddedTo = 0 } = options;
  const own = createECDH('prime256v1');
  if (privateKey) own.setPrivateKey(privateKey);
  else own.generateKeys();
  const publicKey = own.getPublicKey();
  const keyInfo = Buffer.concat([Buffer.from('WebPush: info\0'), keys.p256dh, publicKey]);
  const secret = hkdfSync('sha256', own.computeSecret(keys.p256dh), keys.auth, keyInfo, 32);
  const derive = (use: string, length: number) =>
    new Uint8Array(hkdfSync('sha256', new Uint8Array(secret), salt, `Content-Encoding: ${use}\0`, length));
  const cipher = createCipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12));
  const plain = Buffer.from(text, 'utf8');
  const padding = Buffer.alloc(Math.max(0, paddedTo - plain.length));
  const header = Buffer.alloc(5);
  header.writeUInt32BE(RECORD_SIZE);
  header.writeUInt8(publicKey.length, 4);
  const sealed = [cipher.update(Buffer.concat([plain, Buffer.from([LAST_RECORD]), padding])), cipher.final()];
  return Buffer.concat([salt, header, publicKey, ...sealed, cipher.getAuthTag()]);
}
