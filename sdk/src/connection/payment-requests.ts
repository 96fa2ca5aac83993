import type { EventsQuery, PaymentRequestInput } from '../aliases.ts';
import type {
  EventsPage,
  EvidenceBundle,
  PaymentRequest,
  PaymentRequestAnswer,
  PaymentRequestEvent,
  PaymentRequestHistory,
  PaymentRequestReadQuery,
  PreviewAnswer,
} from '../contract.ts';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { needObject } from '../core/checks.ts';
import { type CreateOptions, createOnce, type Keyed } from '../core/idempotency.ts';
import type { Store } from '../core/store.ts';
import { ConnectionPaymentRequestsCalls } from '../generated/connection.ts';
import {
  createPaymentRequest,
  getPaymentRequest,
  getPaymentRequestEvidence,
  listEventsOfPaymentRequest,
  previewPaymentRequest,
} from '../operations.ts';
import { type EventsOptions, storedCursor } from './event-reader.ts';
import {
  requestEvents,
  type SettlementWait,
  type StatusWait,
  waitForSettlement,
  waitForStatus,
} from './wait-for-status.ts';

/** Payment requests of the connection. */
export class ConnectionPaymentRequests extends ConnectionPaymentRequestsCalls {
  readonly #api: Api;
  readonly #connectionId: string | undefined;
  readonly #store: Store | undefined;

  /** Made by `ConnectionClient`. */
  constructor(api: Api, connectionId: string | undefined, store: Store | undefined) {
    super(api);
    this.#api = api;
    this.#connectionId = connectionId;
    this.#store = store;
  }

  /**
   * Creates a request. Success means that the customer is asked to decide, not that anything is paid. Every attempt
   * carries the same idempotency key, so it is retried safely when the connection fails; the key is returned with the
   * response.
   *
   * @example
   * ```ts
   * const { payment_request } = await client.paymentRequests.create(
   *   { recipient_id: recipientId, payment: { amount: '12.50' } },
   *   { intent: 'order-1001' },
   * );
   * ```
   */
  async create(
    input: PaymentRequestInput,
    options: CreateOptions = {},
  ): Promise<PaymentRequestAnswer & Keyed> {
    const place = { scope: this.#connectionId, store: this.#store };
    return createOnce(this.#api, createPaymentRequest, completed(input), place, options);
  }

  /**
   * What a create with this input would pin, and what the customer should know. Makes every check and stores nothing.
   */
  async preview(input: PaymentRequestInput, options: CallOptions = {}): Promise<PreviewAnswer> {
    return this.#api.call(previewPaymentRequest, { body: completed(input) }, options);
  }

  /** Reads one request: the record that events and webhooks only refer to. `confirmed` is the wallet's report. */
  get(requestId: string, options: CallOptions = {}): Promise<PaymentRequestAnswer> {
    return this.#api.call(getPaymentRequest, { params: { id: requestId } }, options);
  }

  /**
   * Reads one request when its `state_version` is above the one that is known, or after `wait` seconds (at most 30).
   */
  getChanged(
    requestId: string,
    query: Pick<PaymentRequestReadQuery, 'wait' | 'state_version'>,
    options: CallOptions = {},
  ): Promise<PaymentRequestAnswer> {
    return this.#api.call(getPaymentRequest, { params: { id: requestId }, query }, options);
  }

  /** Everything that proves the outcome of a request, for `payassent verify` and for keeping. */
  evidence(requestId: string, options: CallOptions = {}): Promise<EvidenceBundle> {
    return this.#api.call(getPaymentRequestEvidence, { params: { id: requestId } }, options);
  }

  /** The history of one request, step by step, oldest first. */
  history(requestId: string, options: CallOptions = {}): Promise<PaymentRequestHistory> {
    return this.#api.call(listEventsOfPaymentRequest, { params: { id: requestId } }, options);
  }

  /** One page of status events after `since`. */
  listEvents(query: EventsQuery = {}, options: CallOptions = {}): Promise<EventsPage> {
    return requestEvents.read(this.#api, query, options);
  }

  /**
   * Status events as they happen, without end. With `cursor` the position is kept in the store; otherwise store
   * `event.sequence` after handling an event and pass it as `since` the next time. Throws `EventGapError` if a number
   * is missing. End it with `break` or a signal.
   *
   * @example
   * ```ts
   * for await (const event of client.paymentRequests.events({ cursor: 'worker' })) handle(event);
   * ```
   */
  events(options: EventsOptions = {}): AsyncGenerator<PaymentRequestEvent, void, undefined> {
    return requestEvents.follow(this.#api, options, storedCursor(options, this.#store, this.#connectionId));
  }

  /**
   * Waits until the request has reached one of `statuses` (a final one unless given), can no longer reach any of them,
   * or the wallet has signed and then sent nothing until ten minutes past the end of the request. At most five minutes
   * unless given; then `WaitTimeoutError` with the request as last read. `outcome` and `standing` summarize the
   * returned request in a word: a rejection is a response, not an error.
   *
   * @example
   * ```ts
   * const request = await client.paymentRequests.waitForStatus(requestId);
   * if (outcome(request) === 'paid') deliver(request.tx_hash);
   * ```
   */
  waitForStatus(requestId: string, options: StatusWait = {}): Promise<PaymentRequest> {
    return waitForStatus(this.#api, requestId, options);
  }

  /**
   * Waits until the settlement is closed (`final`, `mismatch` or `failed_on_chain`, or one of `states`), or the request
   * has ended without a transaction. At most five minutes unless given; then `WaitTimeoutError`, also where the service
   * does not observe the network: `settlement` stays null there.
   *
   * @example
   * ```ts
   * const request = await client.paymentRequests.waitForSettlement(requestId);
   * if (request.settlement?.state === 'final') deliver(request.tx_hash);
   * ```
   */
  waitForSettlement(requestId: string, options: SettlementWait = {}): Promise<PaymentRequest> {
    return waitForSettlement(this.#api, requestId, options);
  }
}

function completed(input: PaymentRequestInput) {
  needObject(input, "Pass what to request: { recipient_id: 'rcp_…', payment: { amount: '12.50' } }");
  return { ...input, policy: input.policy ?? { requires_user_approval: true as const } };
}
