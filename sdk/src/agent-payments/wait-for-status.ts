import { type AgentPaymentStatus, allowedNext, isFinal } from '@payassent/protocol';
import { getAgentPayment } from '@payassent/protocol/api';
import type { AgentPayment } from '../contract.ts';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { sleep } from '../core/clock.ts';
import { withDeadline } from '../core/deadline.ts';
import { createPacer } from '../core/pacer.ts';
import { atLeast } from '../core/settings.ts';
import { WaitTimeoutError } from '../errors/waiting.ts';
import { paymentEvents } from './events.ts';

/** What to wait for. `timeoutMs` is for the whole wait here, not for one attempt. */
export interface AgentPaymentWait extends Omit<CallOptions, 'timeoutMs'> {
  /** Any of these ends the wait; every final status unless stated. */
  statuses?: readonly AgentPaymentStatus[];
  /** For the whole wait; then `WaitTimeoutError`. Without it the payment's own end decides. */
  timeoutMs?: number;
  /** Between two looks, where events cannot be followed; 2,000 unless stated. */
  pollMs?: number;
}

const LONGEST_POLL_S = 25;

/** Waits between two looks until there may be something new. */
type Pause = () => Promise<unknown>;

/** With a connection token: woken by the payment's events. */
export function waitByEvents(api: Api, paymentId: string, wait: AgentPaymentWait): Promise<AgentPayment> {
  return waitUntil(api, paymentId, wait, (options) => {
    const pace = createPacer(api.settings, options.signal);
    let cursor: number | undefined;
    return async () => {
      // First the newest number, then another look: whatever happens in between is in the one or after the other.
      if (cursor === undefined) {
        cursor = await paymentEvents.newest(api, 0, options);
        return;
      }
      const query = { since: cursor, wait: LONGEST_POLL_S };
      const page = await pace(
        () => paymentEvents.read(api, query, options),
        ({ events }) => events.length > 0,
      );
      cursor = page.next_cursor;
    };
  });
}

/** With any other credential: looks now and then. */
export function waitByReading(api: Api, paymentId: string, wait: AgentPaymentWait): Promise<AgentPayment> {
  const pollMs = atLeast('pollMs', wait.pollMs ?? 2000, 1);
  return waitUntil(
    api,
    paymentId,
    wait,
    ({ signal }) =>
      () =>
        sleep(api.settings.clock, pollMs, signal),
  );
}

function waitUntil(
  api: Api,
  paymentId: string,
  { timeoutMs, signal, statuses, pollMs: _, ...rest }: AgentPaymentWait,
  createPause: (options: CallOptions) => Pause,
): Promise<AgentPayment> {
  const late = () => new WaitTimeoutError('The awaited status', timeoutMs ?? 0);
  const deadline = { late, timeoutMs, signal };
  return withDeadline(api.settings, deadline, async (limited) => {
    const options = { ...rest, ...limited };
    const pause = createPause(options);
    for (;;) {
      const payment = await api.call(getAgentPayment, { params: { id: paymentId } }, options);
      if (isOver(payment.status, statuses)) return payment;
      await pause();
    }
  });
}

/** Also when none of them can be reached any more: no status comes back. */
function isOver(status: AgentPaymentStatus, statuses: readonly AgentPaymentStatus[] | undefined): boolean {
  if (!statuses) return isFinal('agent_payment', status);
  const canReach = (from: AgentPaymentStatus): boolean =>
    allowedNext('agent_payment', from).some((next) => statuses.includes(next) || canReach(next));
  return statuses.includes(status) || !canReach(status);
}
