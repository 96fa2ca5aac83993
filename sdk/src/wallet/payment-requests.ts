import type { PaymentRequest, StatusAnswer, StatusReport } from '../contract.ts';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { WalletPaymentRequestsCalls } from '../generated/wallet.ts';
import { reportPaymentRequestStatus } from '../operations.ts';
import { type InboxOptions, watchInbox } from './inbox.ts';

/** The wallet's inbox, and the reports of decisions and payments. */
export class WalletPaymentRequests extends WalletPaymentRequestsCalls {
  readonly #api: Api;

  /** Made by `WalletClient`. */
  constructor(api: Api) {
    super(api);
    this.#api = api;
  }

  /**
   * The existing requests, then new ones as they arrive, without end. End it with `break` or a signal.
   *
   * @example
   * ```ts
   * for await (const request of wallet.paymentRequests.inbox()) show(request);
   * ```
   */
  inbox(options: InboxOptions = {}): AsyncGenerator<PaymentRequest, void, undefined> {
    return watchInbox(this.#api, options);
  }

  /**
   * Reports a status. Broadcast only after `signed` has been accepted: of two devices that try, one gets
   * `status_conflict`. Not retried automatically; after a lost response the same report from this device is accepted
   * again.
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
