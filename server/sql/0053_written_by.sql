-- no transaction: no table is locked for longer than a change of its catalogue takes. Begun again after a failure, it
-- comes to the same.

-- The transaction that created a request: what a waiting wallet has seen is told by transactions, because requests
-- become visible in the order of their commits. Null for those from before, which every wallet has seen or lists.
alter table payment_requests add column if not exists written_by xid8;
alter table payment_requests alter column written_by set default pg_current_xact_id();
alter table pending_requests add column if not exists written_by xid8;
alter table pending_requests alter column written_by set default pg_current_xact_id();
-- Taken from the request, not from the change of its status.
alter table requests_by_status add column if not exists written_by xid8;

-- On a distributed database a transaction has a number of its own on each node: a trigger takes that of the node the
-- request lies on where the row has 0, because a default can be that of the coordinator. One that is distributed later
-- gets it then.
create or replace function note_writer() returns trigger language plpgsql as $$
begin
  new.written_by := pg_current_xact_id();
  return new;
end $$;
do $$
declare
  is_distributed boolean := false;
begin
  if exists (select from pg_extension where extname = 'citus') then
    execute $q$select exists (select from pg_dist_partition where logicalrelid = 'payment_requests'::regclass)$q$
      into is_distributed;
  end if;
  if is_distributed then
    perform set_config('citus.enable_unsafe_triggers', 'on', true);
    alter table payment_requests alter column written_by set default '0';
    alter table pending_requests alter column written_by set default '0';
    create or replace trigger payment_request_writer before insert on payment_requests
      for each row when (new.written_by = '0') execute function note_writer();
    create or replace trigger pending_request_writer before insert on pending_requests
      for each row when (new.written_by = '0') execute function note_writer();
  end if;
end $$;
