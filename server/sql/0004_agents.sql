-- Agents, their public credentials, and the short tokens they exchange assertions for.

create table agents (
  agent_id       id          primary key,
  merchant_id    id          not null references merchants,
  name           text        not null,
  runtime        text        not null,
  environment    text        not null,
  allowed_scopes text[]      not null,
  status         text        not null check (status in ('pending', 'active', 'suspended', 'revoked')),
  version        int         not null default 1,
  created_at     timestamptz not null,
  updated_at     timestamptz not null
);
create index agents_by_merchant on agents (merchant_id, created_at desc, agent_id desc);

create table agent_credentials (
  credential_id         id          primary key,
  agent_id              id          not null references agents,
  merchant_id           id          not null,
  kid                   text        not null,
  alg                   text        not null check (alg = 'Ed25519'),
  public_key            bytea       not null check (length(public_key) = 32),
  status                text        not null check (status in ('pending_proof', 'active', 'revoked', 'expired')),
  not_before            timestamptz,
  expires_at            timestamptz,
  -- The newest challenge of this credential; an older one is dead.
  challenge_hash        text,
  challenge_issued_at   timestamptz,
  challenge_used_at     timestamptz,
  created_at            timestamptz not null,
  unique (agent_id, kid)
);
create index agent_credentials_usable on agent_credentials (agent_id) where status = 'active';

-- A jti is used once per credential until its assertion can no longer be valid.
create table agent_assertions (
  credential_id id          not null,
  jti           text        not null,
  expires_at    timestamptz not null,
  primary key (credential_id, jti)
);
create index agent_assertions_by_age on agent_assertions (expires_at);

create table agent_tokens (
  token_hash    text        primary key,
  agent_id      id          not null,
  credential_id id          not null,
  created_at    timestamptz not null,
  expires_at    timestamptz not null
);
create index agent_tokens_by_age on agent_tokens (expires_at);
