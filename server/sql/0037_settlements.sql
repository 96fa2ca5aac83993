-- What the chain says about payments, beside what the wallet says. Written by observers, each state change together
-- with its event; a payment that nobody looks at has no row.
create table settlements (
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
create table observations (
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
create index observations_due on observations (network, look_at);

-- How far payments from before a network was observed have been taken up.
create table observation_backfills (
  network text    not null,
  kind    text    not null check (kind in ('payment_request', 'agent_payment')),
  after   text[]  not null,
  is_done boolean not null default false,
  primary key (network, kind)
);

-- Several events may now have one state_version: the step itself, and what the chain said while it stood.
alter table payment_request_events add column settlement_state text,
  add column settlement_number int not null default 0;
create unique index payment_request_events_one_each
  on payment_request_events (connection_id, request_id, state_version, settlement_number);
drop index payment_request_events_one_per_step;
alter index payment_request_events_one_each rename to payment_request_events_one_per_step;

alter table agent_payment_events add column settlement_state text,
  add column settlement_number int not null default 0,
  drop constraint agent_payment_events_actor_check,
  add constraint agent_payment_events_actor_check
    check (actor in ('wallet', 'system', 'agent', 'merchant', 'observer'));
create unique index agent_payment_events_one_each
  on agent_payment_events (agent_payment_id, state_version, settlement_number);
drop index agent_payment_events_one_per_step;
alter index agent_payment_events_one_each rename to agent_payment_events_one_per_step;
