import { exactJson, type Network } from '@payassent/protocol';
import { compiled } from '../../db/compiled.ts';
import { type Database, type Fragment, type Sql, type Tx, transaction } from '../../db/open.ts';
import { mayBecome } from '../../db/status.ts';
import { deviceIsUsable } from '../../features/callers/device-token.ts';
import { decisionStands } from '../../features/decisions/decide.ts';
import { watch } from '../../features/observations/watch.ts';
import { boundByCall } from '../../payments/batch/given-up.ts';
import { type ClosedRow, dueRows, isShownTo, type RequestSelection } from '../../payments/close/close-sql.ts';
import {
  authorizeQuery,
  type CreateOutcome,
  type CreateRow,
  capOf,
  inputRows,
  insertFrom,
  NOT_CREATED,
  type WhenHeld,
} from '../../payments/create/create-sql.ts';
import { LISTED } from '../../payments/record/listed.ts';
import {
  DECISION_CONTENT,
  EVENT_JSON,
  FINAL,
  FINAL_CONTENT,
  SHOWN_RECORD,
  WALLET_RECORD_JSON,
  WEBHOOK_ROWS,
} from '../../payments/record/record-json.ts';
import {
  DECIDES,
  mayReport,
  networksToWatch,
  outcomesOf,
  REPORT_COLUMNS,
  REPORTED,
  type ReportAnswer,
  type ReportOutcome,
  type ReportRow,
  TAKEOVER,
} from '../../payments/report/report-sql.ts';

/** Changes of requests where all rows are on one machine: each change is one statement, with all its consequences. */

/**
 * Stores any number of requests of any callers in one statement. Its first query joins everything a create depends on:
 * the permission under which the caller may create, the connection (locked against revocation and pause, which take the
 * row for update), the payee and the version that was checked, which must still be the active one. Its rows and the
 * stored ones are joined pair by pair and deformed only as far as needed, so the join columns come first. Rows are
 * stored in the order of connection and key, so that two statements never deadlock.
 */
export async function insertRequests(
  sql: Sql,
  rows: readonly CreateRow[],
  now: Date,
  whenHeld: WhenHeld,
  maxPending: number,
): Promise<CreateOutcome[]> {
  const outcomes = await insertQuery(sql, rows, now, whenHeld, maxPending);
  const byNumber = new Map(outcomes.map((outcome) => [outcome.n, outcome]));
  return rows.map((_row, n) => byNumber.get(n) ?? NOT_CREATED);
}

export function insertQuery(
  sql: Sql,
  rows: readonly CreateRow[],
  now: Date,
  whenHeld: WhenHeld,
  maxPending: number,
) {
  rows.forEach((row, n) => {
    row.n = n;
  });
  const forms = maxPending === Number.POSITIVE_INFINITY ? UNCAPPED : CAPPED;
  return forms[whenHeld](sql, { input: exactJson(rows), now, cap: capOf(maxPending) });
}

interface CreateParameters {
  input: string;
  now: Date;
  /** The cap on a connection's pending requests. */
  cap: number;
}

const CAPPED = { wait: insertForm('wait', true), 'pass over': insertForm('pass over', true) };
const UNCAPPED = { wait: insertForm('wait', false), 'pass over': insertForm('pass over', false) };

