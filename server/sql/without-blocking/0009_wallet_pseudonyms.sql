-- no transaction: 1000 entries at a time. Begun again after a failure, it comes to the same.

-- A merchant sees a wallet under a name that holds for this merchant alone, so that two merchants who compare their
-- audit trails cannot tell that they have the same user. The key stays in this database: a change of the master key
-- must not rename everybody.
create table if not exists wallet_pseudonym_key (
  key bytea not null check (length(key) = 32)
);
create unique index if not exists wallet_pseudonym_key_is_one on wallet_pseudonym_key ((true));
insert into wallet_pseudonym_key
  values (sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())))
  on conflict do nothing;

-- All devices of a wallet have one name: which of them acted is no merchant's business.
create or replace function wallet_pseudonym(merchant id, device id) returns text language sql stable as $$
  select 'wallet_' || left(encode(sha256(k.key || convert_to(
    merchant || ' ' || coalesce((select d.wallet_id from devices d where d.device_id = device), device), 'UTF8')),
    'hex'), 26)
  from wallet_pseudonym_key k
$$;

-- Until the entries are filled in, the guard lets a change of the actor through and nothing else.
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
    unfilled.actor_id := old.actor_id;
    if unfilled::text = old::text then
      return new;
    end if;
  end if;
  raise exception 'audit events cannot be changed' using errcode = 'restrict_violation';
end $$;
-- Rows that merchants can read already get the name too. Only this migration may change them.
do $$
declare
  reached id := '';
  ceiling id;
begin
  loop
    select max(b.audit_event_id) into ceiling from (
      select e.audit_event_id from audit_events e where e.audit_event_id > reached order by e.audit_event_id limit 1000) b;
    exit when ceiling is null;
    if exists (
      select from audit_events where audit_event_id > reached and audit_event_id <= ceiling
        and merchant_id is not null and actor_kind = 'wallet' and actor_id like 'dev\_%') then
      update audit_events set actor_id = wallet_pseudonym(merchant_id, actor_id)
      where audit_event_id > reached and audit_event_id <= ceiling
        and merchant_id is not null and actor_kind = 'wallet' and actor_id like 'dev\_%';
    end if;
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
