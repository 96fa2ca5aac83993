import { AGENT_PAYMENT_STATUSES, type AgentPaymentStatus, allowedNext, isFinal } from '@payassent/protocol';
import { getAgentPayment } from '@payassent/protocol/api';
import type { AgentPayment, AgentPaymentReadQuery } from '../contract.ts';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { checkedStatuses } from '../core/checks.ts';
import { withDeadline } from '../core/deadline.ts';
import { createPacer } from '../core/pacer.ts';
import { WaitTimeoutError } from '../errors/waiting.ts';
import { standing } from '../outcome.ts';

/** What to wait for. `timeoutMs` is for the whole wait here, not for one attempt. */
export interface AgentPaymentWait extends Omit<CallOptions, 'timeoutMs'> {
  /** Any of these ends the wait; every final status unless stated. */
  statuses?: readonly AgentPaymentStatus[];
  /** For the whole wait, 300,000 unless stated; then `WaitTimeoutError`, which carries the payment as last read. */
  timeoutMs?: number;
}

const LONGEST_POLL_S = 25;
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

/** Each look is answered when the payment has changed since the one before. */
export async function waitForPayment(
  api: Api,
  paymentId: string,
  { timeoutMs = LONGEST_WAIT_MS, signal, statuses, ...rest }: AgentPaymentWait,
): Promise<AgentPayment> {
  if (statuses !== undefined) checkedStatuses(statuses, AGENT_PAYMENT_STATUSES);
  let last: AgentPayment | undefined;
  const late = () => new WaitTimeoutError('The awaited status', timeoutMs, last);
  return withDeadline(api.settings, { late, timeoutMs, signal }, async (limited) => {
    const options = { ...rest, ...limited };
    const pace = createPacer(api.settings, options.signal);
    let payment = await readAgentPayment(api, paymentId, {}, options);
    for (;;) {
      last = payment;
      if (hasEnded(payment, statuses, api.settings.clock.now())) return payment;
      const { state_version } = payment;
      payment = await pace(
        () => readAgentPayment(api, paymentId, { wait: LONGEST_POLL_S, state_version }, options),
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
