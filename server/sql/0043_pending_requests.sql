-- What changes with the status of a request lives in two narrow tables, so that no index of payment_requests names a
-- column that a decision writes: such an update then touches no index and logs little (HOT).

-- What awaits a decision. Stored by the statement that stores the request, deleted by the one that decides or ends it.
create table pending_requests (
  merchant_id       id          not null,
  connection_id     id          not null,
  expires_at        timestamptz not null,
  request_id        id          not null,
  created_at        timestamptz not null,
  recipient_id      id          not null,
  recall_generation int         not null,
  -- Polls, the cap, revocations and the lists of connections and wallets; recalls and merchants by its first column.
  primary key (merchant_id, connection_id, expires_at, request_id)
);
-- The sweeper's. An expression, so that nothing else can take it: a poll would be planned to read all that is overdue.
create index pending_requests_expiry on pending_requests ((expires_at at time zone 'UTC'));
-- Rows of nobody that never end. Where nothing else is pending they keep the planner from taking the table for empty:
-- it would read all of it instead of looking up a key, and go on doing so when thousands are pending.
insert into pending_requests
  select '', n::text, 'infinity', n::text, 'infinity', n::text, 0 from generate_series(1, 1000) n;
analyze pending_requests;

-- All others, for lists by status.
create table requests_by_status (
  merchant_id   id          not null,
  connection_id id          not null,
  status        text        not null check (status <> 'pending'),
  created_at    timestamptz not null,
  request_id    id          not null,
  primary key (merchant_id, connection_id, status, created_at, request_id)
);
create index requests_by_status_of_merchant on requests_by_status (merchant_id, status, created_at);

-- Rows come and go and never change, so no role gets the right to.
create trigger pending_requests_are_final before update on pending_requests
  for each row execute function refuse_fact_change();
create trigger requests_by_status_are_final before update on requests_by_status
  for each row execute function refuse_fact_change();

-- Room for what a row grows by in its life, and for its next version beside it, on nearly every page.
alter table payment_requests set (fillfactor = 70);

-- The state_version that the two tables above know: a statement that keeps them writes it with the status. Processes of the
-- release before do not, so these triggers do it for them. As the owner, because the roles of those processes were never
-- granted the tables. All of it goes with the next release.
alter table payment_requests add column listed_version int;
create function list_request() returns trigger language plpgsql security definer as $$
begin
  if tg_op = 'UPDATE' then
    delete from pending_requests p
    where p.merchant_id = old.merchant_id and p.connection_id = old.connection_id and p.expires_at = old.expires_at
      and p.request_id = old.request_id;
    delete from requests_by_status s
    where s.merchant_id = old.merchant_id and s.connection_id = old.connection_id and s.status = old.status
      and s.created_at = old.created_at and s.request_id = old.request_id;
  end if;
  if new.status = 'pending' then
    insert into pending_requests
    values (new.merchant_id, new.connection_id, new.expires_at, new.request_id, new.created_at, new.recipient_id,
            new.recall_generation)
    on conflict do nothing;
  else
    insert into requests_by_status
    values (new.merchant_id, new.connection_id, new.status, new.created_at, new.request_id)
    on conflict do nothing;
  end if;
  return null;
end $$;
do $$ begin
  execute format('alter function list_request() set search_path = %I, pg_temp', current_schema());
end $$;
create trigger payment_requests_are_listed after insert on payment_requests
  for each row when (new.listed_version is distinct from new.state_version) execute function list_request();
create trigger payment_requests_are_listed_anew after update of status on payment_requests
  for each row when (old.status <> new.status and new.listed_version is distinct from new.state_version)
  execute function list_request();
