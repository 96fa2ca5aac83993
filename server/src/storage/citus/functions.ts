import type { Network } from '@payassent/protocol';
import { bodyText } from '../../db/compiled.ts';
import type { Fragment, Sql } from '../../db/open.ts';
import { asText } from '../../db/text.ts';
import { watch } from '../../features/observations/watch.ts';
import { authorizeQuery, inputRows, insertFrom, type WhenHeld } from '../../payments/create/create-sql.ts';
import {
  DECISION_CONTENT,
  EVENT_JSON,
  FINAL,
  FINAL_CONTENT,
  RECORD_JSON,
  WALLET_RECORD_JSON,
  WEBHOOK_BODY,
} from '../../payments/record/record-json.ts';
import { DECIDES, mayReport, REPORT_COLUMNS, REPORTED, TAKEOVER } from '../../payments/report/report-sql.ts';
import { onNode } from './node-statement.ts';
import { CHECK_SHARDS, NOTE_SHARDS } from './shards.ts';
import { SAY_EVENTS } from './webhooks.ts';

/**
 * Functions of a distributed database that run on the node of their first argument: creates, reports, and what ends
 * without a decision. They do what the statements of create-sql.ts, status-sql.ts and settle-sql.ts do, from the same
 * parts, as a series of statements: Citus accepts no insert inside `with`, and no `returning` that writes JSON after an
 * update. Rows pass from one statement to the next as JSON. An insert takes its merchant from a table of the group,
 * which shows Citus that nothing leaves the node.
 */

/** The text of a statement, with the function's parameters by their names and every table that of `merchant`. */
function body<Parameters extends object>(build: (sql: Sql, parameters: Parameters) => unknown): string {
  return onNode(bodyText(build), asText('merchant')).strings.join('');
}

/** A variable that holds JSON rows, as a table. */
const rowsOf = (variable: string, alias: string, columns: string) =>
  `json_to_recordset(${variable}::json) as ${alias}(${columns})`;

const ALLOWED_COLUMNS = `n int, request_id id, connection_id id, event_id id, created_at timestamptz, wallet_id id,
    idempotency_key text, intent_digest text, transaction_id id, revision int, amount text, facts_digest text,
    source_members text, display json, metadata json, expires_at timestamptz, created_with text, agent_id id, agent_name text, pending int,
    refuses_duplicates boolean, risk_members text, duplicates text, merchant_name text, recipient_id id,
    recipient_version_id id, name text, rail text, network text, asset text, address text, memo text, contract text,
    issuer text, decimals int, chain_id bigint, activated_at timestamptz, domain text, evidence_digest text,
    binding text, recall_generation int`;
const MADE_COLUMNS = `connection_id id, expires_at timestamptz, request_id id, created_at timestamptz, recipient_id id,
    recall_generation int, record text`;

/** Only the merchant's own rows are allowed. */
const PASSED = `(
        select own.merchant_id, g.* from merchant_standings own cross join ${rowsOf('passed', 'g', ALLOWED_COLUMNS)}
        where own.merchant_id = merchant
      ) passed`;

const authorize = (whenHeld: WhenHeld) =>
  body<{ input: string; now: Date; cap: number }>((sql, { input, now, cap }) => {
    const rows = sql`(select * from ${inputRows(sql, input)})`;
    return sql`select json_agg(g) into passed from (${authorizeQuery(sql, rows, { now, cap, whenHeld })}) g`;
  });

const CREATE_REQUESTS = `
create or replace function create_requests(merchant id, input text, now timestamptz, cap int, waits boolean)
returns table (n int, connection_id id, wallet_id id, pending int, record text, is_duplicate boolean, deliveries int)
language plpgsql as $$
#variable_conflict use_column
declare
  passed text;
  stored text;
  said text;
  one record;
  sent int := 0;
  ${NOTE_SHARDS}
begin
  if waits then
    ${authorize('wait')};
  else
    ${authorize('pass over')};
  end if;
  if passed is null then
    return;
  end if;
  for one in ${body<{ cap: number }>((sql, { cap }) => insertFrom(sql, sql.unsafe(PASSED) as unknown as Fragment, cap))}
  loop
    stored := concat(stored || ',', to_json(one));
  end loop;
  if stored is not null then
    stored := '[' || stored || ']';
    insert into pending_requests (
      merchant_id, connection_id, expires_at, request_id, created_at, recipient_id, recall_generation)
    select own.merchant_id, m.connection_id, m.expires_at, m.request_id, m.created_at, m.recipient_id, m.recall_generation
    from merchant_standings own cross join ${rowsOf('stored', 'm', MADE_COLUMNS)}
    where own.merchant_id = merchant;
    select json_agg(x) into said from (
      select s.event_id, s.type, ${WEBHOOK_BODY} as body, s.occurred_at as now
      from (
        select g.event_id, 'payment_request.created' as type, g.created_at as occurred_at, null::bigint as sequence,
               m.record, null::text as previous_status, null::boolean as takeover
        from ${rowsOf('stored', 'm', MADE_COLUMNS)}
          join ${rowsOf('passed', 'g', ALLOWED_COLUMNS)}
            on g.request_id = m.request_id and g.connection_id = m.connection_id
      ) s
    ) x;
    sent := say_events(merchant, said);
  end if;
  ${CHECK_SHARDS}
  return query
    select g.n, g.connection_id, g.wallet_id, g.pending, m.record,
           g.refuses_duplicates is not null and g.duplicates is not null, sent
    from ${rowsOf('passed', 'g', ALLOWED_COLUMNS)}
      left join ${rowsOf(`coalesce(stored, '[]')`, 'm', MADE_COLUMNS)}
        on m.request_id = g.request_id and m.connection_id = g.connection_id;
end $$`;

