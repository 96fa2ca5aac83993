-- Wallets with their devices; Connect Keys, invitations, pairing; connections and their tokens.

create table wallets (
  wallet_id  id          primary key,
  created_at timestamptz not null
);

create table devices (
  device_id  id          primary key,
  wallet_id  id          not null references wallets,
  name       text        not null,
  platform   text,
  status     text        not null check (status in ('active', 'revoked')),
  created_at timestamptz not null,
  revoked_at timestamptz
);
create index devices_by_wallet on devices (wallet_id, created_at desc, device_id desc);

-- After a rotation the former token works until the new one is first used, ten minutes at most.
create table device_tokens (
  token_hash    text        primary key,
  device_id     id          not null references devices,
  created_at    timestamptz not null,
  first_used_at timestamptz,
  replaced_at   timestamptz,
  ended_at      timestamptz
);
create index device_tokens_by_device on device_tokens (device_id);

-- Link codes and recovery codes: each lets one device join the wallet.
create table wallet_codes (
  code_hash  text        primary key,
  wallet_id  id          not null references wallets,
  kind       text        not null check (kind in ('link', 'recovery')),
  created_by id,          -- the device that asked for a link code: the code dies with it
  created_at timestamptz not null,
  expires_at timestamptz, -- recovery codes live until used
  used_at    timestamptz
);
create index wallet_codes_by_wallet on wallet_codes (wallet_id) where used_at is null;
create index wallet_codes_by_age on wallet_codes (coalesce(used_at, expires_at));


create table connect_keys (
  connect_key_id id          primary key,
  key_hash       text        not null unique,
  wallet_id      id          not null references wallets,
  status         text        not null check (status in ('issued', 'used', 'withdrawn', 'expired')),
  created_at     timestamptz not null,
  expires_at     timestamptz not null
);
create index connect_keys_by_wallet on connect_keys (wallet_id, created_at desc, connect_key_id desc);
create index connect_keys_by_age on connect_keys (expires_at);

create table connect_invitations (
  connect_invitation_id id          primary key,
  connect_key_id        id          not null unique references connect_keys,
  wallet_id             id          not null,
  merchant_id           id          not null,
  agent_id              id          not null references agents,
  status                text        not null check (status in ('pending_approval', 'approved', 'exchanged', 'rejected', 'expired')),
  requested_scopes      text[]      not null,
  approved_scopes       text[],
  connection_id         id,
  claim_token_hash      text        not null unique,
  created_at            timestamptz not null,
  expires_at            timestamptz not null,
  decided_at            timestamptz
);
create index connect_invitations_by_wallet on connect_invitations (wallet_id, created_at desc, connect_invitation_id desc);
create index connect_invitations_open_by_agent on connect_invitations (agent_id) where status in ('pending_approval', 'approved');
create index connect_invitations_by_age on connect_invitations (expires_at);

create table pairing_sessions (
  pairing_session_id id          primary key,
  merchant_id        id          not null,
  agent_id           id          not null references agents,
  status             text        not null check (status in ('pending', 'approved', 'completed', 'rejected', 'expired')),
  code_mac           text        not null, -- keyed hash: a short code must not be guessable from a dump
  code_key_id        text        not null,
  wrong_codes        int         not null default 0,
  requested_scopes   text[]      not null,
  approved_scopes    text[],
  wallet_id          id,
  connection_id      id,
  created_at         timestamptz not null,
  expires_at         timestamptz not null,
  decided_at         timestamptz
);
-- A code names one session: a person who types it must never meet somebody else's agent.
create unique index pairing_sessions_by_code on pairing_sessions (code_mac) where status = 'pending';
create index pairing_sessions_open_by_agent on pairing_sessions (agent_id) where status = 'pending';
create index pairing_sessions_by_age on pairing_sessions (expires_at);

create table connections (
  connection_id id          primary key,
  merchant_id   id          not null,
  agent_id      id          not null references agents,
  wallet_id     id          not null references wallets,
  status        text        not null check (status in ('active', 'paused', 'revoked')),
  scopes        text[]      not null,
  created_at    timestamptz not null,
  updated_at    timestamptz not null,
  revoked_at    timestamptz
);
create index connections_by_wallet on connections (wallet_id, created_at desc, connection_id desc);
create index connections_by_merchant on connections (merchant_id, created_at desc, connection_id desc);
create index connections_by_agent on connections (agent_id, created_at desc, connection_id desc);
create index connections_living_by_agent on connections (agent_id, connection_id) where status <> 'revoked';
create index connections_living_by_wallet on connections (wallet_id, connection_id) where status <> 'revoked';

-- Connections whose wallet lost its last device: revoked one by one, each in a transaction of its own.
create table connection_revocations (
  connection_id id          primary key references connections,
  wallet_id     id          not null,
  requested_at  timestamptz not null
);
create index connection_revocations_by_wallet on connection_revocations (wallet_id);

-- The token itself is HMAC(derived key, connection ‖ generation ‖ seed): it can be handed out again until its
-- first use, and neither this table nor the key alone yields it. Superseded hashes stay, so that a rotated token
-- and a revoked one can be told apart.
create table connection_tokens (
  token_hash    text        primary key,
  connection_id id          not null references connections,
  generation    int         not null,
  seed          bytea       not null,
  key_id        text        not null,
  created_at    timestamptz not null,
  first_used_at timestamptz,
  ended_at      timestamptz,
  unique (connection_id, generation)
);
-- At most one token of a connection opens anything.
create unique index connection_tokens_one_living on connection_tokens (connection_id) where ended_at is null;

-- The event counter: a row of its own that nothing else writes, always locked last.
create table connection_heads (
  connection_id id     primary key,
  last_sequence bigint not null default 0
) with (fillfactor = 50);
