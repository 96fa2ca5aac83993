import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { decodeBase64, encodeBase64 } from '../encoding/base64.ts';
import { parseWebhookSecret } from '../tokens.ts';

/**
 * Standard Webhooks: HMAC-SHA256 over `id.timestamp.rawBody`. During a rotation both secrets sign, and a
 * receiver accepts when any of its secrets made any of the signatures.
 */
const WEBHOOK_TOLERANCE_SECONDS = 300;

interface WebhookHeaders {
  'webhook-id': string;
  'webhook-timestamp': string;
  'webhook-signature': string;
}

interface WebhookToSign {
  id: string;
  timestampSeconds: number;
  /** The exact bytes that are sent. */
  body: Uint8Array | string;
  /** Newest first; at least one. As given out, or as the bytes that `parseWebhookSecret` made of it. */
  secrets: readonly (string | Uint8Array)[];
  /** The platform's own, where speed matters. */
  hmacSha256?: HmacSha256;
}

/** HMAC-SHA256 over the head and the body behind it, in base64. */
export type HmacSha256 = (key: Uint8Array, head: string, body: Uint8Array | string) => string;

export function signWebhook(message: WebhookToSign): WebhookHeaders {
  if (message.secrets.length === 0) throw new RangeError('signWebhook: no secret');
  if (!Number.isSafeInteger(message.timestampSeconds))
    throw new RangeError('signWebhook: timestamp in whole seconds');
  const timestamp = String(message.timestampSeconds);
  const signatures = message.secrets.map((secret) => {
    const key = typeof secret === 'string' ? parseWebhookSecret(secret) : secret;
    if (key === undefined) throw new RangeError('signWebhook: malformed secret');
    const head = headOf(message.id, timestamp);
    return `v1,${message.hmacSha256?.(key, head, message.body) ?? encodeBase64(authenticate(key, head, message.body))}`;
  });
  return {
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}

export type WebhookFault =
  | 'secret_malformed'
  | 'header_missing'
  | 'timestamp_malformed'
  | 'timestamp_too_old'
  | 'timestamp_too_new'
  | 'signature_mismatch';

type VerifiedWebhook =
  | { ok: true; id: string; timestampSeconds: number }
  | { ok: false; reason: WebhookFault };

interface WebhookToVerify {
  /** As received; names in any case. */
  headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The raw body before any parsing. */
  body: Uint8Array | string;
  secrets: readonly string[];
  nowMs: number;
  toleranceSeconds?: number;
}

export function verifyWebhook(message: WebhookToVerify): VerifiedWebhook {
  const keys = message.secrets.map(parseWebhookSecret);
  if (keys.length === 0 || keys.includes(undefined)) return refused('secret_malformed');
  const id = header(message.headers, 'webhook-id');
  const timestamp = header(message.headers, 'webhook-timestamp');
  const signatures = header(message.headers, 'webhook-signature');
  if (!id || !timestamp || !signatures) return refused('header_missing');
  if (!/^(?:0|[1-9][0-9]{0,14})$/.test(timestamp)) return refused('timestamp_malformed');

  const ageSeconds = Math.floor(message.nowMs / 1000) - Number(timestamp);
  const tolerance = message.toleranceSeconds ?? WEBHOOK_TOLERANCE_SECONDS;
  if (ageSeconds > tolerance) return refused('timestamp_too_old');
  if (-ageSeconds > tolerance) return refused('timestamp_too_new');

  const offered = signatures.split(' ').flatMap((entry) => {
    const bytes = entry.startsWith('v1,') ? decodeBase64(entry.slice(3)) : undefined;
    return bytes?.length === 32 ? [bytes] : [];
  });
  let matched = false;
  for (const key of keys) {
    if (key === undefined) continue;
    const expected = authenticate(key, headOf(id, timestamp), message.body);
    // No early exit: how long this takes must not tell which secret or signature came close.
    for (const bytes of offered) matched = equalInConstantTime(expected, bytes) || matched;
  }
  return matched ? { ok: true, id, timestampSeconds: Number(timestamp) } : refused('signature_mismatch');
}

const encoder = new TextEncoder();

function headOf(id: string, timestamp: string): string {
  return `${id}.${timestamp}.`;
}

function authenticate(key: Uint8Array, head: string, body: Uint8Array | string): Uint8Array {
  const bytes = typeof body === 'string' ? encoder.encode(body) : body;
  return hmac.create(sha256, key).update(encoder.encode(head)).update(bytes).digest();
}

function equalInConstantTime(left: Uint8Array, right: Uint8Array): boolean {
  let difference = left.length ^ right.length;
  for (let index = 0; index < left.length; index += 1) difference |= (left[index] ?? 0) ^ (right[index] ?? 0);
  return difference === 0;
}

/** A header that arrives twice is ambiguous and counts as missing. */
function header(headers: WebhookToVerify['headers'], name: string): string | undefined {
  const found = Object.keys(headers).filter((key) => key.toLowerCase() === name);
  const value = found.length === 1 ? headers[found[0] ?? ''] : undefined;
  return typeof value === 'string' ? value : value?.length === 1 ? value[0] : undefined;
}

function refused(reason: WebhookFault): VerifiedWebhook {
  return { ok: false, reason };
}
