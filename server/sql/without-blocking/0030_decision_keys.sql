-- no transaction: calls go on while large tables are read. Begun again after a failure, it comes to the same.

-- What devices sign their decisions with, and the decisions themselves.

-- How a device came to its wallet; null for the first one, and for those from before this was written down.
alter table devices add column if not exists joined_by text;
alter table devices drop constraint if exists devices_joined_by_check;
alter table devices add constraint devices_joined_by_check check (joined_by in ('link', 'recovery')) not valid;
alter table devices validate constraint devices_joined_by_check;

-- Former keys stay: what they signed is verified with them.
create table if not exists decision_keys (
  decision_key_id bigint      generated always as identity primary key,
  device_id       id          not null references devices,
  wallet_id       id          not null,
  alg             text        not null check (alg in ('Ed25519', 'webauthn')),
  thumbprint      text        not null,
  key             json        not null,
  endorsed_by     text, -- the device whose key vouched for it, or 'recovery'
  created_at      timestamptz not null,
  ended_at        timestamptz -- replaced, or its device was removed
);
create unique index if not exists decision_keys_one_current on decision_keys (device_id) where ended_at is null;
-- A report without a signed decision asks whether the wallet has any.
create index if not exists decision_keys_of_wallet on decision_keys (wallet_id) where ended_at is null;
create index if not exists decision_keys_by_thumbprint on decision_keys (device_id, thumbprint);
create or replace trigger decision_keys_are_final
  before update of decision_key_id, device_id, wallet_id, alg, thumbprint, key, endorsed_by, created_at on decision_keys
  for each row execute function refuse_fact_change();

-- The decision as the record shows it; null while there is none.
alter table payment_requests add column if not exists decision json;
alter table agent_payments add column if not exists decision json;
