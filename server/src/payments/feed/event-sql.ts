import { compiled } from '../../db/compiled.ts';
import type { Sql } from '../../db/open.ts';
import { fromTextList, textList } from '../../db/text-list.ts';
import type { CallerPermission } from '../../principals.ts';
import {
  fromPermissions,
  joinPermission,
  PERMISSION_COLUMNS,
  type PermissionLists,
  permissionLists,
} from '../permissions/authorize-sql.ts';
import { EVENT_JSON, PAYMENT_EVENT_JSON } from '../record/record-json.ts';

/** Kinds of events: each has a separate sequence in every connection. */
export const EVENT_KINDS = ['payment_request', 'agent_payment'] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

const TABLES = {
  payment_request: { open: 'pending_requests', events: 'payment_request_events', heads: 'connection_heads' },
  agent_payment: { open: 'agent_payments', events: 'agent_payment_events', heads: 'agent_payment_heads' },
} as const;

function eventJson(sql: Sql, kind: EventKind) {
  if (kind === 'agent_payment') return sql.unsafe(PAYMENT_EVENT_JSON);
  return sql.unsafe(EVENT_JSON);
}

export interface EventRead {
  permission: CallerPermission;
  since: number;
  limit: number;
}

/** A page without events. */
export const NO_EVENTS = '[]';

export interface EventPage {
  /** Something of this connection is past its time and no transaction has closed it yet. */
  has_overdue: boolean;
  /** Something of it was recalled, and that is still being processed. */
  has_recalled: boolean;
  /** A JSON list. */
  events: string;
  /** The last event's sequence, or the start of the poll. */
  next_cursor: number;
  has_more: boolean;
}

/** Polls of any callers in one statement; undefined where the permission is no longer the given one. */
export async function readEvents(
  sql: Sql,
  kind: EventKind,
  reads: readonly EventRead[],
  now: Date,
): Promise<(EventPage | undefined)[]> {
  const answers: (EventPage | undefined)[] = reads.map(() => undefined);
  const { numbered, sparse } = EVENT_STATEMENTS[kind];
  const gaps: number[] = [];
  for (const row of await numbered(sql, askedPages(reads, now))) {
    const n = row.n - 1;
    const read = reads[n] as EventRead;
    const page = toPage(read, row);
    answers[n] = page;
    if (page.has_more && page.next_cursor < read.since + read.limit) gaps.push(n);
  }
  if (gaps.length === 0) return answers;
  const again = gaps.map((n) => reads[n] as EventRead);
  for (const row of await sparse(sql, askedPages(again, now))) {
    const n = gaps[row.n - 1] as number;
    answers[n] = toPage(reads[n] as EventRead, row);
  }
  return answers;
}

function toPage({ since }: EventRead, row: EventRow): EventPage {
  const { has_overdue, has_recalled, events, last_on_page, last_sequence } = row;
  const next_cursor = last_on_page ?? since;
  return {
    has_overdue,
    has_recalled,
    events: events === null ? NO_EVENTS : `[${events}]`,
    next_cursor,
    has_more: last_sequence !== null && last_sequence > next_cursor,
  };
}

function askedPages(reads: readonly EventRead[], now: Date): AskedPages {
  return {
    ...permissionLists(reads.map(({ permission }) => permission)),
    places: textList(reads.map(({ since }) => since)),
    limits: textList(reads.map(({ limit }) => limit)),
    now,
  };
}

const EVENT_STATEMENTS = {
  payment_request: {
    numbered: eventStatement('payment_request', 'numbered'),
    sparse: eventStatement('payment_request', 'sparse'),
  },
  agent_payment: {
    numbered: eventStatement('agent_payment', 'numbered'),
    sparse: eventStatement('agent_payment', 'sparse'),
  },
};

interface EventRow {
  n: number;
  has_overdue: boolean;
  has_recalled: boolean;
  /** With commas between them; null when there are none. */
  events: string | null;
  last_on_page: number | null;
  /** Of all events of the connection; null while it has none. */
  last_sequence: number | null;
}

interface AskedPages extends PermissionLists {
  places: string;
  limits: string;
  now: Date;
}

/**
 * Events of a connection are numbered without gaps, so a page is a range of numbers. Written as "the first n after a
 * cursor", the statement was planned as a sort of all of them: an agent far behind had the rest of its events read for
 * each page. Where the range ends early although there are more, numbers are missing: then the slower query runs. Most
 * polls find nothing new: their connection's counter shows that, and the events are not read.
 */
function eventStatement(kind: EventKind, numbering: 'numbered' | 'sparse') {
  return compiled<EventRow, AskedPages>((sql, asked) => {
    const { open, events, heads } = TABLES[kind];
    // An index of payments contains only open ones.
    const isOpen = sql`p.merchant_id = i.merchant_id ${kind === 'agent_payment' ? sql`and p.status = 'intent_created'` : sql``}`;
    const isOnPage =
      numbering === 'numbered'
        ? sql`and e.sequence <= i.since + i.page`
        : sql`order by e.sequence limit i.page`;
    return sql`
    select i.n,
           (select true from ${sql(open)} p
            where p.connection_id = i.connection_id and ${isOpen} and p.expires_at < ${asked.now}
            limit 1
           ) is true as has_overdue,
           i.recalls is not null and (
            select true from recipient_recalls k
              cross join lateral (
                select from ${sql(open)} p
                where p.connection_id = i.connection_id and ${isOpen} and p.recipient_id = k.recipient_id
                  and p.recall_generation < k.generation
                limit 1
              ) p
            where k.merchant_id = i.merchant_id and k.swept_at is null
            limit 1
           ) is true as has_recalled,
           page.events, page.last_on_page, h.last_sequence
    from rows from (${fromPermissions(sql, asked)}, ${fromTextList(sql, asked.places, 'bigint')},
          ${fromTextList(sql, asked.limits, 'int')})
        with ordinality as i(${sql.unsafe(PERMISSION_COLUMNS)}, since, page, n)
      ${joinPermission(sql)}
      left join lateral (
        select h.last_sequence from ${sql(heads)} h
        where h.merchant_id = i.merchant_id and h.connection_id = i.connection_id limit 1
      ) h on true
      cross join lateral (
        select string_agg(e.event, ',' order by e.sequence) as events, max(e.sequence) as last_on_page
        from (
          select e.sequence, ${eventJson(sql, kind)} as event from ${sql(events)} e
          where h.last_sequence > i.since
            and e.merchant_id = i.merchant_id and e.connection_id = i.connection_id and e.sequence > i.since
            ${isOnPage}
        ) e
      ) page`;
  });
}

/** As JSON texts, oldest first. */
export async function findEventsOfRequest(
  sql: Sql,
  merchantId: string,
  connectionId: string,
  requestId: string,
): Promise<string[]> {
  const rows = await sql<{ event: string }[]>`
    select ${sql.unsafe(EVENT_JSON)} as event from payment_request_events e
    where e.merchant_id = ${merchantId} and e.request_id = ${requestId} and e.connection_id = ${connectionId}
    order by e.sequence`;
  return rows.map((row) => row.event);
}
