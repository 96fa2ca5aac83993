import {
  type AgentPaymentSettlementWait,
  type AgentPaymentWait,
  waitForPayment,
  waitForPaymentSettlement,
} from '../agent-payments/wait-for-status.ts';
import type { EventsQuery } from '../aliases.ts';
import type { AgentPayment, AgentPaymentEvent, AgentPaymentEventsPage } from '../contract.ts';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import type { Store } from '../core/store.ts';
import { ConnectionAgentPaymentsCalls } from '../generated/connection.ts';
import { getAgentPayment, listAgentPaymentEvents } from '../operations.ts';
import { EventReader, type EventsOptions, storedCursor } from './event-reader.ts';

/** The status events of agent payments, which have a separate sequence. */
const paymentEvents = new EventReader<AgentPaymentEvent>(listAgentPaymentEvents);

/** What a connected agent sees of its agent payments and policies. They are created with an API key. */
export class ConnectionAgentPayments extends ConnectionAgentPaymentsCalls {
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

  /** Reads one payment with its authoritative status. */
  get(paymentId: string, options: CallOptions = {}): Promise<AgentPayment> {
    return this.#api.call(getAgentPayment, { params: { id: paymentId } }, options);
  }

  /** One page of status events after `since`. */
  listEvents(query: EventsQuery = {}, options: CallOptions = {}): Promise<AgentPaymentEventsPage> {
    return paymentEvents.read(this.#api, query, options);
  }

  /** Status events as they happen, without end, like those of payment requests but in a separate sequence. */
  events(options: EventsOptions = {}): AsyncGenerator<AgentPaymentEvent, void, undefined> {
    const { cursor } = options;
    // The same name means another place than among payment requests.
    const named = cursor === undefined ? options : { ...options, cursor: `agent_payment ${cursor}` };
    return paymentEvents.follow(this.#api, options, storedCursor(named, this.#store, this.#connectionId));
  }

  /**
   * Waits until the payment has reached one of `statuses` (a final one unless given), can no longer reach any of them,
   * or the wallet has signed and then sent nothing more. Check `status` of the returned payment: a rejection is a
   * response, not an error.
   */
  waitForStatus(paymentId: string, options: AgentPaymentWait = {}): Promise<AgentPayment> {
    return waitForPayment(this.#api, paymentId, options);
  }

  /**
   * Waits until the settlement is closed (`final`, `mismatch` or `failed_on_chain`, or one of `states`), or the payment
   * has ended without a transaction. At most five minutes unless given; then `WaitTimeoutError`, also where the service
   * does not observe the network: `settlement` stays null there.
   */
  waitForSettlement(paymentId: string, options: AgentPaymentSettlementWait = {}): Promise<AgentPayment> {
    return waitForPaymentSettlement(this.#api, paymentId, options);
  }
}
