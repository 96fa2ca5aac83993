import {
  AGENT_PAYMENT_STATUSES,
  allowedNext,
  isFinal,
  PAYMENT_REQUEST_STATUSES,
  SETTLEMENT_STATES,
  type SettlementState,
} from '@payassent/protocol';
import type { AgentPayment, PaymentRequest } from '../contract.ts';
import { WaitTimeoutError } from '../errors/waiting.ts';
import { standing } from '../outcome.ts';
import type { Api } from './api.ts';
import type { CallOptions } from './call.ts';
import { checkedStatuses, needObject } from './checks.ts';
import { systemClock } from './clock.ts';
import { withDeadline } from './deadline.ts';
import { createInsist, type Insist } from './retry.ts';

/** The common part of the waits for payment requests and for agent payments. */

/** How long the service may hold one poll. */
export const LONGEST_POLL_S = 25;
const LONGEST_WAIT_MS = 300_000;
const LAST_WORDS: readonly SettlementState[] = ['final', 'mismatch', 'failed_on_chain'];
const STATUSES = {
  payment_request: PAYMENT_REQUEST_STATUSES,
  agent_payment: AGENT_PAYMENT_STATUSES,
} as const;

type Kind = keyof typeof STATUSES;
type Payment = PaymentRequest | AgentPayment;

interface Bounds extends Omit<CallOptions, 'timeoutMs'> {
  timeoutMs?: number;
}

/** The goal of a wait, and the calls that poll for it. */
export interface Awaited<Of extends Payment> {
  isOver: (payment: Of) => boolean;
  /** Records each payment that is read, for the error of a wait that times out. */
  seen: (payment: Of) => Of;
  /** Wraps every call of the wait: temporary failures do not end it. */
  insist: Insist;
  options: CallOptions;
}

/** Within the time that the caller gives, whatever call it is spent in. */
function bounded<Of extends Payment>(
  { settings }: Api,
  what: string,
  { timeoutMs = LONGEST_WAIT_MS, signal, ...rest }: Bounds,
  isOver: (payment: Of) => boolean,
  follow: (awaited: Awaited<Of>) => Promise<Of>,
): Promise<Of> {
  let last: Of | undefined;
  const seen = (payment: Of) => {
    last = payment;
    return payment;
  };
  let failure: unknown;
  const late = () => new WaitTimeoutError(what, timeoutMs, last, failure);
  return withDeadline(settings, { late, timeoutMs, signal }, (limited) => {
    const insist = createInsist(settings, {
      signal: limited.signal,
      onFailure(error) {
        failure = error;
      },
    });
    return follow({ isOver, seen, insist, options: { ...rest, ...limited } });
  });
}

/**
 * Until one of the statuses is reached, or none of them can be reached any more. Also ends when the wallet has signed
 * and then sent nothing more, because it may never report again.
 */
export async function untilStatus<Of extends Payment>(
  api: Api,
  kind: Kind,
  wait: Bounds & { statuses?: readonly Of['status'][] },
  follow: (awaited: Awaited<Of>) => Promise<Of>,
): Promise<Of> {
  needObject(wait, "The options of a wait are an object, for example { statuses: ['confirmed'] }");
  const { statuses, ...bounds } = wait;
  if (statuses !== undefined) checkedStatuses<string>(statuses, STATUSES[kind]);
  const isAwaited = (status: string) => !statuses || (statuses as readonly string[]).includes(status);
  const canReach = (from: Of['status']): boolean =>
    nextOf(kind, from).some((next) => (statuses ? isAwaited(next) || canReach(next) : true));
  const isOver = (payment: Of) =>
    (statuses !== undefined && isAwaited(payment.status)) ||
    !canReach(payment.status) ||
    standing(payment, ownTime(api)) === 'outcome_unknown';
  return bounded(api, 'The awaited status', bounds, isOver, follow);
}

/** A clock that the caller brought counts; otherwise the service's. */
function ownTime({ settings: { clock } }: Api): number | undefined {
  return clock === systemClock ? undefined : clock.now();
}

/** Until the settlement has reached one of these states, or the payment has ended and nothing was sent. */
export async function untilSettlement<Of extends Payment>(
  api: Api,
  kind: Kind,
  wait: Bounds & { states?: readonly SettlementState[] },
  follow: (awaited: Awaited<Of>) => Promise<Of>,
): Promise<Of> {
  needObject(wait, "The options of a wait are an object, for example { states: ['final'] }");
  const { states = LAST_WORDS, ...bounds } = wait;
  checkedStatuses(states, SETTLEMENT_STATES, 'states');
  const isOver = ({ settlement, tx_hash, status }: Of) =>
    (settlement != null && states.includes(settlement.state)) ||
    (tx_hash == null && isFinal(kind, status as never));
  return bounded(api, 'The awaited settlement', bounds, isOver, follow);
}

function nextOf(kind: Kind, from: Payment['status']): Payment['status'][] {
  return allowedNext(kind, from as never);
}
