import { createHmac } from 'node:crypto';
import { type HmacSha256, signWebhook } from '@payassent/protocol';
import { SECOND_MS } from '../../lib/clock.ts';
import type { OutboundRequest } from '../../lib/outbound/index.ts';
import { VERSION } from '../../lib/version.ts';
import { TIME_OUTS } from '../../limits.ts';

/** From the first look at the name to the last byte of the answer. */
export const DEADLINE_S = TIME_OUTS.webhook.s;
export const DEADLINE_MS = DEADLINE_S * SECOND_MS;
const MAX_ANSWER_BYTES = 1024;
const USER_AGENT = `PayAssent-Webhooks/${VERSION}`;

export interface Message {
  url: string;
  eventId: string;
  body: string | Uint8Array;
  /** Newest first. */
  secrets: readonly (string | Uint8Array)[];
  /** Of this attempt; receivers refuse old ones. */
  at: Date;
}

/** The signed request; the same event gives the same id and the same bytes at every attempt. */
export function postOf({ url, eventId, body, secrets, at }: Message): OutboundRequest {
  const signature = signWebhook({
    id: eventId,
    timestampSeconds: Math.floor(at.getTime() / 1000),
    body,
    secrets,
    hmacSha256,
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

/** What the audit trail says of an address: its path and query are often a secret of the receiver. */
export function hostIn(url: string): string {
  return new URL(url).host;
}