const MOVED_COLUMNS = `n int, event_id id, request_id id, connection_id id, wallet_id id, status text, state_version int,
    tx_hash text, reason text, decision json, decides boolean, facts_digest text, network text, created_at timestamptz,
    written_by xid8, expires_at timestamptz, updated_at timestamptz, previous_status text, actor text, takeover boolean,
    now timestamptz`;
const NUMBERED = `(
      select m.*, row_number() over (partition by m.connection_id order by m.n) as number,
             count(*) over (partition by m.connection_id) as of_connection
      from ${rowsOf('moved', 'm', MOVED_COLUMNS)}
    ) m`;
/** With the merchant from a table of the group. */
const OWN_MOVED = `(
      select own.merchant_id, m.* from merchant_standings own cross join ${rowsOf('moved', 'm', MOVED_COLUMNS)}
      where own.merchant_id = merchant)`;
const UPDATED_AT = 'm.updated_at';
const REPORTED_AT = 'i.at';
const HEAD_COLUMNS = 'connection_id id, last_sequence bigint';
const EVENT_COLUMNS = 'event_id id, sequence bigint, type text, event text';
const RECORD_COLUMNS = 'request_id id, connection_id id, record text, shown text';

/**
 * Everything that follows a change of status: the lists, the numbers, the events, the log, the observation and the
 * messages. `moved` is a JSON list of the changed requests.
 */
