import { parseExactJson } from '@payassent/protocol';
import type { PaymentRequest } from '@payassent/protocol/records';
import { shownDecision } from '../../features/decisions/decide.ts';
import type { Links } from './links.ts';

export type Audience = 'connection' | 'merchant' | 'wallet';

/**
 * The record as `RECORD_JSON` or `WALLET_RECORD_JSON` wrote it. Only the agent and its merchant see the agent's key,
 * only merchant and wallet the creating credential, only the wallet the device of an unsigned decision.
 */
export function paymentRequestView(record: string, audience: Audience): PaymentRequest {
  const request = parseExactJson(HIDING[audience](record)) as PaymentRequest;
  if (audience === 'wallet' || !request.decision) return request;
  return { ...request, decision: shownDecision(request.decision) };
}

/** The same with this reader's links. */
export function linkedView(record: string, audience: Audience, links: Links): PaymentRequest {
  const request = paymentRequestView(record, audience);
  return audience === 'wallet'
    ? { ...request, payment_uri: links.request(request) }
    : { ...request, ...links.review(request) };
}

/**
 * The members of the response about one request, for its agent. The text is the statement's own: parsing it only to
 * write it again took 15 µs of the service's one thread.
 */
export function paymentRequestMembers(linkedRecord: string): string {
  return `"payment_request":${linkedRecord}`;
}

/** The response to a wallet's report; `event` is JSON too, as `EVENT_JSON` wrote it. */
export function statusMembers(record: string, event: string | null, links: Links): string {
  const uri = JSON.stringify(links.request(JSON.parse(record) as PaymentRequest));
  const shown = `${withoutKey(record).slice(0, -1)},"payment_uri":${uri}}`;
  return `"payment_request":${shown},"event":${event ?? 'null'}`;
}

/** The response to an agent's withdrawal. */
export function withdrawMembers(record: string, event: string | null, links: Links): string {
  return `"payment_request":${withReviewLinks(record, links)},"event":${event ?? 'null'}`;
}

const ID = ',"request_id":';
const BEHIND_ID = ',"connection_id":"';

/** For agents. A quote inside a JSON text is escaped, so only a member can match. Links need no escapes. */
export function withReviewLinks(stored: string, links: Links): string {
  const record = withoutOrigin(stored);
  const idEnd = record.indexOf(BEHIND_ID);
  const start = idEnd + BEHIND_ID.length;
  const { review_url, wallet_uri } = links.review({
    request_id: JSON.parse(record.slice(record.indexOf(ID) + ID.length, idEnd)),
    connection_id: record.slice(start, record.indexOf('"', start)),
  });
  return `${record.slice(0, -1)},"review_url":"${review_url}","wallet_uri":"${wallet_uri}"}`;
}

const KEY = ',"idempotency_key":';
const BEHIND_KEY = ',"status":"';

/**
 * A quote inside a JSON text is escaped, so only a member can match here. Those before the status are plain texts: a
 * nested member of the same name comes after it.
 */
export function withoutKey(record: string): string {
  const end = record.indexOf(BEHIND_KEY);
  const start = record.indexOf(KEY);
  return start < 0 || start > end ? record : record.slice(0, start) + record.slice(end);
}

const ORIGIN = ',"created_with":';

/** Its value is a word or null. Nested members of the same name come after it, and after the status. */
function withoutOrigin(record: string): string {
  const start = record.indexOf(ORIGIN);
  if (start < 0 || start > record.indexOf(BEHIND_KEY)) return record;
  return record.slice(0, start) + record.slice(record.indexOf(',', start + 1));
}

const HIDING: Readonly<Record<Audience, (record: string) => string>> = {
  connection: withoutOrigin,
  merchant: (record) => record,
  wallet: withoutKey,
};
