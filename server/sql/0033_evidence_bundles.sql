-- What was found at a domain when evidence was made, and who was asked; null for evidence from before.
alter table recipient_evidence add column found text, add column resolver text;

-- Bundles of what is over: the same bytes each time.
create table evidence_bundles (
  subject   text        primary key,
  bundle    text        not null,
  frozen_at timestamptz not null
);
create trigger evidence_bundles_are_final before update or delete on evidence_bundles
  for each row execute function refuse_fact_change();