const TELL_MOVES = `
create or replace function tell_moves(merchant id, moved text, observed text[])
returns table (n int, request_id id, connection_id id, wallet_id id, status text, reason text, previous_status text,
  record text, event text, deliveries int)
language plpgsql as $$
#variable_conflict use_column
declare
  heads text;
  events text;
  records text;
  said text;
  one record;
  last bigint;
  sent int;
  -- Each entry has a salt of its own, made of it: Citus takes no random value in the statement below.
  seed bytea := uuid_send(gen_random_uuid());
begin
  delete from pending_requests p using ${rowsOf('moved', 'm', MOVED_COLUMNS)}
  where p.merchant_id = merchant and m.previous_status = 'pending' and p.connection_id = m.connection_id
    and p.expires_at = m.expires_at and p.request_id = m.request_id;
  delete from requests_by_status s using ${rowsOf('moved', 'm', MOVED_COLUMNS)}
  where s.merchant_id = merchant and m.previous_status <> 'pending' and s.connection_id = m.connection_id
    and s.status = m.previous_status and s.created_at = m.created_at and s.request_id = m.request_id;
  insert into requests_by_status (merchant_id, connection_id, status, created_at, request_id, written_by)
  select own.merchant_id, m.connection_id, m.status, m.created_at, m.request_id, m.written_by
  from merchant_standings own cross join ${rowsOf('moved', 'm', MOVED_COLUMNS)}
  where own.merchant_id = merchant;
  for one in
    select m.connection_id, count(*) as count from ${rowsOf('moved', 'm', MOVED_COLUMNS)} group by 1 order by 1
  loop
    insert into connection_heads as h (merchant_id, connection_id, last_sequence)
    values (merchant, one.connection_id, one.count)
    on conflict (merchant_id, connection_id) do update set last_sequence = h.last_sequence + excluded.last_sequence
    returning h.last_sequence into last;
    heads := concat(heads || ',', json_build_object('connection_id', one.connection_id, 'last_sequence', last));
  end loop;
  heads := '[' || heads || ']';
  for one in
    insert into payment_request_events as e (
      connection_id, sequence, event_id, merchant_id, request_id, type, status, previous_status, state_version, actor,
      tx_hash, reason, takeover, occurred_at)
    select m.connection_id, h.last_sequence - m.of_connection + m.number, m.event_id, own.merchant_id, m.request_id,
           'payment_request.' || m.status, m.status, m.previous_status, m.state_version, m.actor, m.tx_hash, m.reason,
           m.takeover, m.updated_at
    from merchant_standings own cross join ${NUMBERED}
      join ${rowsOf('heads', 'h', HEAD_COLUMNS)} on h.connection_id = m.connection_id
    where own.merchant_id = merchant
    returning e.event_id, e.sequence, e.type, ${EVENT_JSON} as event
  loop
    events := concat(events || ',', to_json(one));
  end loop;
  events := '[' || events || ']';
  select json_agg(x) into records from (
    select r.request_id, r.connection_id, ${body((sql) => sql.unsafe(WALLET_RECORD_JSON))} as record,
           ${body((sql) => sql.unsafe(RECORD_JSON))} as shown
    from payment_requests r join ${rowsOf('moved', 'm', MOVED_COLUMNS)}
      on r.request_id = m.request_id and r.connection_id = m.connection_id
    where r.merchant_id = merchant
  ) x;
  insert into log_outbox (merchant_id, entry_id, type, at, subject, content, salt)
  select own.merchant_id, m.event_id || ' ' || l.type, l.type, m.now, 'request ' || m.connection_id || ' ' || m.request_id,
         l.content, substr(sha256(seed || convert_to(m.event_id || ' ' || l.type, 'UTF8')), 1, 16)
  from merchant_standings own cross join ${rowsOf('moved', 'm', MOVED_COLUMNS)}
    join ${rowsOf('events', 'e', EVENT_COLUMNS)} on e.event_id = m.event_id
    cross join lateral (
      select 'decision' as type, ${DECISION_CONTENT} as content where m.decides
      union all
      select 'final' as type, ${FINAL_CONTENT} as content where m.status in (${FINAL})
    ) l
  where own.merchant_id = merchant;
  if cardinality(observed) > 0 then
    ${body<{ observed: Network[] }>((sql, { observed }) =>
      watch(
        sql,
        'payment_request',
        sql.unsafe(OWN_MOVED) as unknown as Fragment,
        observed,
        sql.unsafe(UPDATED_AT) as unknown as Fragment,
      ),
    )};
  end if;
  select json_agg(x) into said from (
    select s.event_id, s.type, ${WEBHOOK_BODY} as body, s.now
    from (
      select e.event_id, e.type, m.updated_at as occurred_at, e.sequence, k.shown as record, m.previous_status,
             m.takeover, m.now
      from ${rowsOf('events', 'e', EVENT_COLUMNS)}
        join ${rowsOf('moved', 'm', MOVED_COLUMNS)} on m.event_id = e.event_id
        join ${rowsOf('records', 'k', RECORD_COLUMNS)}
          on k.request_id = m.request_id and k.connection_id = m.connection_id
    ) s
  ) x;
  sent := say_events(merchant, said);
  return query
    select m.n, m.request_id, m.connection_id, m.wallet_id, m.status, m.reason, m.previous_status, k.record, e.event, sent
    from ${rowsOf('moved', 'm', MOVED_COLUMNS)}
      join ${rowsOf('events', 'e', EVENT_COLUMNS)} on e.event_id = m.event_id
      join ${rowsOf('records', 'k', RECORD_COLUMNS)}
        on k.request_id = m.request_id and k.connection_id = m.connection_id;
end $$`;

const NAMED_REPORT_COLUMNS = `${REPORT_COLUMNS}, state_version int, stands boolean`;
const FOUND_COLUMNS = 'n int, device_id id, status text, decided_by_device_id id';

const lock = (whenHeld: WhenHeld) => `
    select json_agg(x) into found from (
      select i.n, i.device_id, r.status, r.decided_by_device_id
      from ${rowsOf('input', 'i', NAMED_REPORT_COLUMNS)}
        join payment_requests r on r.merchant_id = merchant and r.request_id = i.request_id
          and r.connection_id = i.connection_id and r.state_version = i.state_version
        ${whenHeld === 'wait' ? '' : 'join connection_heads h on h.merchant_id = merchant and h.connection_id = i.connection_id'}
      order by r.request_id, r.connection_id
      for update of ${whenHeld === 'wait' ? 'r' : 'r, h skip locked'}
    ) x`;

