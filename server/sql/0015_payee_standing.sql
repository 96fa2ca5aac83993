-- What a payee's proof is bound to, and whether the domain still stands behind it.

alter table recipients drop constraint recipients_status_check;
alter table recipients add constraint recipients_status_check
  check (status in ('draft', 'active', 'suspended', 'archived'));

alter table recipient_evidence
  add column binding text not null default 'domain' check (binding in ('payee', 'domain'));
create index recipient_evidence_by_source on recipient_evidence (source_id);

-- Everything that a record says about its payee now is in this one row, so that a read costs one probe.
alter table recipient_versions
  add column binding      text check (binding in ('payee', 'domain')), -- of its evidence
  add column suspended_at timestamptz, -- the domain of its evidence lapsed or was deleted
  add column retired_at   timestamptz; -- its Recipient was archived
-- A lapse finds the versions that rest on a piece of evidence.
create index recipient_versions_by_evidence on recipient_versions (evidence_id) where evidence_id is not null;

alter table merchants add column require_payee_binding boolean not null default false;

alter table domains
  add column check_at     timestamptz, -- when the challenge of a verified domain is looked up again
  add column check_lease  text,
  add column absent_at    timestamptz, -- the last look, when it found nothing for certain
  add column absent_ms    bigint not null default 0, -- how long it has been gone for certain
  add column absence_told int    not null default 0; -- after how many days the operators were last told
create index domains_due on domains (check_at) where status = 'verified' and deleted_at is null;

alter table mail_jobs drop constraint mail_jobs_kind_check;

-- What is there already: no evidence was bound to a payee, and what rests on a domain that is lapsed or deleted
-- today is suspended from now on. The first looks are spread over a day.
update recipient_versions set binding = 'domain' where verified_at is not null;
update recipient_versions v set retired_at = r.updated_at
from recipients r where r.recipient_id = v.recipient_id and r.status = 'archived' and v.status = 'active';
update recipient_versions v set suspended_at = now()
from recipient_evidence e
where e.evidence_id = v.evidence_id and not exists (
  select from domains d where d.domain_id = e.source_id and d.status = 'verified' and d.deleted_at is null);
update recipients r set status = 'suspended', updated_at = now()
from recipient_versions v
where v.recipient_version_id = r.active_version_id and v.suspended_at is not null and r.status = 'active';
update domains set check_at = now() + random() * interval '24 hours'
where status = 'verified' and deleted_at is null;
