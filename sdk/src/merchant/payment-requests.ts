import { readEvidence } from '../connection/evidence.ts';
import {
  eachPaymentRequest,
  readHistory,
  readPage,
  readPaymentRequest,
} from '../connection/request-reads.ts';
import type {
  EvidenceBundle,
  PaymentRequest,
  PaymentRequestAnswer,
  PaymentRequestHistory,
  PaymentRequestQuery,
  PaymentRequestsPage,
} from '../contract.ts';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';

/** The organization's payment requests, read only. */
export class MerchantPaymentRequests {
  readonly #api: Api;

  /** Made by `MerchantClient`. */
  constructor(api: Api) {
    this.#api = api;
  }

  /** One page of requests. */
  list(query: PaymentRequestQuery = {}, options: CallOptions = {}): Promise<PaymentRequestsPage> {
    return readPage(this.#api, query, options);
  }

  /** All requests, page by page. */
  each(
    query: PaymentRequestQuery = {},
    options: CallOptions = {},
  ): AsyncGenerator<PaymentRequest, void, undefined> {
    return eachPaymentRequest(this.#api, query, options);
  }

  /**
   * Reads one request: the record that webhooks only point to. `confirmed` is what the wallet says. `connection_id`
   * selects between equal ids.
   */
  get(
    requestId: string,
    query: { connection_id?: string } = {},
    options: CallOptions = {},
  ): Promise<PaymentRequestAnswer> {
    return readPaymentRequest(this.#api, requestId, query, options);
  }

  /** What became of one request, step by step, oldest first. */
  history(
    requestId: string,
    query: { connection_id?: string } = {},
    options: CallOptions = {},
  ): Promise<PaymentRequestHistory> {
    return readHistory(this.#api, requestId, query, options);
  }

  /** Everything that proves what became of a request, for `payassent verify` and for keeping. */
  evidence(
    requestId: string,
    query: { connection_id?: string } = {},
    options: CallOptions = {},
  ): Promise<EvidenceBundle> {
    return readEvidence(this.#api, requestId, query, options);
  }
}
