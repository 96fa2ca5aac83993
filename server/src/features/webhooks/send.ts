import { createHmac, createPrivateKey, sign as signBytes } from 'node:crypto';
import { type Ed25519, type HmacSha256, signWebhook } from '@payassent/protocol';
import type { SigningKey } from '../../keys/signing-keys.ts';
import { SECOND_MS } from '../../lib/clock.ts';
import type { OutboundRequest, OutboundResult } from '../../lib/outbound/index.ts';
import { VERSION } from '../../lib/version.ts';
import { TIME_OUTS } from '../../limits.ts';

/** From name resolution to the last byte of the response. */
export const DEADLINE_S = TIME_OUTS.webhook.s;
export const DEADLINE_MS = DEADLINE_S * SECOND_MS;
const MAX_ANSWER_BYTES = 1024;
const USER_AGENT = `PayAssent-Webhooks/${VERSION}`;

interface Message {
  url: string;
  eventId: string;
  body: string | Uint8Array;
  /** Newest first. */
  secrets: readonly (string | Uint8Array)[];
  /** The service itself. */
  signer: Ed25519;
  /** Of this attempt; receivers reject old ones. */
  at: Date;
}

/** The signed request; the same event gives the same id and the same bytes at every attempt. */
export function postOf({ url, eventId, body, secrets, signer, at }: Message): OutboundRequest {
  const signature = signWebhook({
    id: eventId,
    timestampSeconds: Math.floor(at.getTime() / 1000),
    body,
    secrets,
    hmacSha256,
    ed25519: signer,
  });
  return {
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': USER_AGENT, ...signature },
    body,
    deadlineMs: DEADLINE_MS,
    maxBodyBytes: MAX_ANSWER_BYTES,
  };
}

const hmacSha256: HmacSha256 = (key, head, body) =>
  createHmac('sha256', key).update(head).update(body).digest('base64');

/** What PKCS #8 has before the seed of an Ed25519 key (RFC 8410). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

/** With the platform's own Ed25519, which takes a twentieth of the time. */
export function webhookSigner({ seed }: SigningKey): Ed25519 {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' });
  return (head, body) => {
    const bytes =
      typeof body === 'string' ? Buffer.from(head + body) : Buffer.concat([Buffer.from(head), body]);
    return signBytes(null, bytes, key).toString('base64');
  };
}

/** The part of an address in the audit trail: its path and query are often a secret of the receiver. */
export function hostIn(url: string): string {
  return new URL(url).host;
}

/** The result of an attempt. A merchant sees the class, never an address, a body or a header. */
export interface Outcome {
  delivered: boolean;
  /** The receiver responded that it is gone for good. */
  gone: boolean;
  httpStatus: number | null;
  errorClass: string | null;
  retryAfter: string | undefined;
  durationMs: number;
}

/** `undefined`: we aborted the attempt, which proves nothing about the receiver. */
export function judgeAnswer(result: OutboundResult): Outcome | undefined {
  const { durationMs } = result;
  if (!result.ok) {
    if (result.errorClass === 'aborted') return undefined;
    return failed(null, result.errorClass, durationMs);
  }
  const { status } = result;
  if (status >= 200 && status <= 299) {
    return {
      delivered: true,
      gone: false,
      httpStatus: status,
      errorClass: null,
      retryAfter: undefined,
      durationMs,
    };
  }
  if (status < 100 || status > 599) return failed(null, 'invalid_response', durationMs);
  const errorClass = status >= 300 && status <= 399 ? 'redirect_refused' : 'http_error';
  return {
    ...failed(status, errorClass, durationMs),
    gone: status === 410,
    retryAfter: result.headers['retry-after'],
  };
}

export function failed(httpStatus: number | null, errorClass: string, durationMs: number): Outcome {
  return { delivered: false, gone: false, httpStatus, errorClass, retryAfter: undefined, durationMs };
}
