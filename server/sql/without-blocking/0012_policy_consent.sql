-- no transaction: a thousand payments at a time. Begun again after a failure, it comes to the same.

-- Consent binds what was shown: drafts are pinned too, and a refused consent leaves the versions it met as proposed.
-- Until now a draft showed what was active at the moment of reading. Whoever has read one must look again. The new column
-- says that this is done; it comes last, because nobody reads the table from then on until the commit.
do $$ begin
  if exists (
    select from pg_attribute
    where attrelid = 'automation_policies'::regclass and attname = 'proposed' and not attisdropped) then
    return;
  end if;
  update automation_policies p
  set allowlist = (
        select json_agg(
          case when a.entry->>'recipient_version_id' is null and r.active_version_id is not null and r.status = 'active'
            then json_build_object('recipient_id', r.recipient_id, 'recipient_version_id', r.active_version_id)
            else a.entry end order by a.position)
        from json_array_elements(p.allowlist) with ordinality as a(entry, position)
          left join recipients r on r.recipient_id = a.entry->>'recipient_id' and r.merchant_id = p.merchant_id),
      version = p.version + 1
  where p.status = 'draft' and p.allowlist::text like '%recipient_id%';
  alter table automation_policies add column proposed json;
end $$;
drop index concurrently if exists automation_policies_open;
create index concurrently automation_policies_open on automation_policies (connection_id)
  where status in ('draft', 'active', 'paused');

-- Who typed the address of a payment without a Recipient. Older payments of people do not tell an operator from the user.
alter table agent_payments add column if not exists to_entered_by text;
alter table agent_payments drop constraint if exists agent_payments_to_entered_by_check;
alter table agent_payments add constraint agent_payments_to_entered_by_check
  check (to_entered_by in ('operator', 'agent', 'user')) not valid;
alter table agent_payments validate constraint agent_payments_to_entered_by_check;
drop trigger if exists agent_payment_origin_is_final on agent_payments;
do $$
declare
  reached id := '';
  ceiling id;
begin
  loop
    select max(b.agent_payment_id) into ceiling from (
      select o.agent_payment_id from agent_payments o
      where o.agent_payment_id > reached order by o.agent_payment_id limit 1000) b;
    exit when ceiling is null;
    update agent_payments set to_entered_by = 'agent'
    where agent_payment_id > reached and agent_payment_id <= ceiling and recipient_id is null and initiated_by = 'agent'
      and to_entered_by is null;
    commit;
    reached := ceiling;
  end loop;
end $$;
create trigger agent_payment_origin_is_final before update of to_entered_by
  on agent_payments for each row execute function refuse_fact_change();
