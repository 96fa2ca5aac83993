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
  PaymentRequestReadQuery,
  PaymentRequestsPage,
  StatusAnswer,
  StatusReport,
} from '../contract.ts';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { reportPaymentRequestStatus } from '../operations.ts';
import { type InboxOptions, watchInbox } from './inbox.ts';

/** The wallet's inbox, and reports of what the user decided. */
export class WalletPaymentRequests {
  readonly #api: Api;

  /** Made by `WalletClient`. */
  constructor(api: Api) {
    this.#api = api;
  }

  /** One page of the requests of all the wallet's connections. */
  list(
    query: PaymentRequestQuery & { wait?: number } = {},
    options: CallOptions = {},
  ): Promise<PaymentRequestsPage> {
    return readPage(this.#api, query, options);
  }

  /** All of them, page by page. */
  each(
    query: PaymentRequestQuery = {},
    options: CallOptions = {},
  ): AsyncGenerator<PaymentRequest, void, undefined> {
    return eachPaymentRequest(this.#api, query, options);
  }

  /**
   * What is there, then what arrives, without end. End it with `break` or a signal.
   *
   * @example
   * ```ts
   * for await (const request of wallet.paymentRequests.inbox()) show(request);
   * ```
   */
  inbox(options: InboxOptions = {}): AsyncGenerator<PaymentRequest, void, undefined> {
    return watchInbox(this.#api, options);
  }

  /** Reads one request. Compare what is shown with `hasPinnedFacts` before the user approves. */
  get(
    requestId: string,
    query: PaymentRequestReadQuery = {},
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

  /** Everything that proves what became of a request, for `verify` and for keeping. */
  evidence(
    requestId: string,
    query: { connection_id?: string } = {},
    options: CallOptions = {},
  ): Promise<EvidenceBundle> {
    return readEvidence(this.#api, requestId, query, options);
  }

  /**
   * Reports a status. Broadcast only after `signed` has been accepted: of two devices that try, one gets
   * `status_conflict`. Not repeated by itself; after a lost answer the same report from this device is accepted again.
   *
   * @example
   * ```ts
   * await wallet.paymentRequests.reportStatus(request_id, { status: 'signed', connection_id });
   * ```
   */
  reportStatus(requestId: string, report: StatusReport, options: CallOptions = {}): Promise<StatusAnswer> {
    return this.#api.call(reportPaymentRequestStatus, { params: { id: requestId }, body: report }, options);
  }
}
