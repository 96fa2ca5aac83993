-- no transaction: calls go on while large tables are read. Begun again after a failure, it comes to the same.

-- What strangers can leave behind is forgotten.

-- Null as long as no agent was ever connected: such a wallet concerns nobody else.
alter table wallets add column if not exists connected_at timestamptz;
do $$
declare
  reached id := '';
  ceiling id;
begin
  loop
    select max(b.wallet_id) into ceiling from (
      select w.wallet_id from wallets w where w.wallet_id > reached order by w.wallet_id limit 1000) b;
    exit when ceiling is null;
    update wallets w set connected_at = c.first
    from (select wallet_id, min(created_at) as first from connections
          where wallet_id > reached and wallet_id <= ceiling group by wallet_id) c
    where c.wallet_id = w.wallet_id and w.connected_at is null;
    commit;
    reached := ceiling;
  end loop;
end $$;
drop index concurrently if exists wallets_never_connected;
create index concurrently wallets_never_connected on wallets (created_at) where connected_at is null;

-- How far a sweep has come that looks at each row once.
create table if not exists retention_marks (
  name    text        primary key,
  reached timestamptz not null
);

-- Revisions of a context are final. Only those go that no request ever named, 90 days later.
drop index concurrently if exists transaction_contexts_by_age;
create index concurrently transaction_contexts_by_age on transaction_contexts (created_at);
drop index concurrently if exists payment_requests_by_context;
create index concurrently payment_requests_by_context on payment_requests (connection_id, transaction_id)
  where transaction_id is not null;

create or replace function refuse_context_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('svc.context_retention', true) = 'on' then
    return old;
  end if;
  raise exception 'contexts cannot be changed' using errcode = 'restrict_violation';
end $$;
create or replace trigger transaction_contexts_are_final before update or delete on transaction_contexts
  for each row execute function refuse_context_change();

-- The one way by which the service forgets contexts. It looks at what was made in a stretch of time, old enough by the
-- database's own clock, which the service cannot move.
create or replace function forget_unused_contexts(since timestamptz, until timestamptz) returns bigint language sql security definer
begin atomic
  select set_config('svc.context_retention', 'on', true);
  with gone as (
    delete from transaction_contexts c
    where c.created_at > since and c.created_at <= until and c.created_at < now() - interval '90 days'
      and not exists (select from payment_requests r
                      where r.connection_id = c.connection_id and r.transaction_id = c.transaction_id)
    returning 1
  )
  select count(*) from gone;
end;
revoke execute on function forget_unused_contexts from public;

-- Set by the worker while too much waits for the endpoint: it gets no new deliveries then.
alter table webhook_endpoints add column if not exists queue_full_since timestamptz;
create index if not exists webhook_endpoints_full on webhook_endpoints (webhook_endpoint_id)
  where queue_full_since is not null;
