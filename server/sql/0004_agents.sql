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
create index agent_credentials_by_agent on agent_credentials (agent_id, created_at desc, credential_id desc);

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

-- "Usable now": active, with at least one proved credential within its dates. Every right of the agent and of its
-- connections and API keys hangs on this one sentence, so it is stated here and nowhere else. Instants are inclusive.
-- As a set it is planned together with the statement that asks, `exists (select from usable_agent(id, at))`, which
-- busy statements prefer; a function in an expression is run as a statement of its own.
create function usable_agent(agent id, at timestamptz) returns table (agent_id id)
  language sql stable parallel safe as $$
  select a.agent_id from agents a join agent_credentials c on c.agent_id = a.agent_id
  where a.agent_id = agent and a.status = 'active' and c.status = 'active'
    and (c.not_before is null or c.not_before <= at) and (c.expires_at is null or c.expires_at >= at)
$$;

create function agent_is_usable(agent id, at timestamptz) returns boolean language sql stable parallel safe as $$
  select exists (select from usable_agent(agent, at))
$$;

create function refuse_credential_key_change() returns trigger language plpgsql as $$
begin
  raise exception 'the key of a credential cannot be changed' using errcode = 'restrict_violation';
end $$;

-- An assertion is proved with the key before the transaction that issues the token, which is sound only because
-- kid and key of a credential never change.
create trigger agent_credential_keys_are_final
  before update of credential_id, agent_id, merchant_id, kid, alg, public_key
  on agent_credentials for each row execute function refuse_credential_key_change();

-- A revoked agent is dead by its own row at once. What hangs on it follows in the background, in bounded batches:
-- invitations, pairing sessions and connections by the first queue, credentials by the second. Whoever has ended
-- the last of them deletes the row.
create table agent_revocations (
  agent_id     id          primary key,
  merchant_id  id          not null,
  requested_at timestamptz not null
);
create index agent_revocations_by_age on agent_revocations (requested_at);

create table agent_credential_endings (
  agent_id     id          primary key,
  merchant_id  id          not null,
  requested_at timestamptz not null
);
create index agent_credential_endings_by_age on agent_credential_endings (requested_at);
