import type { PaymentRequest, PaymentRequestEvent, PaymentRequestStatus } from '@payassent/protocol';
import { reportPaymentRequestStatus } from '@payassent/protocol/api';
import {
  eachPaymentRequest,
  type PaymentRequestAnswer,
  type PaymentRequestQuery,
  type PaymentRequestsPage,
  readPage,
  readPaymentRequest,
} from '../connection/request-reads.ts';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import type { SignedDecision } from './decisions.ts';
import { type InboxOptions, watchInbox } from './inbox.ts';

/** What the wallet reports about a request. */
export interface StatusReport {
  /** Where the request stands now. */
  status: PaymentRequestStatus;
  /** The transaction on its network; once set it never changes. */
  tx_hash?: string;
  /** For programs, lower case and underscores; only with rejected and failed. */
  reason_code?: string;
  /** For people; only with rejected and failed. */
  reason?: string;
  /** Selects between equal ids of two connections. */
  connection_id?: string;
  /** Only with signed and rejected: the signed decision, from `signDecision` or a passkey. */
  decision?: SignedDecision;
  /**
   * After `signed` only the device that signed reports on. Another device of the wallet may take its place with `true`,
   * which the event records. Ask the user first: the other device may still send what it has signed.
   */
  takeover?: boolean;
}

/** What a report changed. */
export interface StatusAnswer extends PaymentRequestAnswer {
  /** Null when nothing changed: the wallet repeats itself. */
  event: PaymentRequestEvent | null;
}

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

  /** What is there, then what arrives, without end. End it with `break` or a signal. */
  inbox(options: InboxOptions = {}): AsyncGenerator<PaymentRequest, void, undefined> {
    return watchInbox(this.#api, options);
  }

  /** Reads one request. Compare what is shown with `hasPinnedFacts` before the user approves. */
  get(
    requestId: string,
    query: { connection_id?: string } = {},
    options: CallOptions = {},
  ): Promise<PaymentRequestAnswer> {
    return readPaymentRequest(this.#api, requestId, query, options);
  }

  /**
   * Reports a status. Broadcast only after `signed` has been accepted: of two devices that try, one gets
   * `status_conflict`. Not repeated by itself; after a lost answer the same report from this device is accepted again.
   */
  reportStatus(requestId: string, report: StatusReport, options: CallOptions = {}): Promise<StatusAnswer> {
    return this.#api.call(reportPaymentRequestStatus, { params: { id: requestId }, body: report }, options);
  }
}
