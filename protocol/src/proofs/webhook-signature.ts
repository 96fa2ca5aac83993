import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { decodeBase64, encodeBase64 } from '../encoding/base64.ts';
import { parseWebhookSecret } from '../tokens.ts';
import { verifyEd25519Strict } from './ed25519.ts';

/**
 * Standard Webhooks: HMAC-SHA256 (`v1`) and Ed25519 (`v1a`) over `id.timestamp.rawBody`. During a rotation both secrets
 * sign, and a receiver accepts when any of its secrets or keys made any of the signatures.
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
  /** Signs as the service, for those that keep no secret: the last signature of the list. */
  ed25519?: Ed25519;
}

/** HMAC-SHA256 over the head and the body behind it, in base64. */
export type HmacSha256 = (key: Uint8Array, head: string, body: Uint8Array | string) => string;

/** The signature of the head and the body behind it, in base64. */
export type Ed25519 = (head: string, body: Uint8Array | string) => string;

export function signWebhook(message: WebhookToSign): WebhookHeaders {
  if (message.secrets.length === 0) throw new RangeError('signWebhook: no secret');
  if (!Number.isSafeInteger(message.timestampSeconds))
    throw new RangeError('signWebhook: timestamp in whole seconds');
  const timestamp = String(message.timestampSeconds);
  const head = headOf(message.id, timestamp);
  const signatures = message.secrets.map((secret) => {
    const key = typeof secret === 'string' ? parseWebhookSecret(secret) : secret;
    if (key === undefined) throw new RangeError('signWebhook: malformed secret');
    return `v1,${message.hmacSha256?.(key, head, message.body) ?? encodeBase64(authenticate(key, head, message.body))}`;
  });
  if (message.ed25519) signatures.push(`v1a,${message.ed25519(head, message.body)}`);
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
  | { ok: true; id: string; timestampSeconds: number; by?: 'key' }
  | { ok: false; reason: WebhookFault };

/** A public key with which the service signs, and when it did. */
export interface WebhookKey {
  publicKey: Uint8Array;
  fromMs: number;
  untilMs: number;
}

interface WebhookToVerify {
  /** As received; names in any case. */
  headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The raw body before any parsing. */
  body: Uint8Array | string;
  secrets: readonly string[];
  /** Of the service; any of them will do instead of a secret. */
  publicKeys?: readonly WebhookKey[];
  nowMs: number;
  toleranceSeconds?: number;
}

export function verifyWebhook(message: WebhookToVerify): VerifiedWebhook {
  const keys = message.secrets.map(parseWebhookSecret);
  const { publicKeys = [] } = message;
  if ((keys.length === 0 && publicKeys.length === 0) || keys.includes(undefined))
    return refused('secret_malformed');
  const id = header(message.headers, 'webhook-id');
  const timestamp = header(message.headers, 'webhook-timestamp');
  const signatures = header(message.headers, 'webhook-signature');
  if (!id || !timestamp || !signatures) return refused('header_missing');
  if (!/^(?:0|[1-9][0-9]{0,14})$/.test(timestamp)) return refused('timestamp_malformed');

  const ageSeconds = Math.floor(message.nowMs / 1000) - Number(timestamp);
  const tolerance = message.toleranceSeconds ?? WEBHOOK_TOLERANCE_SECONDS;
  if (ageSeconds > tolerance) return refused('timestamp_too_old');
  if (-ageSeconds > tolerance) return refused('timestamp_too_new');

  const offered = signaturesOf(signatures, 'v1,', 32);
  let matched = false;
  for (const key of keys) {
    if (key === undefined) continue;
    const expected = authenticate(key, headOf(id, timestamp), message.body);
    // No early exit: the duration must not reveal which secret or signature came close.
    for (const bytes of offered) matched = equalInConstantTime(expected, bytes) || matched;
  }
  if (matched) return { ok: true, id, timestampSeconds: Number(timestamp) };
  const signedAt = Number(timestamp) * 1000;
  const alive = publicKeys.filter(
    ({ fromMs, untilMs }) => signedAt >= fromMs - tolerance * 1000 && signedAt <= untilMs + tolerance * 1000,
  );
  const bytes = alive.length === 0 ? undefined : bytesOf(headOf(id, timestamp), message.body);
  const isSigned = signaturesOf(signatures, 'v1a,', 64)
    .slice(0, MOST_KEY_SIGNATURES)
    .some((offer) => alive.some(({ publicKey }) => bytes && verifyEd25519Strict(publicKey, bytes, offer)));
  return isSigned
    ? { ok: true, id, timestampSeconds: Number(timestamp), by: 'key' }
    : refused('signature_mismatch');
}

/** Each costs a millisecond, and anyone can send many. */
const MOST_KEY_SIGNATURES = 4;

function signaturesOf(header: string, version: string, length: number): Uint8Array[] {
  return header.split(' ').flatMap((entry) => {
    const bytes = entry.startsWith(version) ? decodeBase64(entry.slice(version.length)) : undefined;
    return bytes?.length === length ? [bytes] : [];
  });
}

function bytesOf(head: string, body: Uint8Array | string): Uint8Array {
  const [start, rest] = [encoder.encode(head), typeof body === 'string' ? encoder.encode(body) : body];
  const bytes = new Uint8Array(start.length + rest.length);
  bytes.set(start);
  bytes.set(rest, start.length);
  return bytes;
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
