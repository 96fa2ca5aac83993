import {
  allowedNext,
  isFinal,
  PAYMENT_REQUEST_STATUSES,
  type PaymentRequestStatus,
  SETTLEMENT_STATES,
  type SettlementState,
} from '@payassent/protocol';
import type { PaymentRequest } from '../contract.ts';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { checkedStatuses, needObject } from '../core/checks.ts';
import { withDeadline } from '../core/deadline.ts';
import { createPacer } from '../core/pacer.ts';
import { WaitTimeoutError } from '../errors/waiting.ts';
import { standing } from '../outcome.ts';
import { requestEvents } from './events.ts';
import { readPaymentRequest } from './request-reads.ts';

/** What to wait for. `timeoutMs` is for the whole wait here, not for one attempt. */
export interface StatusWait extends Omit<CallOptions, 'timeoutMs'> {
  /** Any of these ends the wait; every final status unless stated. */
  statuses?: readonly PaymentRequestStatus[];
  /** For the whole wait, 300,000 unless stated; then `WaitTimeoutError`, which carries the request as last read. */
  timeoutMs?: number;
  /** A sequence at or before the present one, if the caller has it; saves finding the newest. */
  since?: number;
}

const LONGEST_POLL_S = 25;
const LONGEST_WAIT_MS = 300_000;

/** What to wait for on the chain. `timeoutMs` is for the whole wait here, not for one attempt. */
export interface SettlementWait extends Omit<StatusWait, 'statuses'> {
  /** Any of these ends the wait; `final`, `mismatch` and `failed_on_chain` unless stated. */
  states?: readonly SettlementState[];
}

const CLOSED: readonly SettlementState[] = ['final', 'mismatch', 'failed_on_chain'];

export async function waitForStatus(api: Api, requestId: string, wait: StatusWait): Promise<PaymentRequest> {
  needObject(wait, "The options of a wait are an object, for example { statuses: ['confirmed'] }");
  const { statuses, ...rest } = wait;
  if (statuses !== undefined) checkedStatuses(statuses, PAYMENT_REQUEST_STATUSES);
  const { clock } = api.settings;
  return waitUntil(api, requestId, 'The awaited status', rest, (request) =>
    hasEnded(request, statuses, clock.now()),
  );
}

export async function waitForSettlement(
  api: Api,
  requestId: string,
  wait: SettlementWait,
): Promise<PaymentRequest> {
  needObject(wait, "The options of a wait are an object, for example { states: ['final'] }");
  const { states, ...rest } = wait;
  if (states !== undefined) checkedStatuses(states, SETTLEMENT_STATES, 'states');
  return waitUntil(api, requestId, 'The awaited settlement', rest, (request) =>
    isSettled(request, isFinal('payment_request', request.status), states),
  );
}

/** Also when nothing was sent, and nothing will be. */
export function isSettled(
  { tx_hash, settlement }: Pick<PaymentRequest, 'tx_hash' | 'settlement'>,
  isOver: boolean,
  states: readonly SettlementState[] = CLOSED,
): boolean {
  return (settlement != null && states.includes(settlement.state)) || (isOver && tx_hash == null);
}

/** Within the time that the caller gives, whatever call it is spent in. */
function waitUntil(
  api: Api,
  requestId: string,
  what: string,
  wait: Omit<StatusWait, 'statuses'>,
  isOver: (request: PaymentRequest) => boolean,
): Promise<PaymentRequest> {
  const { timeoutMs = LONGEST_WAIT_MS, signal, ...rest } = wait;
  let last: PaymentRequest | undefined;
  const late = () => new WaitTimeoutError(what, timeoutMs, last);
  return withDeadline(api.settings, { late, timeoutMs, signal }, (limited) => {
    const { since, ...options } = { ...rest, ...limited };
    const read = async () => {
      last = (await readPaymentRequest(api, requestId, {}, options)).payment_request;
      return last;
    };
    return follow(api, requestId, { read, isOver, since: since ?? 0, options });
  });
}

/**
 * Also when none of the statuses can be reached any more: none comes back. And when the wallet has signed and then been
 * silent: nothing tells whether it will ever say more.
 */
function hasEnded(
  request: PaymentRequest,
  statuses: readonly PaymentRequestStatus[] | undefined,
  now: number,
): boolean {
  const { status } = request;
  const isReached = statuses ? statuses.includes(status) : isFinal('payment_request', status);
  return isReached || !canReachAny(status, statuses) || standing(request, now) === 'outcome_unknown';
}

interface Following {
  read: () => Promise<PaymentRequest>;
  isOver: (request: PaymentRequest) => boolean;
  since: number;
  options: CallOptions;
}

/**
 * The request may be there already, which costs one read. Otherwise first the newest number, then the request again, then
 * the events after that number: whatever happens in between is either in the record that is read or among the events
 * that follow, so nothing can slip through.
 */
async function follow(
  api: Api,
  requestId: string,
  { read, isOver, since, options }: Following,
): Promise<PaymentRequest> {
  const first = await read();
  if (isOver(first)) return first;
  let cursor = await requestEvents.newest(api, since, options);
  let current = await read();
  const pace = createPacer(api.settings, options.signal);
  while (!isOver(current)) {
    const page = await pace(
      () => requestEvents.read(api, { since: cursor, wait: LONGEST_POLL_S }, options),
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
