import type { PaymentRequestStatus, SettlementState } from '@payassent/protocol';
import type { PaymentRequest, PaymentRequestEvent } from '../contract.ts';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { createPacer } from '../core/deadline.ts';
import { type Awaited, LONGEST_POLL_S, untilSettlement, untilStatus } from '../core/payment-wait.ts';
import { getPaymentRequest, listPaymentRequestEvents } from '../operations.ts';
import { EventReader } from './event-reader.ts';

/** The status events of payment requests. */
export const requestEvents = new EventReader<PaymentRequestEvent>(listPaymentRequestEvents);

/** What to wait for. `timeoutMs` is for the whole wait here, not for one attempt. */
export interface StatusWait extends Omit<CallOptions, 'timeoutMs'> {
  /** Any of these ends the wait; by default every final status. */
  statuses?: readonly PaymentRequestStatus[];
  /**
   * For the whole wait; default 300,000. Then the wait throws `WaitTimeoutError`, which carries the request as last
   * read.
   */
  timeoutMs?: number;
  /** A known sequence at or before the current one; it saves the search for the newest. */
  since?: number;
}

/** What to wait for on the chain. `timeoutMs` is for the whole wait here, not for one attempt. */
export interface SettlementWait extends Omit<StatusWait, 'statuses'> {
  /** Any of these ends the wait; by default `final`, `mismatch` and `failed_on_chain`. */
  states?: readonly SettlementState[];
}

export async function waitForStatus(api: Api, requestId: string, wait: StatusWait): Promise<PaymentRequest> {
  return untilStatus(api, 'payment_request', wait, (awaited) => follow(api, requestId, awaited));
}

export async function waitForSettlement(
  api: Api,
  requestId: string,
  wait: SettlementWait,
): Promise<PaymentRequest> {
  return untilSettlement(api, 'payment_request', wait, (awaited) => follow(api, requestId, awaited));
}

/**
 * The request may be in the awaited state already, which costs one read. Otherwise first the newest number is read,
 * then the request again, then the events after that number: whatever happens in between is either in the record that
 * is read or among the events that follow, so nothing is missed.
 */
async function follow(
  api: Api,
  requestId: string,
  {
    isOver,
    seen,
    insist,
    options: { since = 0, ...options },
  }: Awaited<PaymentRequest> & { options: StatusWait },
): Promise<PaymentRequest> {
  const read = async () => {
    const input = { params: { id: requestId } };
    return seen((await insist(() => api.call(getPaymentRequest, input, options))).payment_request);
  };
  const first = await read();
  if (isOver(first)) return first;
  let cursor = await insist(() => requestEvents.newest(api, since, options));
  let current = await read();
  const pace = createPacer(api.settings, options.signal);
  while (!isOver(current)) {
    const page = await pace(
      () => insist(() => requestEvents.read(api, { since: cursor, wait: LONGEST_POLL_S }, options)),
      ({ events }) => events.length > 0,
    );
    cursor = page.next_cursor;
    if (page.events.some((event) => event.request_id === requestId)) current = await read();
  }
  return current;
}
