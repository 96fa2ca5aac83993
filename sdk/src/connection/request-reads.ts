import type { PaymentRequest, PaymentRequestStatus } from '@payassent/protocol';
import { getPaymentRequest, listPaymentRequests } from '@payassent/protocol/api';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { eachRecord, type Page, type PageQuery } from '../core/pages.ts';

/** Answer with one payment request. */
export interface PaymentRequestAnswer {
  /** The truth about the request. */
  payment_request: PaymentRequest;
}

/** Which payment requests. */
export interface PaymentRequestQuery extends PageQuery {
  /** Only those in this status. */
  status?: PaymentRequestStatus;
  /** Only those of this connection. */
  connection_id?: string;
  /** Only those to this Recipient. */
  recipient_id?: string;
}

/** One page of payment requests. */
export interface PaymentRequestsPage extends Page {
  /** Newest first. */
  payment_requests: PaymentRequest[];
}

/** Reads one with whatever credential the client has. */
export function readPaymentRequest(
  api: Api,
  requestId: string,
  query: { connection_id?: string },
  options: CallOptions,
): Promise<PaymentRequestAnswer> {
  return api.call(getPaymentRequest, { params: { id: requestId }, query: { ...query } }, options);
}

/** One page of what the credential may see. With `wait` (wallets only) it is held back until there is news. */
export function readPage(
  api: Api,
  query: PaymentRequestQuery & { wait?: number },
  options: CallOptions,
): Promise<PaymentRequestsPage> {
  return api.call(listPaymentRequests, { query, waitMs: (query.wait ?? 0) * 1000 }, options);
}

/** All of what the credential may see, page by page. */
export function eachPaymentRequest(
  api: Api,
  query: PaymentRequestQuery,
  options: CallOptions,
): AsyncGenerator<PaymentRequest, void, undefined> {
  return eachRecord(api, listPaymentRequests, 'payment_requests', { query }, options);
}