const MOVE_REQUESTS = `
create or replace function move_requests(merchant id, input text, observed text[], waits boolean)
returns table (n int, is_held boolean, connection_id id, wallet_id id, previous_status text, record text, event text,
  deliveries int)
language plpgsql as $$
#variable_conflict use_column
declare
  found text;
  moved text;
  one record;
  ${NOTE_SHARDS}
begin
  if waits then
    ${lock('wait')};
  else
    ${lock('pass over')};
  end if;
  for one in
    update payment_requests r set ${REPORTED}
    from ${rowsOf(`coalesce(found, '[]')`, 'f', FOUND_COLUMNS)}
      join ${rowsOf('input', 'i', NAMED_REPORT_COLUMNS)} on i.n = f.n
    where r.merchant_id = merchant and r.request_id = i.request_id and r.connection_id = i.connection_id
      and ${body((sql) => mayReport(sql, sql.unsafe(REPORTED_AT) as unknown as Fragment))}
      and i.stands
    returning i.n, i.event_id, r.request_id, r.connection_id, r.wallet_id, r.status, r.state_version, r.tx_hash, r.reason,
      r.decision, ${DECIDES} as decides, r.facts_digest, r.network, r.created_at, r.written_by, r.expires_at, r.updated_at,
      f.status as previous_status, 'wallet' as actor, ${TAKEOVER} as takeover, r.updated_at as now
  loop
    moved := concat(moved || ',', to_json(one));
  end loop;
  if moved is null then
    return query
      select i.n, f.n is null, null::id, null::id, null::text, null::text, null::text, 0
      from ${rowsOf('input', 'i', NAMED_REPORT_COLUMNS)} left join ${rowsOf(`coalesce(found, '[]')`, 'f', FOUND_COLUMNS)} on f.n = i.n;
    return;
  end if;
  return query
    select i.n, f.n is null, t.connection_id, t.wallet_id, t.previous_status, t.record, t.event, coalesce(t.deliveries, 0)
    from ${rowsOf('input', 'i', NAMED_REPORT_COLUMNS)}
      left join ${rowsOf(`coalesce(found, '[]')`, 'f', FOUND_COLUMNS)} on f.n = i.n
      left join tell_moves(merchant, '[' || moved || ']', observed) t on t.n = i.n;
  ${CHECK_SHARDS}
end $$`;

const DUE_COLUMNS = `request_id id, connection_id id, at timestamptz, reason text, actor text, status text, event_id id`;

const END_REQUESTS = `
create or replace function end_requests(merchant id, due text, now timestamptz)
returns table (request_id id, connection_id id, wallet_id id, status text, reason text, record text, event text,
  deliveries int)
language plpgsql as $$
#variable_conflict use_column
declare
  moved text;
  one record;
  ${NOTE_SHARDS}
begin
  for one in
    update payment_requests r set
      status = d.status, reason = d.reason, updated_at = d.at, state_version = r.state_version + 1,
      listed_version = r.state_version + 1
    from ${rowsOf('due', 'd', DUE_COLUMNS)}
    where r.merchant_id = merchant and r.request_id = d.request_id and r.connection_id = d.connection_id
      and r.status = 'pending'
    returning d.event_id, r.request_id, r.connection_id, r.wallet_id, r.status, r.state_version, r.reason, r.facts_digest,
      r.network, r.created_at, r.written_by, r.expires_at, r.updated_at, 'pending' as previous_status, d.actor
  loop
    moved := concat(moved || ',', (to_jsonb(one) || jsonb_build_object('now', now)));
  end loop;
  if moved is null then
    return;
  end if;
  select json_agg(x) into moved from (
    select m.*, row_number() over (order by m.updated_at, m.request_id) as n
    from json_to_recordset(('[' || moved || ']')::json) as m(${MOVED_COLUMNS.replace('n int, ', '')})
  ) x;
  return query
    select t.request_id, t.connection_id, t.wallet_id, t.status, t.reason, t.record, t.event, t.deliveries
    from tell_moves(merchant, moved, '{}') t;
  ${CHECK_SHARDS}
end $$`;

/**
 * As on one machine, in statements that Citus accepts. The setting has to reach the nodes where rows are deleted. It
 * runs as owner, so a table that the caller creates, including temporary ones, must not shadow the intended one.
 */
const FORGET_CONTEXTS = `
create or replace function forget_unused_contexts(since timestamptz, until timestamptz) returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
declare gone bigint;
begin
  set local citus.propagate_set_commands = 'local';
  set local svc.context_retention = 'on';
  delete from transaction_contexts c
  where c.created_at > since and c.created_at <= until and c.created_at < now() - interval '90 days'
    and not exists (
      select from payment_requests r
      where r.merchant_id = c.merchant_id and r.connection_id = c.connection_id and r.transaction_id = c.transaction_id);
  get diagnostics gone = row_count;
  set local svc.context_retention = 'off';
  return gone;
end $$`;

/** In this order, because some call others. Those with a list of parameters run on the merchant's node. */
export const NODE_FUNCTIONS = [
  SAY_EVENTS,
  TELL_MOVES,
  CREATE_REQUESTS,
  MOVE_REQUESTS,
  END_REQUESTS,
  FORGET_CONTEXTS,
];
export const ROUTED_FUNCTIONS = [
  'create_requests(id, text, timestamptz, int, boolean)',
  'move_requests(id, text, text[], boolean)',
];
