-- Endpoints, messages (bytes once) and delivery attempts.

create table webhook_endpoints (
  webhook_endpoint_id id          primary key,
  merchant_id         id          not null references merchants,
  url                 text        not null,
  event_types         text[]      not null,
  status              text        not null check (status in ('pending_verification', 'active', 'disabled')),
  version             int         not null default 1,
  secret_key_id       text        not null,
  secret_box          bytea       not null,
  -- Both secrets sign while a rotation overlaps.
  previous_secret_key_id     text,
  previous_secret_box        bytea,
  previous_secret_expires_at timestamptz,
  -- The start of an unbroken run of failures.
  failing_since       timestamptz,
  -- Null while active: what waits for the endpoint waits from here on.
  inactive_since      timestamptz,
  created_at          timestamptz not null,
  updated_at          timestamptz not null,
  deleted_at          timestamptz
);
create index webhook_endpoints_by_merchant on webhook_endpoints (merchant_id, created_at desc, webhook_endpoint_id desc) where deleted_at is null;
create index webhook_endpoints_active on webhook_endpoints (merchant_id) where status = 'active' and deleted_at is null;

create table webhook_messages (
  event_id    id          primary key,
  merchant_id id          not null,
  type        text        not null,
  body        text        not null,
  created_at  timestamptz not null
);
create index webhook_messages_by_age on webhook_messages (created_at);

create table webhook_deliveries (
  delivery_id         id          primary key,
  webhook_endpoint_id id          not null,
  merchant_id         id          not null,
  event_id            id          not null,
  event_type          text        not null,
  attempt             int         not null,
  status              text        not null check (status in ('pending', 'delivered', 'failed', 'cancelled')),
  -- When it is due; the end of the lease while a worker has it; the end of its patience while it waits for an
  -- inactive endpoint (parked_at).
  run_at              timestamptz not null,
  lease               text,
  parked_at           timestamptz,
  http_status         int,
  error_class         text,
  duration_ms         int,
  created_at          timestamptz not null,
  attempted_at        timestamptz,
  -- Of a failed attempt: when the next one was planned for.
  next_attempt_at     timestamptz
)
-- Each row is written three times within seconds; what that leaves behind lies where claims look first.
with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);
-- No index on run_at alone: the planner would take it for claims too, and read through every dead endpoint's queue.
-- Age is the order of the primary key, because ids begin with their time.
create index webhook_deliveries_due on webhook_deliveries (webhook_endpoint_id, run_at) where status = 'pending';
create index webhook_deliveries_parked on webhook_deliveries (webhook_endpoint_id) where status = 'pending' and parked_at is not null;
create index webhook_deliveries_by_merchant on webhook_deliveries (merchant_id, created_at desc, delivery_id desc);
create index webhook_deliveries_by_event on webhook_deliveries (event_id);
