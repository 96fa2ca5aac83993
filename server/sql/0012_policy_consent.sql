-- Consent binds what was shown: drafts are pinned too, and a refused consent leaves the versions it met as proposed.

alter table automation_policies add column proposed json;

-- Until now a draft showed what was active at the moment of reading. Whoever has read one must look again.
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

create index automation_policies_open on automation_policies (connection_id) where status in ('draft', 'active', 'paused');

-- Who typed the address of a payment without a Recipient. Older payments of people do not tell an operator from the user.
alter table agent_payments add column to_entered_by text check (to_entered_by in ('operator', 'agent', 'user'));
update agent_payments set to_entered_by = 'agent' where recipient_id is null and initiated_by = 'agent';
create trigger agent_payment_origin_is_final before update of to_entered_by
  on agent_payments for each row execute function refuse_fact_change();
