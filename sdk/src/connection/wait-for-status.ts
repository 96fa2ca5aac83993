import { allowedNext, isFinal, type PaymentRequestStatus } from '@payassent/protocol';
import type { PaymentRequest } from '../contract.ts';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { withDeadline } from '../core/deadline.ts';
import { createPacer } from '../core/pacer.ts';
import { newestSequence, readEvents } from './events.ts';
import { readPaymentRequest } from './request-reads.ts';

/** What to wait for. `timeoutMs` is for the whole wait here, not for one attempt. */
export interface StatusWait extends Omit<CallOptions, 'timeoutMs'> {
  /** Any of these ends the wait; every final status unless stated. */
  statuses?: readonly PaymentRequestStatus[];
  /** For the whole wait; then `WaitTimeoutError`. Without it the request's own end decides. */
  timeoutMs?: number;
  /** A sequence at or before the present one, if the caller has it; saves finding the newest. */
  since?: number;
}

const LONGEST_POLL_S = 25;

/** Within the time that the caller gives, whatever call it is spent in. */
export function waitForStatus(api: Api, requestId: string, wait: StatusWait): Promise<PaymentRequest> {
  const { timeoutMs, signal, ...rest } = wait;
  const deadline = { what: 'The awaited status', timeoutMs, signal };
  return withDeadline(api.settings, deadline, (limited) => follow(api, requestId, { ...rest, ...limited }));
}

/**
 * The request may be there already, which costs one read. Otherwise first the newest number, then the request again, then
 * the events after that number: whatever happens in between is either in the record that is read or among the events
 * that follow, so nothing can slip through.
 */
async function follow(api: Api, requestId: string, wait: StatusWait): Promise<PaymentRequest> {
  const { statuses, since = 0, ...options } = wait;
  const isOver = ({ status }: PaymentRequest) => {
    const isReached = statuses ? statuses.includes(status) : isFinal('payment_request', status);
    // No status comes back: one that was passed on the way can no longer be reached, which ends the wait too.
    return isReached || !canReachAny(status, statuses);
  };
  const read = async () => (await readPaymentRequest(api, requestId, {}, options)).payment_request;

  const first = await read();
  if (isOver(first)) return first;
  let cursor = await newestSequence(api, since, options);
  let current = await read();
  const pace = createPacer(api.settings, options.signal);
  while (!isOver(current)) {
    const page = await pace(
      () => readEvents(api, { since: cursor, wait: LONGEST_POLL_S }, options),
      ({ events }) => events.length > 0,
    );
    cursor = page.next_cursor;
    if (page.events.some((event) => event.request_id === requestId)) current = await read();
  }
  return current;
}

function canReachAny(
  from: PaymentRequestStatus,
  statuses: readonly PaymentRequestStatus[] | undefined,
): boolean {
  const next = allowedNext('payment_request', from);
  if (!statuses) return next.length > 0;
  return next.some((status) => statuses.includes(status) || canReachAny(status, statuses));
}
