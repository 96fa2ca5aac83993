import { exactJson } from '@payassent/protocol';
import { ofMerchant } from '../../db/layout.ts';
import { type Database, type Fragment, type Tx, transaction } from '../../db/open.ts';
import type { DueEndpoint } from '../../features/webhooks/claim-sql.ts';
import { type AttemptRecord, type EndpointReport, recorded } from '../../features/webhooks/record-sql.ts';
import type { SaidEvent } from '../../features/webhooks/rows.ts';
import type { Statements } from '../statements.ts';
import { CHECK_SHARDS, NOTE_SHARDS } from './shards.ts';

/**
 * The message and one delivery for each subscribed endpoint; returns how many deliveries. `said` is a JSON list of
 * {event_id, type, body, now}. The same as `webhookRows`, as single statements: Citus accepts no insert inside `with`.
 */
export const SAY_EVENTS = `
create or replace function say_events(merchant id, said text) returns int language plpgsql as $$
#variable_conflict use_column
declare
  wanted text;
  deliveries int;
  ${NOTE_SHARDS}
begin
  select json_agg(x) into wanted from (
    select s.event_id, s.type, s.now, w.webhook_endpoint_id
    from webhook_endpoints w
      join json_to_recordset(said::json) as s(event_id id, type text, now timestamptz)
        on w.event_types && array['*', split_part(s.type, '.', 1) || '.*', s.type]
    where w.merchant_id = merchant and w.status = 'active' and w.deleted_at is null and w.queue_full_since is null
  ) x;
  if wanted is null then
    return 0;
  end if;
  insert into webhook_messages (event_id, merchant_id, type, body, created_at)
  select s.event_id, own.merchant_id, s.type, s.body, s.now
  from merchant_standings own
    cross join json_to_recordset(said::json) as s(event_id id, type text, body text, now timestamptz)
  where own.merchant_id = merchant
    and s.event_id in (select w.event_id from json_to_recordset(wanted::json) as w(event_id id));
  insert into webhook_deliveries
    (delivery_id, webhook_endpoint_id, merchant_id, event_id, event_type, attempt, status, run_at, created_at)
  select 'whd_' || substr(w.event_id, 5, 10) || upper(substr(md5(w.event_id || w.webhook_endpoint_id), 1, 16)),
         w.webhook_endpoint_id, own.merchant_id, w.event_id, w.type, 1, 'pending', w.now, w.now
  from merchant_standings own
    cross join json_to_recordset(wanted::json) as w(event_id id, type text, now timestamptz, webhook_endpoint_id id)
  where own.merchant_id = merchant;
  get diagnostics deliveries = row_count;
  ${CHECK_SHARDS}
  return deliveries;
end $$`;

export async function queueMessages(tx: Tx, messages: readonly SaidEvent[], now: Date): Promise<number> {
  let deliveries = 0;
  for (const merchantId of new Set(messages.map((message) => message.merchantId))) {
    const said = messages
      .filter((message) => message.merchantId === merchantId)
      .map(({ eventId, type, body }) => ({ event_id: eventId, type, body, now }));
    const [row] = await tx<[{ deliveries: number }]>`
      select say_events(${merchantId}::id, ${exactJson(said)}::text) as deliveries`;
    deliveries += row.deliveries;
  }
  return deliveries;
}

interface NextAttempt {
  next_delivery_id: string;
  webhook_endpoint_id: string;
  event_id: string;
  event_type: string;
  attempt: number;
  next_attempt_at: Date;
}

/** The outcomes of the attempts and their consequences are two statements there. */
export async function recordAttempts(
  db: Database,
  attempts: readonly AttemptRecord[],
  reports: readonly EndpointReport[],
  now: Date,
): Promise<void> {
  for (const merchantId of new Set([...attempts, ...reports].map((row) => row.merchant_id))) {
    const isOwn = (row: { merchant_id: string }) => row.merchant_id === merchantId;
    await transaction(db, async (tx) => {
      const sql = ofMerchant(tx, merchantId);
      const next = await sql<NextAttempt[]>`${recorded(sql, attempts.filter(isOwn), reports.filter(isOwn))}
        select next_delivery_id, webhook_endpoint_id, event_id, event_type, attempt + 1 as attempt, next_attempt_at
        from recorded where next_delivery_id is not null and next_attempt_at is not null`;
      const rows = next.map(({ next_delivery_id, next_attempt_at, ...row }) => ({
        ...row,
        delivery_id: next_delivery_id,
        merchant_id: merchantId,
        status: 'pending',
        run_at: next_attempt_at,
        created_at: now,
      }));
      if (rows.length > 0) await tx`insert into webhook_deliveries ${tx(rows)}`;
    });
  }
}

/** No index spans all nodes: due rows are read endpoint by endpoint. */
export async function walkDueEndpoints(
  db: Database,
  behind: string,
  now: Date,
  maxSteps: number,
): ReturnType<Statements['walkDueEndpoints']> {
  const read = (isIn: Fragment, limit: number) => db<DueEndpoint[]>`
    select e.webhook_endpoint_id, e.merchant_id, e.url, e.version,
           e.status = 'active' and e.deleted_at is null as is_active, e.failing_since, e.secret_key_id, e.secret_box,
           e.previous_secret_key_id, e.previous_secret_box, e.previous_secret_expires_at
    from (
      select d.merchant_id, d.webhook_endpoint_id from webhook_deliveries d
      where d.status = 'pending' and d.run_at <= ${now} and ${isIn} group by 1, 2
    ) d join webhook_endpoints e on e.merchant_id = d.merchant_id and e.webhook_endpoint_id = d.webhook_endpoint_id
    order by e.webhook_endpoint_id limit ${limit}`;
  const after = await read(db`d.webhook_endpoint_id > ${behind}`, maxSteps);
  const rest = maxSteps - after.length;
  const before = rest > 0 ? await read(db`d.webhook_endpoint_id <= ${behind}`, rest) : [];
  const due = [...after, ...before];
  return { due, endedAt: due.length === maxSteps ? due.at(-1)?.webhook_endpoint_id : undefined };
}

const MAX_COUNTED = 10;

/** Each node counts its own waiting rows. */
export async function findFullEndpoints(
  tx: Tx,
  behind: string,
  cap: number,
): Promise<{ full: string[]; reached: string }> {
  const rows = await tx<{ id: string }[]>`
    select webhook_endpoint_id as id from webhook_deliveries
    where status = 'pending' and webhook_endpoint_id > ${behind}
    group by merchant_id, webhook_endpoint_id having count(*) >= ${cap}
    order by webhook_endpoint_id limit ${MAX_COUNTED}`;
  const full = rows.map((row) => row.id);
  return { full, reached: full.length === MAX_COUNTED ? (full.at(-1) ?? '') : '' };
}
