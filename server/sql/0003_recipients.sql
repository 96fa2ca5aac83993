-- Payees. A version's facts never change; a new payee address is a new version.

create table recipients (
  recipient_id      id          primary key,
  merchant_id       id          not null references merchants,
  name              text        not null,
  status            text        not null check (status in ('draft', 'active', 'archived')),
  active_version_id id,
  version           int         not null default 1,
  created_at        timestamptz not null,
  updated_at        timestamptz not null
);
create index recipients_by_merchant on recipients (merchant_id, created_at desc, recipient_id desc);

create table recipient_versions (
  recipient_version_id id          primary key,
  recipient_id         id          not null references recipients,
  merchant_id          id          not null,
  number               int         not null,
  status               text        not null check (status in ('created', 'verified', 'active', 'superseded')),
  name                 text        not null,
  rail                 text        not null,
  network              text        not null,
  asset                text        not null,
  address              text        not null,
  memo                 text,
  contract             text,
  issuer               text,
  decimals             int         not null,
  chain_id             bigint,
  evidence_id          id, -- of its activation
  created_at           timestamptz not null,
  verified_at          timestamptz,
  activated_at         timestamptz,
  unique (recipient_id, number)
);
create unique index recipient_versions_one_active on recipient_versions (recipient_id) where status = 'active';
create index recipient_versions_active_by_merchant on recipient_versions (merchant_id) where status = 'active';

create table recipient_evidence (
  evidence_id          id          primary key,
  recipient_version_id id          not null references recipient_versions,
  merchant_id          id          not null,
  type                 text        not null check (type in ('domain_proof')),
  source_id            id          not null,
  domain               text        not null,
  method               text        not null,
  evidence_digest      text        not null,
  created_at           timestamptz not null,
  expires_at           timestamptz not null
);
create index recipient_evidence_by_version on recipient_evidence (recipient_version_id);

create function refuse_fact_change() returns trigger language plpgsql as $$
begin
  raise exception 'payment facts cannot be changed' using errcode = 'restrict_violation';
end $$;

create trigger recipient_version_facts_are_final
  before update of recipient_id, merchant_id, number, name, rail, network, asset, address, memo, contract, issuer, decimals, chain_id
  on recipient_versions for each row execute function refuse_fact_change();
create trigger recipient_versions_are_kept before delete on recipient_versions
  for each row execute function refuse_fact_change();

-- Evidence is what an activation rests on: whoever recomputes its digest later must find what was proved.
create trigger recipient_evidence_is_final before update or delete on recipient_evidence
  for each row execute function refuse_fact_change();
