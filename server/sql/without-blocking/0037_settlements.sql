-- no transaction: calls go on while large tables are read. Begun again after a failure, it comes to the same.

-- What the chain says about payments, beside what the wallet says. Written by observers, each state change together
-- with its event; a payment that nobody looks at has no row.
create table if not exists settlements (
  merchant_id   id          not null,
  connection_id id          not null,
  kind          text        not null check (kind in ('payment_request', 'agent_payment')),
  record_id     id          not null,
  status        text        not null
    check (status in ('unknown', 'unseen', 'seen', 'final', 'mismatch', 'failed_on_chain')),
  -- How many times the status was set: each time has one event.
  changes       int         not null default 1,
  checked_at    timestamptz not null,
  asked         int         not null,
  agreed        int         not null,
  transaction   json,
  differences   json        not null,
  primary key (merchant_id, connection_id, kind, record_id)
) with (fillfactor = 70);

-- What is to be looked up, and when. Narrow and apart from the records, so that no other statement meets it. `look_at`
-- is also the end of a lease.
create table if not exists observations (
  merchant_id   id          not null,
  connection_id id          not null,
  kind          text        not null check (kind in ('payment_request', 'agent_payment')),
  record_id     id          not null,
  network       text        not null,
  changed_at    timestamptz not null,
  look_at       timestamptz not null,
  tries         int         not null default 0,
  lease         text,
  primary key (merchant_id, connection_id, kind, record_id)
) with (fillfactor = 70);
create index if not exists observations_due on observations (network, look_at);

-- How far payments from before a network was observed have been taken up.
create table if not exists observation_backfills (
  network text    not null,
  kind    text    not null check (kind in ('payment_request', 'agent_payment')),
  after   text[]  not null,
  is_done boolean not null default false,
  primary key (network, kind)
);

-- Several events may now have one state_version: the step itself, and what the chain said while it stood.
alter table payment_request_events add column if not exists settlement_state text,
  add column if not exists settlement_number int not null default 0;
drop index concurrently if exists payment_request_events_one_each;
create unique index concurrently payment_request_events_one_each
  on payment_request_events (connection_id, request_id, state_version, settlement_number);
do $$ begin drop index payment_request_events_one_per_step; alter index payment_request_events_one_each rename to payment_request_events_one_per_step; end $$;

alter table agent_payment_events add column if not exists settlement_state text,
  add column if not exists settlement_number int not null default 0,
  drop constraint if exists agent_payment_events_actor_check;
alter table agent_payment_events add constraint agent_payment_events_actor_check
  check (actor in ('wallet', 'system', 'agent', 'merchant', 'observer')) not valid;
alter table agent_payment_events validate constraint agent_payment_events_actor_check;
drop index concurrently if exists agent_payment_events_one_each;
create unique index concurrently agent_payment_events_one_each
  on agent_payment_events (agent_payment_id, state_version, settlement_number);
do $$ begin drop index agent_payment_events_one_per_step; alter index agent_payment_events_one_each rename to agent_payment_events_one_per_step; end $$;
