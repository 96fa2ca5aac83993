-- Sender-bound connection tokens: of an agent that requires it, a token opens nothing without a proof signed by one of
-- the agent's keys (RFC 9449).

alter table agents add column require_proof boolean not null default false;

-- A proof is used once. Only required proofs are written down; the hash keeps a row small whatever was sent.
create table connection_proofs (
  credential_id id          not null,
  jti_hash      bytea       not null check (length(jti_hash) = 32),
  expires_at    timestamptz not null,
  primary key (credential_id, jti_hash)
);
create index connection_proofs_by_age on connection_proofs (expires_at);

-- Proved, not revoked, within its dates: what `usable_agent` says of any credential, said of one. Instants are inclusive.
create function working_credential(credential id, agent id, at timestamptz) returns table (credential_id id)
  language sql stable parallel safe as $$
  select c.credential_id from agent_credentials c
  where c.credential_id = credential and c.agent_id = agent and c.status = 'active'
    and (c.not_before is null or c.not_before <= at) and (c.expires_at is null or c.expires_at >= at)
$$;
