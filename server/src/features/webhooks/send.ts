import type { WebhookHeaders } from '@countersign/protocol';
import { SECOND_MS } from '../../lib/clock.ts';
import type { OutboundRequest } from '../../lib/outbound/index.ts';
import { VERSION } from '../../version.ts';

/** From the first look at the name to the last byte of the answer. */
export const DEADLINE_MS = 15 * SECOND_MS;
const MAX_ANSWER_BYTES = 1024;
const USER_AGENT = `Countersign-Webhooks/${VERSION}`;

export function postOf(url: string, body: string | Uint8Array, signature: WebhookHeaders): OutboundRequest {
  return {
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': USER_AGENT, ...signature },
    body,
    deadlineMs: DEADLINE_MS,
    maxBodyBytes: MAX_ANSWER_BYTES,
  };
}
