import type { Attempt } from '../run/history.ts';
import { type Finding, finding, groupBy, type Invariant, succeeded } from './evidence.ts';
import type { Row } from './tables.ts';

type Numbered = Pick<Row<'payment_request_events'>, 'connection_id' | 'sequence' | 'event_id'>;

/** Events of a connection are numbered 1, 2, 3, … and the counter equals their number. */
const eventsDense: Invariant = ({ tables }) =>
  denseIn(tables.payment_request_events, tables.connection_heads);

/** The same for agent payments, which have a separate sequence. */
const paymentEventsDense: Invariant = ({ tables }) =>
  denseIn(tables.agent_payment_events, tables.agent_payment_heads);

function denseIn(all: readonly Numbered[], counters: readonly Row<'connection_heads'>[]): Finding {
  const result = finding();
  const heads = new Map(counters.map((row) => [row.connection_id, row.last_sequence]));
  for (const [connection, events] of groupBy(all, (event) => event.connection_id)) {
    const sorted = events.map((event) => event.sequence).sort((a, b) => a - b);
    const gap = sorted.findIndex((sequence, index) => sequence !== index + 1);
    result.checked += sorted.length - 1;
    result.expect(gap === -1, () => `${connection}: ${sorted[gap]} where ${gap + 1} belongs`);
    result.expect(
      heads.get(connection) === sorted.length,
      () => `${connection}: counter ${heads.get(connection)}, ${sorted.length} events`,
    );
  }
  for (const [id, events] of groupBy(all, (event) => event.event_id))
    result.expect(events.length === 1, () => `event id ${id} is used twice`);
  return result;
}

interface ToldEvent {
  event_id: string;
  sequence: number;
  connection_id: string;
  request_id: string;
  status: string;
  state_version: number;
}

/** Each page begins right after its cursor and misses nothing, and its events equal the stored ones. */
const polledPagesComplete: Invariant = ({ tables, attempts }) => {
  const result = finding();
  const stored = new Map(
    tables.payment_request_events.map((row) => [`${row.connection_id} ${row.sequence}`, row]),
  );
  for (const attempt of attempts) {
    if (!isPoll(attempt)) continue;
    const since = Number(attempt.query?.['since'] ?? 0);
    const { events, next_cursor } = attempt.answer?.body ?? {};
    const page: ToldEvent[] = events ?? [];
    const isDense = page.every((event, index) => event.sequence === since + index + 1);
    result.expect(
      isDense && next_cursor === since + page.length,
      () => `a poll after ${since} returned ${page.map((event) => event.sequence).join(', ')}`,
    );
    for (const event of page) {
      const row = stored.get(`${event.connection_id} ${event.sequence}`);
      const isSame =
        row !== undefined &&
        row.event_id === event.event_id &&
        row.request_id === event.request_id &&
        row.status === event.status &&
        row.state_version === event.state_version;
      result.expect(
        isSame,
        () => `event ${event.connection_id} ${event.sequence} was returned and is stored differently`,
      );
    }
  }
  return result;
};

function isPoll(attempt: Attempt): boolean {
  return attempt.path === '/v1/payment-requests/events' && succeeded(attempt);
}

export const EVENT_RULES = {
  'events dense': eventsDense,
  'events of agent payments dense': paymentEventsDense,
  'polled pages complete': polledPagesComplete,
};
