import type { AgentPayment, AgentPaymentStatus, PaymentInitiator } from '@payassent/protocol';
import {
  cancelAgentPayment,
  createAgentPayment,
  getAgentPayment,
  listAgentPayments,
  reportAgentPaymentStatus,
} from '@payassent/protocol/api';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { type CreateOptions, createOnce, type IdempotencyStore, type Keyed } from '../core/idempotency.ts';
import { eachRecord, type PageQuery } from '../core/pages.ts';
import type { SignedDecision } from '../wallet/decisions.ts';

/** An intended payment: to a Recipient, or to an address with the network's native asset. */
export interface AgentPaymentInput {
  /** Whose wallet pays. */
  connection_id: string;
  /** Only `stellar_testnet` is open. */
  network: 'stellar_testnet';
  /** For example `XLM`. */
  asset: string;
  /** An exact decimal such as `"12.50"`. */
  amount: string;
  /** Either this … */
  recipient_id?: string;
  /** … or this. */
  to?: string;
  /** `human` needs an admin session or a wallet; `agent` unless stated. */
  initiated_by?: PaymentInitiator;
  /** The policy that should cover it. */
  policy_id?: string;
  /** One hour ahead when absent; part of the intent. */
  expires_at?: string;
  /** Notes; never a payment fact. */
  metadata?: Record<string, unknown>;
}

/** What the wallet reports about an agent payment. */
export interface AgentPaymentReport {
  /** Where the payment stands now. */
  status: AgentPaymentStatus;
  /** The transaction on its network; once set it never changes. */
  tx_hash?: string;
  /** For programs; only with rejected and failed. */
  reason_code?: string;
  /** For people; only with rejected and failed. */
  reason?: string;
  /** Only with signed and rejected: the signed decision, from `signDecision` or a passkey. */
  decision?: SignedDecision;
  /**
   * After `signed` only the device that signed reports on. Another device of the wallet may take its place with `true`.
   * Ask the user first: the other device may still send what it has signed.
   */
  takeover?: boolean;
}

/** Which agent payments. */
export interface AgentPaymentQuery extends PageQuery {
  /** Only those in this status. */
  status?: AgentPaymentStatus;
  /** Only those of this connection. */
  connection_id?: string;
}

/** One page of the second surface. */
export interface ItemsPage<Item> {
  /** Newest first. */
  items: Item[];
  /** Where the next page begins; null on the last one. */
  next_cursor: string | null;
}

/** Agent payments. Every method returns the `data` of the answer. */
export class AgentPayments {
  readonly #api: Api;
  readonly #store: IdempotencyStore | undefined;

  /** Made by the clients. */
  constructor(api: Api, store: IdempotencyStore | undefined) {
    this.#api = api;
    this.#store = store;
  }

  /**
   * Creates an intent. Above a policy's thresholds it is refused with `HC_NC_5_HITL_REQUIRED`, and a person has to
   * submit it. Every attempt carries the same idempotency key, which comes back with the answer.
   */
  create(input: AgentPaymentInput, options: CreateOptions = {}): Promise<AgentPayment & Keyed> {
    const place = { scope: input.connection_id, store: this.#store };
    return createOnce(this.#api, createAgentPayment, input, place, options);
  }

  /** Reads one payment with its authoritative status. */
  get(paymentId: string, options: CallOptions = {}): Promise<AgentPayment> {
    return this.#api.call(getAgentPayment, { params: { id: paymentId } }, options);
  }

  /** One page of what the credential may see. */
  list(query: AgentPaymentQuery = {}, options: CallOptions = {}): Promise<ItemsPage<AgentPayment>> {
    return this.#api.call(listAgentPayments, { query: { ...query } }, options);
  }

  /** All of them, page by page. */
  each(
    query: AgentPaymentQuery = {},
    options: CallOptions = {},
  ): AsyncGenerator<AgentPayment, void, undefined> {
    return eachRecord(this.#api, listAgentPayments, 'items', { query }, options);
  }

  /** Withdraws an intent that the wallet has not acted on. For API keys and admin sessions. */
  cancel(paymentId: string, options: CallOptions = {}): Promise<AgentPayment> {
    return this.#api.call(cancelAgentPayment, { params: { id: paymentId } }, options);
  }

  /** Reports what the wallet did. For wallets. */
  reportStatus(
    paymentId: string,
    report: AgentPaymentReport,
    options: CallOptions = {},
  ): Promise<AgentPayment> {
    return this.#api.call(reportAgentPaymentStatus, { params: { id: paymentId }, body: report }, options);
  }
}