function insertForm(whenHeld: WhenHeld, isCapped: boolean) {
  return compiled<CreateOutcome & { n: number }, CreateParameters>(
    (sql, { input, now, cap }) => sql`
    with input as materialized (
      select * from ${inputRows(sql, input)}
    ), allowed as materialized (
      ${authorizeQuery(sql, sql`input`, { now, cap: isCapped ? cap : undefined, whenHeld })}
    ), made as (
      ${insertFrom(sql, sql`allowed`, cap)}
    ), pending as (
      insert into pending_requests (
        merchant_id, connection_id, expires_at, request_id, created_at, recipient_id, recall_generation)
      select merchant_id, connection_id, expires_at, request_id, created_at, recipient_id, recall_generation from made
    ), said as (
      select g.n, g.event_id, g.merchant_id, 'payment_request.created' as type, g.created_at as occurred_at,
             null::bigint as sequence, made.record, null::text as previous_status, null::boolean as takeover,
             g.created_at as now
      from made join allowed g on g.request_id = made.request_id and g.connection_id = made.connection_id
    ), ${sql.unsafe(WEBHOOK_ROWS)}
    select g.n, g.connection_id, g.wallet_id, g.pending, said.record,
           g.refuses_duplicates is not null and g.duplicates is not null as is_duplicate,
           (select count(*) from delivery)::int as deliveries
    from allowed g left join said on said.n = g.n`,
  );
}

/**
 * The consequences of a change of status, as parts of its statement: the lists, the numbers, the events, the log, the
 * observation and the messages. They follow a query `moved` of the changed requests, and number the events of each
 * connection in `order`.
 */
function consequences(sql: Sql, order: string, watched?: Fragment) {
  return sql`numbered as materialized (
      select m.*, row_number() over (partition by m.connection_id order by ${sql.unsafe(order)}) as number,
             count(*) over (partition by m.connection_id) as of_connection
      from moved m
    ), ${sql.unsafe(LISTED)}, head as (
      insert into connection_heads as h (merchant_id, connection_id, last_sequence)
      select merchant_id, connection_id, of_connection from numbered where number = 1 order by connection_id
      on conflict (connection_id) do update set last_sequence = h.last_sequence + excluded.last_sequence
      returning h.connection_id, h.last_sequence
    ), event as (
      insert into payment_request_events as e (
        connection_id, sequence, event_id, merchant_id, request_id, type, status, previous_status, state_version, actor,
        tx_hash, reason, takeover, occurred_at)
      select m.connection_id, h.last_sequence - m.of_connection + m.number, m.event_id, m.merchant_id, m.request_id,
             'payment_request.' || m.status, m.status, m.previous_status, m.state_version, m.actor, m.tx_hash,
             m.reason, m.takeover, m.updated_at
      from numbered m join head h on h.connection_id = m.connection_id
      returning e.event_id, e.sequence, e.type, ${sql.unsafe(EVENT_JSON)} as event
    ), said as materialized (
      select e.event_id, m.merchant_id, e.type, m.updated_at as occurred_at, e.sequence,
             ${sql.unsafe(SHOWN_RECORD)} as record, m.previous_status, m.takeover, m.now
      from event e join numbered m on m.event_id = e.event_id
    ), logged as (
      insert into log_queue (type, at, subject, content)
      select l.type, m.now, 'request ' || m.connection_id || ' ' || m.request_id, l.content::json
      from numbered m join event e on e.event_id = m.event_id cross join lateral (
        select 'decision' as type, ${sql.unsafe(DECISION_CONTENT)} as content where m.decides
        union all
        select 'final' as type, ${sql.unsafe(FINAL_CONTENT)} as content
        where m.status in (${sql.unsafe(FINAL)})
      ) l
    ), ${watched ? sql`watched as (${watched}),` : sql``}
    ${sql.unsafe(WEBHOOK_ROWS)}`;
}

/**
 * Any number of reports of any wallets, credentials included: find and lock each request through the wallet's
 * connections, judge it on the locked row, number the events last. Requests and then counters are locked in the order
 * of their keys, as everywhere. A shared statement skips rows that another one has locked, so that no wallet waits for
 * another party's request; a skipped report is retried alone and waits, as often as the request moves meanwhile.
 */
export function moveRequests(
  db: Database,
  rows: readonly ReportRow[],
  whenHeld: WhenHeld,
  observed: readonly Network[],
  untilMs?: number,
): Promise<ReportOutcome[]> {
  if (whenHeld === 'pass over') return move(db, rows, whenHeld, observed);
  return transaction(db, async (tx) => {
    if (untilMs !== undefined) await boundByCall(tx, untilMs);
    for (const row of rows) await holdReported(tx, row);
    return move(tx, rows, whenHeld, observed);
  });
}

