-- What changes a wallet's decision keys: authorized by a key, or after a day in which every device can cancel it.

create table pending_changes (
  change_id       id          primary key,
  wallet_id       id          not null references wallets,
  act             text        not null check (act in ('set_key', 'remove_key', 'delete_device', 'recovery_code')),
  device_id       id, -- the device acted on; null for a recovery code
  requested_by    id          not null,
  held            text, -- thumbprint of the key that the device had when it was asked for: with another one the change lapses
  key             json, -- the new key of set_key, whose proof was checked
  status          text        not null check (status in ('pending', 'effective', 'cancelled', 'lapsed')),
  created_at      timestamptz not null,
  takes_effect_at timestamptz not null,
  ended_at        timestamptz,
  collected_at    timestamptz, -- a recovery code is handed out once
  check ((act = 'recovery_code') = (device_id is null)),
  check ((act = 'set_key') = (key is not null)),
  check ((status = 'pending') = (ended_at is null))
);
create unique index pending_changes_one_open on pending_changes (wallet_id, act, coalesce(device_id::text, ''))
  where status = 'pending';
create index pending_changes_due on pending_changes (takes_effect_at) where status = 'pending';
create index pending_changes_of_wallet on pending_changes (wallet_id, created_at desc, change_id desc);
create index pending_changes_ended on pending_changes (ended_at) where ended_at is not null;
create trigger pending_changes_are_final
  before update of change_id, wallet_id, act, device_id, requested_by, held, key, created_at, takes_effect_at on pending_changes
  for each row execute function refuse_fact_change();

-- An authorization counts once. It is refused by its time long before its row is deleted.
create table used_authorizations (
  digest    bytea       primary key, -- of the key and the text that it signed
  signed_at timestamptz not null
);
create index used_authorizations_by_age on used_authorizations (signed_at);

-- The highest count that each passkey of a wallet has stated, and the assertion that did, whose repeat is no replay.
create table passkey_counters (
  wallet_id  id     not null references wallets,
  thumbprint text   not null,
  counter    bigint not null,
  assertion  bytea  not null,
  primary key (wallet_id, thumbprint)
);
