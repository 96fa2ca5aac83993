import { allowedNext, isFinal, type PaymentRequest, type PaymentRequestStatus } from '@countersign/protocol';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { createPacer } from '../core/pacer.ts';
import { WaitTimeoutError } from '../errors/waiting.ts';
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

/**
 * First the newest number, then the request, then the events after that number: whatever happens in between is either
 * in the record that is read or among the events that follow, so nothing can slip through.
 */
export async function waitForStatus(api: Api, requestId: string, wait: StatusWait): Promise<PaymentRequest> {
  const { statuses, timeoutMs, since = 0, ...options } = wait;
  const { clock } = api.settings;
  const deadline = timeoutMs === undefined ? undefined : clock.now() + timeoutMs;
  const isReached = (status: PaymentRequestStatus) =>
    statuses ? statuses.includes(status) : isFinal('payment_request', status);
  const read = async () => (await readPaymentRequest(api, requestId, {}, options)).payment_request;

  let cursor = await newestSequence(api, since, options);
  let current = await read();
  const pace = createPacer(api.settings, options.signal);
  for (;;) {
    // No status comes back: one that was passed on the way can no longer be reached, which ends the wait too.
    if (isReached(current.status) || !canReachAny(current.status, statuses)) return current;
    const leftMs = deadline === undefined ? undefined : deadline - clock.now();
    if (leftMs !== undefined && leftMs <= 0) throw new WaitTimeoutError('The awaited status', timeoutMs ?? 0);
    const waitS = Math.max(1, Math.min(LONGEST_POLL_S, Math.floor((leftMs ?? 60_000) / 1000)));
    const page = await pace(
      () => readEvents(api, { since: cursor, wait: waitS }, options),
      ({ events }) => events.length > 0,
    );
    cursor = page.next_cursor;
    if (page.events.some((event) => event.request_id === requestId)) current = await read();
  }
}

function canReachAny(
  from: PaymentRequestStatus,
  statuses: readonly PaymentRequestStatus[] | undefined,
): boolean {
  const next = allowedNext('payment_request', from);
  if (!statuses) return next.length > 0;
  return next.some((status) => statuses.includes(status) || canReachAny(status, statuses));
}
