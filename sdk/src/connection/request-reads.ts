import type {
  ConnectionQuery,
  PaymentRequest,
  PaymentRequestAnswer,
  PaymentRequestHistory,
  PaymentRequestQuery,
  PaymentRequestReadQuery,
  PaymentRequestsPage,
} from '../contract.ts';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { eachRecord } from '../core/pages.ts';
import { getPaymentRequest, listEventsOfPaymentRequest, listPaymentRequests } from '../operations.ts';

/** Reads one with whatever credential the client has. */
export function readPaymentRequest(
  api: Api,
  requestId: string,
  query: PaymentRequestReadQuery,
  options: CallOptions,
): Promise<PaymentRequestAnswer> {
  const waitMs = (query.wait ?? 0) * 1000;
  return api.call(getPaymentRequest, { params: { id: requestId }, query, waitMs }, options);
}

/** The history of one with whatever credential the client has. */
export function readHistory(
  api: Api,
  requestId: string,
  query: ConnectionQuery,
  options: CallOptions,
): Promise<PaymentRequestHistory> {
  return api.call(listEventsOfPaymentRequest, { params: { id: requestId }, query }, options);
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
