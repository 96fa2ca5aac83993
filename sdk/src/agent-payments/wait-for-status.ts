import {
  AGENT_PAYMENT_STATUSES,
  type AgentPaymentStatus,
  allowedNext,
  isFinal,
  SETTLEMENT_STATES,
} from '@payassent/protocol';
import { isSettled, type SettlementWait } from '../connection/wait-for-status.ts';
import type { AgentPayment, AgentPaymentReadQuery } from '../contract.ts';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { checkedStatuses, needObject } from '../core/checks.ts';
import { withDeadline } from '../core/deadline.ts';
import { createPacer } from '../core/pacer.ts';
import { WaitTimeoutError } from '../errors/waiting.ts';
import { getAgentPayment } from '../operations.ts';
import { standing } from '../outcome.ts';

/** What to wait for. `timeoutMs` is for the whole wait here, not for one attempt. */
export interface AgentPaymentWait extends Omit<CallOptions, 'timeoutMs'> {
  /** Any of these ends the wait; every final status unless stated. */
  statuses?: readonly AgentPaymentStatus[];
  /** For the whole wait, 300,000 unless stated; then `WaitTimeoutError`, which carries the payment as last read. */
  timeoutMs?: number;
}

/** What to wait for on the chain. `timeoutMs` is for the whole wait here, not for one attempt. */
export type AgentPaymentSettlementWait = Omit<SettlementWait, 'since'>;

const LONGEST_POLL_S = 25;
/** What the chain says changes no `state_version`, so no poll is answered because of it. */
const SETTLEMENT_POLL_S = 5;
const LONGEST_WAIT_MS = 300_000;

/** Reads one with whatever credential the client has. */
export function readAgentPayment(
  api: Api,
  paymentId: string,
  query: AgentPaymentReadQuery,
  options: CallOptions,
): Promise<AgentPayment> {
  const waitMs = (query.wait ?? 0) * 1000;
  return api.call(getAgentPayment, { params: { id: paymentId }, query, waitMs }, options);
}

export async function waitForPayment(
  api: Api,
  paymentId: string,
  { statuses, ...rest }: AgentPaymentWait,
): Promise<AgentPayment> {
  if (statuses !== undefined) checkedStatuses(statuses, AGENT_PAYMENT_STATUSES);
  return waitUntil(api, paymentId, rest, {
    what: 'The awaited status',
    isOver: (payment) => hasEnded(payment, statuses, api.settings.clock.now()),
    pollS: LONGEST_POLL_S,
  });
}

export async function waitForPaymentSettlement(
  api: Api,
  paymentId: string,
  wait: AgentPaymentSettlementWait,
): Promise<AgentPayment> {
  needObject(wait, "The options of a wait are an object, for example { states: ['final'] }");
  const { states, ...rest } = wait;
  if (states !== undefined) checkedStatuses(states, SETTLEMENT_STATES, 'states');
  return waitUntil(api, paymentId, rest, {
    what: 'The awaited settlement',
    isOver: (payment) => isSettled(payment, isFinal('agent_payment', payment.status), states),
    pollS: SETTLEMENT_POLL_S,
  });
}

interface Awaited {
  what: string;
  isOver: (payment: AgentPayment) => boolean;
  /** How long one look may take. */
  pollS: number;
}

/** Each look is answered when the payment has changed since the one before. */
function waitUntil(
  api: Api,
  paymentId: string,
  { timeoutMs = LONGEST_WAIT_MS, signal, ...rest }: Omit<AgentPaymentWait, 'statuses'>,
  { what, isOver, pollS }: Awaited,
): Promise<AgentPayment> {
  let last: AgentPayment | undefined;
  const late = () => new WaitTimeoutError(what, timeoutMs, last);
  return withDeadline(api.settings, { late, timeoutMs, signal }, async (limited) => {
    const options = { ...rest, ...limited };
    const pace = createPacer(api.settings, options.signal);
    let payment = await readAgentPayment(api, paymentId, {}, options);
    for (;;) {
      last = payment;
      if (isOver(payment)) return payment;
      const { state_version } = payment;
      payment = await pace(
        () => readAgentPayment(api, paymentId, { wait: pollS, state_version }, options),
        (read) => read.state_version > state_version,
      );
    }
  });
}

/**
 * Also when none of the statuses can be reached any more: no status comes back. And when the wallet has signed and then
 * been silent: nothing tells whether it will ever say more.
 */
function hasEnded(
  payment: AgentPayment,
  statuses: readonly AgentPaymentStatus[] | undefined,
  now: number,
): boolean {
  const { status } = payment;
  const canReach = (from: AgentPaymentStatus): boolean =>
    allowedNext('agent_payment', from).some((next) => statuses?.includes(next) || canReach(next));
  const isReached = statuses
    ? statuses.includes(status) || !canReach(status)
    : isFinal('agent_payment', status);
  return isReached || standing(payment, now) === 'outcome_unknown';
}