/**
 * Waits for the lock in a separate statement, so that the one that judges starts with the locked row. If it waited
 * itself, PostgreSQL would read the request again midway: with partitions, PostgreSQL 18.4 then took other bytes for
 * it.
 */
async function holdReported(tx: Tx, { token_hash, request_id, connection_id }: ReportRow): Promise<void> {
  await tx`
    select from device_tokens dt
      join devices d on d.device_id = dt.device_id
      join connections c on c.wallet_id = d.wallet_id
      join payment_requests r on r.merchant_id = c.merchant_id and r.request_id = ${request_id}
        and r.connection_id = c.connection_id
    where dt.token_hash = ${token_hash} and c.connection_id = coalesce(${connection_id ?? null}::id, c.connection_id)
    order by r.merchant_id, r.request_id, r.connection_id
    for update of r`;
}

async function move(
  sql: Sql,
  rows: readonly ReportRow[],
  whenHeld: WhenHeld,
  observed: readonly Network[],
): Promise<ReportOutcome[]> {
  rows.forEach((row, n) => {
    row.n = n;
  });
  const forms = whenHeld === 'wait' ? WAITING : PASSING;
  const watched = networksToWatch(rows, observed);
  const statement = watched.length > 0 ? forms.observed : forms.unobserved;
  return outcomesOf(rows, await statement(sql, { input: exactJson(rows), observed: watched }));
}

interface MoveParameters {
  input: string;
  observed: Network[];
}

const WAITING = { observed: moveForm('wait', true), unobserved: moveForm('wait', false) };
const PASSING = { observed: moveForm('pass over', true), unobserved: moveForm('pass over', false) };

function moveForm(whenHeld: WhenHeld, isObserved: boolean) {
  return compiled<ReportAnswer, MoveParameters>((sql, { input, observed }) => {
    const at = sql`i.at`;
    const keyId = sql`(i.decision ->> 'key_id')::bigint`;
    const stands = decisionStands(sql, { keyId, status: sql`i.status`, of: sql`r.wallet_id` });
    return sql`
    with input as materialized (
      select * from json_to_recordset(${input}::text::json) as i(${sql.unsafe(REPORT_COLUMNS)}, token_hash text)
      -- True for all rows. It makes the planner expect few, and so read rows by their keys.
      where i.n between 0 and 1000
    ), named as materialized (
      select i.n, w.device_id, r.merchant_id, i.request_id, r.connection_id, r.state_version
      from input i
        -- Subqueries with a limit: plain joins are planned as scans while tables are small, and stay so.
        cross join lateral (
          select d.device_id, d.wallet_id
          from device_tokens dt
            cross join lateral (select * from devices d where d.device_id = dt.device_id limit 1) d
          where dt.token_hash = i.token_hash and d.device_id = coalesce(i.device_id, d.device_id)
            and ${deviceIsUsable(sql, at)} and dt.first_used_at is not null
          limit 1
        ) w
        cross join lateral (
          -- A request named by its id alone must be the only one of its wallet.
          select min(r.merchant_id) as merchant_id, min(r.connection_id) as connection_id,
                 min(r.state_version) as state_version
          from (
            select r.merchant_id, r.connection_id, r.state_version
            from connections c
              join payment_requests r on r.merchant_id = c.merchant_id and r.request_id = i.request_id
                and r.connection_id = c.connection_id
            where c.wallet_id = w.wallet_id and c.connection_id = coalesce(i.connection_id, c.connection_id)
            limit 2
          ) r
          having count(*) = 1
        ) r
    ), found as materialized (
      select nm.*, r.status, r.decided_by_device_id
      from named nm
        join payment_requests r on r.merchant_id = nm.merchant_id and r.request_id = nm.request_id
          and r.connection_id = nm.connection_id
          -- A request that moved since the statement began has list rows that this snapshot lacks: retry it later.
          and r.state_version = nm.state_version
        ${whenHeld === 'wait' ? sql`` : sql`join connection_heads h on h.connection_id = nm.connection_id`}
      order by r.merchant_id, r.request_id, r.connection_id
      for update of ${whenHeld === 'wait' ? sql`r` : sql`r, h skip locked`}
    ), moved as (
      update payment_requests r set ${sql.unsafe(REPORTED)}
      from found f join input i on i.n = f.n
      where r.merchant_id = f.merchant_id and r.request_id = f.request_id and r.connection_id = f.connection_id
        and ${mayReport(sql, at)}
        and (i.decision is null or ${stands})
      returning i.n, i.event_id, r.merchant_id, r.request_id, r.connection_id, r.wallet_id, r.status, r.state_version,
        r.tx_hash, r.reason, r.decision, ${sql.unsafe(DECIDES)} as decides, r.facts_digest, r.network, r.created_at,
        r.written_by, r.expires_at, r.updated_at, f.status as previous_status, ${sql.unsafe(WALLET_RECORD_JSON)} as record,
        ${sql.unsafe(TAKEOVER)} as takeover, 'wallet' as actor, r.updated_at as now
    ), ${consequences(sql, 'm.n', isObserved ? watch(sql, 'payment_request', sql`numbered`, observed, sql`m.updated_at`) : undefined)}
    select nm.n, f.n is null as is_held, m.connection_id, m.wallet_id, m.previous_status, m.record, e.event,
           (select count(*) from delivery)::int as deliveries
    from named nm left join found f on f.n = nm.n left join numbered m on m.n = nm.n
      left join event e on e.event_id = m.event_id`;
  });
}

