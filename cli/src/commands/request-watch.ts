import { allowedNext, isFinal, PAYMENT_REQUEST_STATUSES, type SettlementState } from '@payassent/protocol';
import {
  type ConnectionClient,
  type PaymentRequestEvent,
  type PaymentRequestStatus,
  WaitTimeoutError,
} from '@payassent/sdk';
import { connectionCommand } from '../clients.ts';
import { type Args, EXIT, UsageError } from '../command.ts';
import { createOutput, plain } from '../output.ts';
import { readFileIfThere, writePrivateFile } from '../private-file.ts';
import { checkedIdentifier, durationMs, wholeNumber } from '../settings.ts';

/** Not a status: it refers to the settlement. */
const SETTLED = 'settled';

const OPTIONS = {
  until: {
    type: 'string',
    placeholder: 'status',
    summary:
      'the status to wait for [confirmed], or settled for the settlement on the chain; any final status ends the watch',
  },
  since: { type: 'string', placeholder: 'number', summary: 'continue after this event [0, the beginning]' },
  'cursor-file': {
    type: 'string',
    placeholder: 'path',
    summary: 'keep the last number here and continue from it',
  },
  timeout: { type: 'string', placeholder: 'duration', summary: 'give up after this time, exit code 3' },
} as const;

type Values = Args<typeof OPTIONS>['values'];

export const commands = [
  connectionCommand({
    name: 'request watch',
    summary: 'show status events until the request has ended',
    positionals: '[request id]',
    options: OPTIONS,
    details: [
      'Without a request id: every event of the connection, until interrupted (exit code 0).',
      'confirmed is what the wallet reports; --until settled waits for what the chain shows, where the host set observers.',
      'With --json one event per line. Exit code 0: the status of --until was reached; 4: it no longer can be.',
      'A number is written to --cursor-file after its event was shown, so a restarted watch misses nothing.',
    ].join('\n'),
    run(io, { values, positionals, isJson }) {
      const [requestId, ...more] = positionals;
      if (more.length > 0) throw new UsageError('Give one request id');
      if (requestId !== undefined) checkedIdentifier(requestId);
      const hoped = values.until === SETTLED ? SETTLED : checkedStatus(values.until ?? 'confirmed');
      const cursor = openCursor(values);
      const timeoutMs = values.timeout === undefined ? undefined : durationMs('timeout', values.timeout);
      const output = createOutput(io, isJson);
      const show = (event: PaymentRequestEvent) => output.result(event, describeEvent(event));
      return async (client) => {
        const timer = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
        const watch = { cursor, show, signal: timer ? AbortSignal.any([io.signal, timer]) : io.signal };
        try {
          if (requestId === undefined) {
            await watchAll(client, watch);
            return undefined;
          }
          const reached =
            hoped === SETTLED
              ? await watchSettled(client, requestId, watch)
              : await watchOne(client, requestId, hoped, watch);
          output.note(reached ? `Reached: ${hoped}` : `Ended without reaching ${hoped}`);
          return reached ? EXIT.ok : EXIT.unfavourable;
        } catch (error) {
          if (requestId === undefined && io.signal.aborted) return undefined;
          if (!timer?.aborted || io.signal.aborted) throw error;
          const awaited = requestId ? `The status ${hoped}` : 'The end of the watch';
          throw new WaitTimeoutError(awaited, timeoutMs ?? 0);
        }
      };
    },
  }),
];

interface Cursor {
  readonly since: number;
  keep(sequence: number): void;
}

interface Watch {
  cursor: Cursor;
  show(event: PaymentRequestEvent): void;
  signal: AbortSignal;
}

async function watchAll(client: ConnectionClient, { cursor, show, signal }: Watch): Promise<void> {
  for await (const event of client.paymentRequests.events({ since: cursor.since, limit: 500, signal })) {
    show(event);
    cursor.keep(event.sequence);
  }
}

