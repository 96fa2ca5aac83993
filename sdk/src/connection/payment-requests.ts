import type { PaymentRequest, PaymentRequestEvent } from '@payassent/protocol';
import { createPaymentRequest } from '@payassent/protocol/api';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { type CreateOptions, createOnce, type IdempotencyStore, type Keyed } from '../core/idempotency.ts';
import { type EventsOptions, type EventsPage, type EventsQuery, followEvents, readEvents } from './events.ts';
import {
  eachPaymentRequest,
  type PaymentRequestAnswer,
  type PaymentRequestQuery,
  type PaymentRequestsPage,
  readPage,
  readPaymentRequest,
} from './request-reads.ts';
import { type StatusWait, waitForStatus } from './wait-for-status.ts';

/** What an agent asks for. Network, asset, address and every other fact come from the Recipient. */
export interface PaymentRequestInput {
  /** A Recipient with an active version. */
  recipient_id: string;
  /** When sent, it must be the active version; otherwise nothing is created. */
  recipient_version_id?: string;
  /** An exact decimal such as `"12.50"`, never a number. */
  payment: { amount: string };
  /** Always true; filled in when absent. */
  policy?: { requires_user_approval: true };
  /**
   * When the request ends by itself; one hour ahead when absent. It is part of the intent: a repetition after a restart
   * must state the same moment or none.
   */
  expires_at?: string;
  /** Becomes the id of the request; unique in the organization. */
  request_id?: string;
  /** A context whose newest revision is pinned, or an id that has none yet. */
  transaction_id?: string;
  /** Where the request comes from. */
  source?: Record<string, unknown>;
  /** What the user may be shown. Never a payment fact. */
  display?: Record<string, unknown>;
  /** Notes of the agent. Never a payment fact. */
  metadata?: Record<string, unknown>;
}

/** Payment requests of the connection. */
export class ConnectionPaymentRequests {
  readonly #api: Api;
  readonly #connectionId: string | undefined;
  readonly #store: IdempotencyStore | undefined;

  /** Made by `ConnectionClient`. */
  constructor(api: Api, connectionId: string | undefined, store: IdempotencyStore | undefined) {
    this.#api = api;
    this.#connectionId = connectionId;
    this.#store = store;
  }

  /**
   * Creates a request. Success means that the user is asked, not that anything is paid. Every attempt carries the same
   * idempotency key, so it is repeated safely when the connection fails; the key comes back with the answer.
   */
  create(input: PaymentRequestInput, options: CreateOptions = {}): Promise<PaymentRequestAnswer & Keyed> {
    const body = { ...input, policy: input.policy ?? { requires_user_approval: true } };
    const place = { scope: this.#connectionId, store: this.#store };
    return createOnce(this.#api, createPaymentRequest, body, place, options);
  }

  /** Reads one request: the truth, which events and webhooks only point to. */
  get(requestId: string, options: CallOptions = {}): Promise<PaymentRequestAnswer> {
    return readPaymentRequest(this.#api, requestId, {}, options);
  }

  /** One page of the connection's requests. */
  list(query: PaymentRequestQuery = {}, options: CallOptions = {}): Promise<PaymentRequestsPage> {
    return readPage(this.#api, query, options);
  }

  /** All of the connection's requests, page by page. */
  each(
    query: PaymentRequestQuery = {},
    options: CallOptions = {},
  ): AsyncGenerator<PaymentRequest, void, undefined> {
    return eachPaymentRequest(this.#api, query, options);
  }

  /** One page of status events after `since`. */
  listEvents(query: EventsQuery = {}, options: CallOptions = {}): Promise<EventsPage> {
    return readEvents(this.#api, query, options);
  }

  /**
   * Status events as they happen, without end. Store `event.sequence` after handling an event and begin there the next
   * time. Throws `EventGapError` if a number is missing. End it with `break` or a signal.
   */
  events(options: EventsOptions = {}): AsyncGenerator<PaymentRequestEvent, void, undefined> {
    return followEvents(this.#api, options);
  }

  /**
   * Waits until the request has reached one of `statuses` (a final one unless stated), or can no longer reach any of
   * them. Look at `status` of what it returns: a rejection is an answer, not an error.
   */
  waitForStatus(requestId: string, options: StatusWait = {}): Promise<PaymentRequest> {
    return waitForStatus(this.#api, requestId, options);
  }
}
