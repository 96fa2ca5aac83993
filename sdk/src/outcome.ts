import type { AgentPaymentStatus, PaymentRequestStatus } from '@payassent/protocol';
import type { AgentPayment, PaymentRequest } from './contract.ts';
import { serviceNow } from './core/service-time.ts';

/**
 * The state of a payment, with a separate word for each end. `paid` is the wallet's report; `failed` means that the
 * wallet reported that nothing was or will be paid; `outcome_unknown` that it signed and then sent nothing more: money
 * may have moved.
 */
export type Standing =
  | 'waiting_for_person'
  | 'approved_not_yet_paid'
  | 'paid'
  | 'rejected_by_person'
  | 'withdrawn_by_merchant'
  | 'connection_revoked'
  | 'expired_without_decision'
  | 'withdrawn'
  | 'failed'
  | 'outcome_unknown';

/**
 * What to do next: deliver, give up, wait, or check the chain. Never request again while it is `waiting` or `unknown`.
 */
export type Outcome = 'paid' | 'not_paid' | 'waiting' | 'unknown';

/** The members of a payment request or an agent payment that describe its state. */
export type PaymentState = Pick<
  PaymentRequest | AgentPayment,
  'status' | 'reason' | 'expires_at' | 'updated_at'
>;

const STANDINGS: Readonly<Record<PaymentRequestStatus | AgentPaymentStatus, Standing>> = {
  pending: 'waiting_for_person',
  intent_created: 'waiting_for_person',
  signed: 'approved_not_yet_paid',
  broadcasted: 'approved_not_yet_paid',
  confirmed: 'paid',
  rejected: 'rejected_by_person',
  expired: 'expired_without_decision',
  cancelled: 'withdrawn',
  failed: 'failed',
};

const OUTCOMES: Readonly<Record<Standing, Outcome>> = {
  waiting_for_person: 'waiting',
  approved_not_yet_paid: 'waiting',
  paid: 'paid',
  rejected_by_person: 'not_paid',
  withdrawn_by_merchant: 'not_paid',
  connection_revoked: 'not_paid',
  expired_without_decision: 'not_paid',
  withdrawn: 'not_paid',
  failed: 'not_paid',
  outcome_unknown: 'unknown',
};

/** Ends of a request that is `rejected` although no person decided, by their reason. */
const ENDED_BY_OTHERS: Readonly<Record<string, Standing>> = {
  payee_recalled: 'withdrawn_by_merchant',
  connection_revoked: 'connection_revoked',
};

const TAKEN_BACK: readonly unknown[] = ['withdrawn_by_agent', 'superseded'];
/** A wallet that signed counts as silent this long after its last report and the end of the request. */
const SILENCE_MS = 10 * 60_000;

/**
 * The state of a payment request or an agent payment in one word. `now` is in milliseconds since 1970; without it a
 * record that a client has read is judged by the clock of the service, any other by this machine's.
 */
export function standing(payment: PaymentState, now?: number): Standing {
  if (typeof payment?.status !== 'string')
    throw new TypeError('Pass the payment request itself, for example response.payment_request');
  const { status, reason, expires_at, updated_at } = payment;
  const stated = Object.hasOwn(STANDINGS, status) ? STANDINGS[status] : 'outcome_unknown';
  if (status === 'expired' && TAKEN_BACK.includes(reason)) return 'withdrawn';
  if (status === 'rejected' && typeof reason === 'string' && Object.hasOwn(ENDED_BY_OTHERS, reason))
    return ENDED_BY_OTHERS[reason] ?? stated;
  const lastWord = Math.max(Date.parse(expires_at), Date.parse(updated_at));
  const isOver = (now ?? serviceNow(payment)) > lastWord + SILENCE_MS;
  return stated === 'approved_not_yet_paid' && isOver ? 'outcome_unknown' : stated;
}

/**
 * Whether a payment request or an agent payment was paid, according to the wallet. A status of a newer service that
 * this SDK does not know is `unknown`.
 *
 * @example
 * ```ts
 * const request = await client.paymentRequests.waitForStatus(requestId);
 * if (outcome(request) === 'paid') deliver(request.tx_hash);
 * else if (outcome(request) === 'not_paid') giveUp(standing(request));
 * ```
 */
export function outcome(payment: PaymentState, now?: number): Outcome {
  return OUTCOMES[standing(payment, now)];
}