/** True when the awaited status was reached, even before the watch began. */
async function watchOne(
  client: ConnectionClient,
  requestId: string,
  hoped: PaymentRequestStatus,
  { cursor, show, signal }: Watch,
): Promise<boolean> {
  // The record first: what it has reached by now has its event already, and nothing further is waited for.
  const { payment_request } = await client.paymentRequests.get(requestId, { signal });
  const { status } = payment_request;
  // Every request was pending once, which has no event.
  let wasReached = status === hoped || hoped === 'pending';
  const isDecided = wasReached || !canReach(status, hoped);
  const events = isDecided
    ? existingEvents(client, cursor.since, signal)
    : client.paymentRequests.events({ since: cursor.since, limit: 500, signal });
  for await (const event of events) {
    if (event.request_id === requestId) {
      show(event);
      wasReached ||= event.status === hoped;
    }
    cursor.keep(event.sequence);
    if (
      event.request_id === requestId &&
      (event.status === hoped || isFinal('payment_request', event.status))
    )
      break;
  }
  if (wasReached || !isDecided || cursor.since === 0) return wasReached;
  // It may have been passed before the place where this watch continues.
  for await (const event of existingEvents(client, 0, signal)) {
    if (event.sequence > cursor.since) return false;
    if (event.request_id === requestId && event.status === hoped) return true;
  }
  return false;
}

/**
 * True when the chain shows the payment as pinned. The watch also ends when the chain contradicts it, or when nothing
 * was sent.
 */
async function watchSettled(
  client: ConnectionClient,
  requestId: string,
  { cursor, show, signal }: Watch,
): Promise<boolean> {
  const read = async () => (await client.paymentRequests.get(requestId, { signal })).payment_request;
  const { settlement, is_final, tx_hash } = await read();
  const isOver = isClosed(settlement?.state) || (is_final && !tx_hash);
  const events = isOver
    ? existingEvents(client, cursor.since, signal)
    : client.paymentRequests.events({ since: cursor.since, limit: 500, signal });
  for await (const event of events) {
    const isOurs = event.request_id === requestId;
    if (isOurs) show(event);
    cursor.keep(event.sequence);
    const isEnd =
      isClosed(event.settlement_state) || (isFinal('payment_request', event.status) && !event.tx_hash);
    if (isOurs && isEnd && !isOver) break;
  }
  return (await read()).settlement?.state === 'final';
}

function isClosed(state: SettlementState | undefined): boolean {
  return state === 'final' || state === 'mismatch' || state === 'failed_on_chain';
}

function canReach(from: PaymentRequestStatus, hoped: PaymentRequestStatus): boolean {
  return allowedNext('payment_request', from).some((next) => next === hoped || canReach(next, hoped));
}

async function* existingEvents(
  client: ConnectionClient,
  since: number,
  signal: AbortSignal,
): AsyncGenerator<PaymentRequestEvent, void, undefined> {
  for (let cursor = since; ; ) {
    const page = await client.paymentRequests.listEvents({ since: cursor, limit: 500 }, { signal });
    yield* page.events;
    cursor = page.next_cursor;
    if (!page.has_more) return;
  }
}

function checkedStatus(text: string): PaymentRequestStatus {
  const known = PAYMENT_REQUEST_STATUSES.find((status) => status === text);
  if (!known) throw new UsageError(`--until is one of ${[...PAYMENT_REQUEST_STATUSES, SETTLED].join(', ')}`);
  return known;
}

function openCursor(values: Values): Cursor {
  const { since, 'cursor-file': file } = values;
  const stored = file === undefined ? undefined : readFileIfThere(file)?.trim();
  const start = since ?? stored ?? '0';
  return {
    since: wholeNumber(since === undefined && stored !== undefined ? 'cursor-file' : 'since', start, 0, 1e15),
    keep(sequence) {
      if (file !== undefined) writePrivateFile(file, `${sequence}\n`, { overwrite: true });
    },
  };
}

/** A status event in a line. */
function describeEvent(event: PaymentRequestEvent): string {
  const { sequence, occurred_at, request_id, previous_status, status, tx_hash, reason, settlement_state } =
    event;
  const more = [tx_hash && `tx ${plain(tx_hash)}`, reason && `reason ${plain(reason)}`].filter(Boolean);
  const change = settlement_state ? `on chain: ${plain(settlement_state)}` : `${previous_status} → ${status}`;
  return [`#${sequence}`, occurred_at, plain(request_id), change, ...more].join('  ');
}
