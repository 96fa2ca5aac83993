import { CHECK_SHARDS, NOTE_SHARDS } from '../../db/shards.ts';

/** Functions of a distributed database that run on the machine of their first argument. */

/**
 * The message and one delivery for each endpoint that wants it; answers how many deliveries. `said` is a JSON list of
 * {event_id, type, body, now}. The same as `webhookRows`, as single statements: Citus takes no insert inside of `with`.
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
