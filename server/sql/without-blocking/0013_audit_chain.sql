-- no transaction: 1000 entries at a time. Begun again after a failure, it comes to the same.

-- The audit trail as a hash chain, and the wallet that an entry concerns.
alter table audit_events add column if not exists wallet_id id;
-- The device that acted; `actor_id` may be the wallet's name for one merchant.
alter table audit_events add column if not exists device_id id;

-- Until the entries are filled in, the guard lets a change of these two columns through and nothing else.
-- Turning its trigger off and on would lock the table, and new entries would wait.
create or replace function refuse_audit_change() returns trigger language plpgsql as $$
declare
  unfilled audit_events;
begin
  if tg_op = 'DELETE' and current_setting('svc.audit_retention', true) = 'on' then
    return old;
  end if;
  if tg_op = 'UPDATE' and tg_table_name = 'audit_events' then
    unfilled := new;
    unfilled.wallet_id := old.wallet_id;
    unfilled.device_id := old.device_id;
    if unfilled::text = old::text then
      return new;
    end if;
  end if;
  raise exception 'audit events cannot be changed' using errcode = 'restrict_violation';
end $$;
-- Entries from before these columns, filled in while the chain has not begun. Afterwards no row changes again.
do $$
declare
  reached id := '';
  ceiling id;
begin
  loop
    select max(b.audit_event_id) into ceiling from (
      select e.audit_event_id from audit_events e where e.audit_event_id > reached order by e.audit_event_id limit 1000) b;
    exit when ceiling is null;
    update audit_events e
    set wallet_id = n.wallet_id, device_id = n.device_id
    from (
      select a.audit_event_id,
             coalesce(
               case when a.merchant_id is null then a.details ->> 'wallet_id' end,
               case a.target_type
                 when 'connection' then
                   (select c.wallet_id from connections c where c.connection_id = a.target_id)
                 when 'connect_invitation' then
                   (select i.wallet_id from connect_invitations i where i.connect_invitation_id = a.target_id)
                 when 'automation_policy' then
                   (select p.wallet_id from automation_policies p where p.policy_id = a.target_id)
                 when 'pairing_session' then
                   (select s.wallet_id from pairing_sessions s where s.pairing_session_id = a.target_id)
               end)::id as wallet_id,
             case when a.merchant_id is null and a.actor_kind = 'wallet' then a.actor_id end::id as device_id
      from audit_events a where a.audit_event_id > reached and a.audit_event_id <= ceiling
    ) n
    where e.audit_event_id = n.audit_event_id
      and (e.wallet_id, e.device_id) is distinct from (n.wallet_id, n.device_id);
    commit;
    reached := ceiling;
  end loop;
end $$;
create or replace function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('svc.audit_retention', true) = 'on' then
    return old;
  end if;
  raise exception 'audit events cannot be changed' using errcode = 'restrict_violation';
end $$;

drop index concurrently if exists audit_events_by_wallet;
create index concurrently audit_events_by_wallet on audit_events (wallet_id, occurred_at desc, audit_event_id desc)
  where wallet_id is not null;
drop index concurrently if exists audit_events_by_wallet_type;
create index concurrently audit_events_by_wallet_type
  on audit_events (wallet_id, type, occurred_at desc, audit_event_id desc) where wallet_id is not null;
drop index concurrently if exists audit_events_by_wallet_target;
create index concurrently audit_events_by_wallet_target
  on audit_events (wallet_id, target_id, occurred_at desc, audit_event_id desc) where wallet_id is not null;

-- One link for each entry. The primary key allows no second link at a position: the chain cannot fork.
create table if not exists audit_chain (
  position       bigint      primary key,
  audit_event_id id          not null unique,
  hash           bytea       not null check (length(hash) = 32),
  linked_at      timestamptz not null
);
create or replace trigger audit_links_are_final before update or delete on audit_chain
  for each row execute function refuse_audit_change();
create or replace trigger audit_links_are_kept before truncate on audit_chain
  for each statement execute function refuse_audit_change();

-- Entries that have no link yet, in no order that matters: a transaction that commits late cannot be missed, because
-- its entries are found here and not by a cursor.
create table if not exists audit_chain_queue (
  audit_event_id id primary key
);
create or replace function queue_audit_events() returns trigger language plpgsql as $$
begin
  insert into audit_chain_queue select audit_event_id from added;
  return null;
end $$;
-- From here on entries are queued as they are written. It waits for the transactions that have not seen it.
create or replace trigger audit_events_are_queued after insert on audit_events
  referencing new table as added for each statement execute function queue_audit_events();
do $$
declare
  reached id := '';
  ceiling id;
begin
  loop
    select max(b.audit_event_id) into ceiling from (
      select e.audit_event_id from audit_events e where e.audit_event_id > reached order by e.audit_event_id limit 1000) b;
    exit when ceiling is null;
    insert into audit_chain_queue
      select e.audit_event_id from audit_events e
      where e.audit_event_id > reached and e.audit_event_id <= ceiling
        and not exists (select from audit_chain c where c.audit_event_id = e.audit_event_id)
      on conflict do nothing;
    commit;
    reached := ceiling;
  end loop;
end $$;

-- The last link, what stood before the oldest one that is still kept, and what was last published. Whoever holds this
-- row extends the chain.
create table if not exists audit_chain_head (
  is_only_row     boolean     primary key default true check (is_only_row),
  position        bigint      not null,
  hash            bytea       not null,
  anchor_position bigint      not null,
  anchor_hash     bytea       not null,
  published_hash  bytea,
  published_at    timestamptz
);
insert into audit_chain_head (position, hash, anchor_position, anchor_hash)
  values (0, decode(repeat('00', 32), 'hex'), 0, decode(repeat('00', 32), 'hex')) on conflict do nothing;
