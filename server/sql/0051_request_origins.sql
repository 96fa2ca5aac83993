-- no transaction: a thousand connections at a time, and no table is locked for longer than a change of its catalogue
-- takes. Begun again after a failure, it comes to the same.

-- A token that a wallet has seen (rotation, pairing) is shared: with it the customer can call as the agent. Processes of
-- the version before do not name it, so a token of theirs counts as shared until the agent collects its own.
alter table connection_tokens add column if not exists is_shared boolean not null default true;
drop trigger if exists connection_token_origin_is_final on connection_tokens;

-- Only the agent has seen the first token of a connection that it exchanged an invitation for. The audit trail has kept
-- who made the connection; where it no longer has, the token counts as shared.
do $$
declare
  reached id := '';
  ceiling id;
begin
  loop
    select max(b.connection_id) into ceiling from (
      select c.connection_id from connections c where c.connection_id > reached order by c.connection_id limit 1000) b;
    exit when ceiling is null;
    update connection_tokens t set is_shared = false
    where t.connection_id > reached and t.connection_id <= ceiling and t.generation = 1 and t.ended_at is null
      and t.is_shared and exists (
        select from audit_events e
        where e.merchant_id = t.merchant_id and e.target_id = t.connection_id and e.type = 'connection.created'
          and e.actor_kind = 'agent');
    commit;
    reached := ceiling;
  end loop;
end $$;
create trigger connection_token_origin_is_final before update of is_shared on connection_tokens
  for each row execute function refuse_fact_change();

-- The agent collects its own token as often as it likes, so what that was made from stays as long as the token. Of a
-- shared one it is still wiped at the first use.
alter table connection_tokens drop constraint if exists connection_tokens_seed_is_wiped;
alter table connection_tokens drop constraint if exists connection_tokens_seed_ends;
alter table connection_tokens add constraint connection_tokens_seed_ends
  check (seed is null or (ended_at is null and (first_used_at is null or not is_shared))) not valid;
alter table connection_tokens validate constraint connection_tokens_seed_ends;

-- What a request or payment was created with; null for those from before.
alter table payment_requests add column if not exists created_with text;
alter table agent_payments add column if not exists created_with text;
-- For a database that is already distributed.
set citus.enable_unsafe_triggers = on;
drop trigger if exists payment_request_origin_is_final on payment_requests;
create trigger payment_request_origin_is_final before update of created_with on payment_requests
  for each row execute function refuse_fact_change();
drop trigger if exists agent_payment_created_with_is_final on agent_payments;
create trigger agent_payment_created_with_is_final before update of created_with on agent_payments
  for each row execute function refuse_fact_change();
reset citus.enable_unsafe_triggers;
