import { decodeBase64Url } from '@payassent/protocol';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../lib/clock.ts';
import type { Keys } from '../../lib/keys.ts';
import type { Outbound } from '../../lib/outbound/index.ts';
import type { Random } from '../../lib/random.ts';
import { TIME_OUTS } from '../../limits.ts';
import { parseRetryAfter } from '../webhooks/schedule.ts';
import { encryptPush } from './encrypt.ts';
import type { Looked } from './look-sql.ts';
import { openSubscription } from './subscription.ts';
import { type VapidKeys, vapidHeader } from './vapid.ts';

export const DEADLINE_MS = TIME_OUTS.push.s * SECOND_MS;
const MAX_ANSWER_BYTES = 1024;
/** Every message has this length, so that a push service cannot tell one kind from another. */
const PADDED_TO = 96;
const MIN_TTL_S = 60;
const MAX_TTL_S = 86_400;
/** A newer message takes the place of one that waits at the push service. */
const TOPIC = 'waiting';

/** The pause after the first failure of a message, the second, and so on. Behind the last it is given up. */
const PAUSES_MS = [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS] as const;
const MAX_ASKED_MS = HOUR_MS;

export type PushOutcome =
  | { kind: 'delivered' | 'gone' | 'aborted' }
  | { kind: 'failed'; retryAfterMs: number | undefined };

/** Undefined when the message is given up. A push service that names a time is not met before it, up to an hour. */
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

/** One message, by the rules for everything that leaves: no redirects, no private addresses, a deadline. */
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
