-- Changes that wait for a second owner.

alter table merchants add column four_eyes boolean not null default false;

create table approvals (
  approval_id  id          primary key,
  merchant_id  id          not null references merchants,
  act          text        not null,
  call         text        not null, -- method and path, as the table of roles names it
  params       json        not null,
  body         json        not null,
  target_type  text        not null,
  target_id    text        not null,
  details      json        not null, -- what was shown to whoever decides
  requested_by id          not null references accounts,
  created_at   timestamptz not null,
  expires_at   timestamptz not null,
  status       text        not null check (status in ('pending', 'approved', 'rejected')),
  decided_by   id          references accounts,
  decided_at   timestamptz,
  check ((status = 'pending') = (decided_at is null) and (decided_at is null) = (decided_by is null)),
  check (decided_by is distinct from requested_by)
);
create index approvals_by_merchant on approvals (merchant_id, created_at desc, approval_id desc);
create index approvals_by_age on approvals (created_at);

-- What is decided about is what was asked for.
create trigger approvals_are_final
  before update of approval_id, merchant_id, act, call, params, body, target_type, target_id, details, requested_by,
    created_at, expires_at on approvals
  for each row execute function refuse_fact_change();