/**
 * Ends pending requests without a decision: by their clock, with their connection, by a recall of their payee, or
 * because their agent withdraws them, whichever came first. The guard on `pending` makes it happen once, whichever
 * caller comes first.
 *
 * `seed` is a fresh event id: its time and its randomness go into the ids of all events made here.
 */
export async function closePending(
  sql: Sql,
  selection: RequestSelection,
  { now, seed }: { now: Date; seed: string },
): Promise<ClosedRow[]> {
  const isShown = isShownTo(selection);
  return sql<ClosedRow[]>`
    with due as materialized (${dueRows(sql, selection, now, seed)}),
    moved as (
      update payment_requests r set
        status = due.status,
        reason = due.reason, updated_at = due.at, state_version = r.state_version + 1,
        listed_version = r.state_version + 1
      from due where r.merchant_id = due.merchant_id and r.request_id = due.request_id
        and r.connection_id = due.connection_id and ${mayBecome(sql, 'payment_request', 'expired', 'clock', { alias: 'r' })}
        and ${mayBecome(sql, 'payment_request', 'rejected', 'system', { alias: 'r' })}
        and ${mayBecome(sql, 'payment_request', 'expired', 'agent', { alias: 'r' })}
      returning due.event_id, r.merchant_id, r.request_id, r.connection_id, r.wallet_id, r.status, r.state_version,
        r.tx_hash, r.reason, r.decision, false as decides, r.created_at, r.written_by, r.expires_at, r.updated_at,
        r.facts_digest, due.actor, 'pending' as previous_status, ${sql.unsafe(WALLET_RECORD_JSON)} as record,
        null::boolean as takeover, ${now}::timestamptz as now
    ), ${consequences(sql, 'm.updated_at, m.request_id')}
    select m.merchant_id, m.request_id, m.connection_id, m.wallet_id, m.status, m.reason,
           case when ${isShown} then m.record end as record, case when ${isShown} then e.event end as event,
           (select count(*) from delivery)::int as deliveries
    from numbered m join event e on e.event_id = m.event_id`;
}
