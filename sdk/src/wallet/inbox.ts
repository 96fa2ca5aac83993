import type { PaymentRequestStatus } from '@payassent/protocol';
import type { PaymentRequest } from '../contract.ts';
import { type Api, eachRecord } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { createPacer } from '../core/deadline.ts';
import { listPaymentRequests } from '../operations.ts';

/** How to watch the inbox. */
export interface InboxOptions extends CallOptions {
  /** Only requests in this status; `pending` unless stated. */
  status?: PaymentRequestStatus;
  /** Only requests of this connection. */
  connection_id?: string;
  /** Seconds that one poll may wait, 1 to 30; 25 unless stated. */
  waitSeconds?: number;
}

/** How many requests are remembered, so that none is told twice where the first pages and the waits overlap. */
const REMEMBERED = 1000;

/**
 * The first answer marks the place where every wait begins; after it everything that is there is read once. So no request
 * can fall between the two, and what both of them show is told once.
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
    // The list begins with the newest, and only those can come again in a wait: they are the ones to remember.
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
    // A page of news is newest first, like every list; the inbox tells them in the order in which they came.
    yield* page.payment_requests.toReversed().filter((request) => isNew(request, false));
  }
}
