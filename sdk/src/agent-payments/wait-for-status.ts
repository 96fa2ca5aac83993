import type { AgentPaymentStatus } from '@payassent/protocol';
import type { SettlementWait } from '../connection/wait-for-status.ts';
import type { AgentPayment } from '../contract.ts';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { createPacer } from '../core/deadline.ts';
import { type Awaited, LONGEST_POLL_S, untilSettlement, untilStatus } from '../core/payment-wait.ts';
import { getAgentPayment } from '../operations.ts';

/** What to wait for. `timeoutMs` is for the whole wait here, not for one attempt. */
export interface AgentPaymentWait extends Omit<CallOptions, 'timeoutMs'> {
  /** Any of these ends the wait; by default every final status. */
  statuses?: readonly AgentPaymentStatus[];
  /**
   * For the whole wait; default 300,000. Then the wait throws `WaitTimeoutError`, which carries the payment as last
   * read.
   */
  timeoutMs?: number;
}

/** What to wait for on the chain. `timeoutMs` is for the whole wait here, not for one attempt. */
export type AgentPaymentSettlementWait = Omit<SettlementWait, 'since'>;

/** Settlement does not change `state_version`, so it does not end a long poll early. */
const SETTLEMENT_POLL_S = 5;

export async function waitForPayment(
  api: Api,
  paymentId: string,
  wait: AgentPaymentWait,
): Promise<AgentPayment> {
  return untilStatus(api, 'agent_payment', wait, (awaited) =>
    follow(api, paymentId, LONGEST_POLL_S, awaited),
  );
}

export async function waitForPaymentSettlement(
  api: Api,
  paymentId: string,
  wait: AgentPaymentSettlementWait,
): Promise<AgentPayment> {
  return untilSettlement(api, 'agent_payment', wait, (awaited) =>
    follow(api, paymentId, SETTLEMENT_POLL_S, awaited),
  );
}

/** Each poll returns when the payment has changed since the previous one. */
async function follow(
  api: Api,
  paymentId: string,
  pollS: number,
  { isOver, seen, insist, options }: Awaited<AgentPayment>,
): Promise<AgentPayment> {
  const read = async (query: { wait?: number; state_version?: number }) =>
    seen(await insist(() => api.call(getAgentPayment, { params: { id: paymentId }, query }, options)));
  const pace = createPacer(api.settings, options.signal);
  let payment = await read({});
  while (!isOver(payment)) {
    const { state_version } = payment;
    payment = await pace(
      () => read({ wait: pollS, state_version }),
      (next) => next.state_version > state_version,
    );
  }
  return payment;
}
