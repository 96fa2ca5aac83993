import type { AgentPayment, AgentPaymentInput } from '../contract.ts';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { needObject } from '../core/checks.ts';
import { type CreateOptions, createOnce, type Keyed } from '../core/idempotency.ts';
import type { Store } from '../core/store.ts';
import { AgentPaymentsCalls } from '../generated/agent-payments.ts';
import { createAgentPayment, getAgentPayment } from '../operations.ts';
import {
  type AgentPaymentSettlementWait,
  type AgentPaymentWait,
  waitForPayment,
  waitForPaymentSettlement,
} from './wait-for-status.ts';

/** Agent payments. Every method returns the `data` of the response. */
export class AgentPayments extends AgentPaymentsCalls {
  readonly #api: Api;
  readonly #store: Store | undefined;

  /** Made by the clients. */
  constructor(api: Api, store: Store | undefined) {
    super(api);
    this.#api = api;
    this.#store = store;
  }

  /**
   * Creates an intent. Above a policy's thresholds it is refused with `HC_NC_5_HITL_REQUIRED`, and a person has to
   * submit it. Every attempt carries the same idempotency key, which comes back with the response.
   *
   * @example
   * ```ts
   * const payment = await agent.payments.create(
   *   { connection_id, network: 'stellar_testnet', asset: 'XLM', amount: '5', recipient_id },
   *   { intent: 'order-1001' },
   * );
   * ```
   */
  async create(input: AgentPaymentInput, options: CreateOptions = {}): Promise<AgentPayment & Keyed> {
    needObject(input, 'Name what to pay: connection_id, network, asset, amount and recipient_id');
    const place = { scope: input.connection_id, store: this.#store };
    return createOnce(this.#api, createAgentPayment, input, place, options);
  }

  /** Reads one payment with its authoritative status. */
  get(paymentId: string, options: CallOptions = {}): Promise<AgentPayment> {
    return this.#api.call(getAgentPayment, { params: { id: paymentId } }, options);
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
