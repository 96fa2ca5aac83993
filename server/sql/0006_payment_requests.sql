-- Contexts, requests and their events. Hot tables carry no foreign keys: the join in each statement is the guard.

create table transaction_contexts (
  connection_id  id          not null,
  transaction_id id          not null,
  revision       int         not null,
  content        json        not null,
  created_at     timestamptz not null,
  primary key (connection_id, transaction_id, revision)
);

create table payment_requests (
  merchant_id          id          not null,
  request_id           id          not null,
  connection_id        id          not null,
  wallet_id            id          not null,
  agent_id             id          not null,
  idempotency_key      text collate "C",
  intent_digest        text        not null,
  transaction_id       id,
  context_revision     int,
  -- pinned facts
  recipient_id         id          not null,
  recipient_version_id id          not null,
  rail                 text        not null,
  network              text        not null,
  asset                text        not null,
  amount               text        not null,
  to_address           text        not null,
  memo                 text,
  contract             text,
  issuer               text,
  decimals             int         not null,
  chain_id             bigint,
  payee                json        not null,
  facts_digest         text        not null,
  -- what the agent says
  source               json        not null,
  display              json,
  metadata             json,
  -- the decision
  status               text        not null check (status in ('pending', 'signed', 'broadcasted', 'confirmed', 'failed', 'expired', 'rejected')),
  state_version        int         not null default 1,
  tx_hash              text,
  reason               text,
  reason_text          text,
  decided_by_device_id id,
  created_at           timestamptz not null,
  expires_at           timestamptz not null,
  updated_at           timestamptz not null,
  primary key (merchant_id, request_id)
);
create unique index payment_requests_one_per_key on payment_requests (connection_id, idempotency_key);
create index payment_requests_by_merchant on payment_requests (merchant_id, created_at desc, request_id desc);
create index payment_requests_inbox on payment_requests (wallet_id, created_at desc, request_id desc);
create index payment_requests_by_connection on payment_requests (connection_id, created_at desc, request_id desc);
create index payment_requests_expiry on payment_requests (expires_at) where status = 'pending';
-- Revocation, and the question of a poll whether something of its connection is overdue.
create index payment_requests_pending on payment_requests (connection_id, expires_at) where status = 'pending';

create trigger payment_request_facts_are_final
  before update of merchant_id, request_id, connection_id, wallet_id, agent_id, idempotency_key, intent_digest,
    transaction_id, context_revision, recipient_id, recipient_version_id, rail, network, asset, amount, to_address,
    memo, contract, issuer, decimals, chain_id, payee, facts_digest, source, display, metadata, created_at, expires_at
  on payment_requests for each row execute function refuse_fact_change();
create trigger payment_requests_are_kept before delete on payment_requests
  for each row execute function refuse_fact_change();

create table payment_request_events (
  connection_id   id          not null,
  sequence        bigint      not null,
  event_id        id          not null,
  merchant_id     id          not null,
  request_id      id          not null,
  type            text        not null,
  status          text        not null,
  previous_status text        not null,
  state_version   int         not null,
  actor           text        not null check (actor in ('wallet', 'system')),
  tx_hash         text,
  reason          text,
  occurred_at     timestamptz not null,
  primary key (connection_id, sequence)
);
create unique index payment_request_events_one_per_step on payment_request_events (merchant_id, request_id, state_version);
