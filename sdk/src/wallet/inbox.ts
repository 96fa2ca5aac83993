import type { PaymentRequestStatus } from '@payassent/protocol';
import type { PaymentRequest } from '../contract.ts';
import { type Api, eachRecord } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { createPacer } from '../core/deadline.ts';
import { listPaymentRequests } from '../operations.ts';

/** Options for watching the inbox. */
export interface InboxOptions extends CallOptions {
  /** Only requests in this status; default `pending`. */
  status?: PaymentRequestStatus;
  /** Only requests of this connection. */
  connection_id?: string;
  /** Seconds that one poll may wait, 1 to 30; default 25. */
  waitSeconds?: number;
}

/** How many requests are cached, so that none is returned twice where the first pages and the waits overlap. */
const REMEMBERED = 1000;

/**
 * The first response fixes the cursor of the waits; after it every pending request is read once. So no request can fall
 * between the two, and a request that both return is yielded once.
 */
export async function* watchInbox(
  api: Api,
  options: InboxOptions,
): AsyncGenerator<PaymentRequest, void, undefined> {
  const { status = 'pending', connection_id, waitSeconds = 25, ...callOptions } = options;
  const filter = { status, ...(connection_id === undefined ? {} : { connection_id }) };
  const pace = createPacer(api.settings, callOptions.signal);
  const told = new Set<string>();
  const isNew = (
    { connection_id: connection, request_id }: PaymentRequest,
    isFirstReading: boolean,
  ): boolean => {
    const name = `${connection}/${request_id}`;
    if (told.has(name)) return false;
    // The list begins with the newest, and only those can be returned again by a wait, so only those are cached.
    if (isFirstReading && told.size >= REMEMBERED) return true;
    told.add(name);
    if (told.size > REMEMBERED) for (const oldest of told) if (told.delete(oldest)) break;
    return true;
  };
  let cursor: string | undefined;
  for (;;) {
    const isFirst = cursor === undefined;
    const place = cursor === undefined ? {} : { cursor };
    const page = await pace(
      () => api.call(listPaymentRequests, { query: { ...filter, ...place, wait: waitSeconds } }, callOptions),
      ({ payment_requests }) => payment_requests.length > 0,
    );
    cursor = page.next_cursor ?? cursor;
    if (isFirst && cursor !== undefined) {
      for await (const request of eachRecord(
        api,
        listPaymentRequests,
        'payment_requests',
        { query: filter },
        callOptions,
      ))
        if (isNew(request, true)) yield request;
    }
    // A page of news is newest first, like every list; the inbox yields requests in the order of their arrival.
    yield* page.payment_requests.toReversed().filter((request) => isNew(request, false));
  }
}
