import type { PaymentRequest, PaymentRequestStatus } from '@countersign/protocol';
import { eachPaymentRequest, listPaymentRequests } from '../connection/request-reads.ts';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { createPacer } from '../core/pacer.ts';

/** How to watch the inbox. */
export interface InboxOptions extends CallOptions {
  /** Only requests in this status; `pending` unless stated. */
  status?: PaymentRequestStatus;
  /** Only requests of this connection. */
  connection_id?: string;
  /** Seconds that one poll may wait, 1 to 30; 25 unless stated. */
  waitSeconds?: number;
}

/**
 * The newest request marks the place. Everything older is read once from there, and every wait begins there: no request
 * can fall between the two.
 */
export async function* watchInbox(
  api: Api,
  options: InboxOptions,
): AsyncGenerator<PaymentRequest, void, undefined> {
  const { status = 'pending', connection_id, waitSeconds = 25, ...callOptions } = options;
  const filter = { status, ...(connection_id === undefined ? {} : { connection_id }) };
  const pace = createPacer(api.settings, callOptions.signal);
  let cursor: string | undefined;
  for (;;) {
    const isFirst = cursor === undefined;
    const place = cursor === undefined ? { limit: 1 } : { cursor };
    const page = await pace(
      () => listPaymentRequests(api, { ...filter, ...place, wait: waitSeconds }, callOptions),
      ({ payment_requests }) => payment_requests.length > 0,
    );
    cursor = page.next_cursor ?? cursor;
    // A page of news is newest first, like every list; the inbox tells them in the order in which they came.
    yield* page.payment_requests.toReversed();
    if (isFirst && cursor !== undefined) yield* eachPaymentRequest(api, { ...filter, cursor }, callOptions);
  }
}
