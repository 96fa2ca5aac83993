-- The parts of `usable_agent`, for statements that have the agent's row at hand already: they need not look it up again.

create function is_in_service(status text, suspended_by_installation_at timestamptz, merchant_suspended_at timestamptz)
  returns boolean language sql immutable parallel safe as $$
  select status = 'active' and suspended_by_installation_at is null and merchant_suspended_at is null
$$;

-- Proved, not revoked, within their dates. Instants are inclusive.
create function working_credentials(agent id, at timestamptz) returns table (credential_id id)
  language sql stable parallel safe as $$
  select c.credential_id from agent_credentials c
  where c.agent_id = agent and c.status = 'active'
    and (c.not_before is null or c.not_before <= at) and (c.expires_at is null or c.expires_at >= at)
$$;

create or replace function usable_agent(agent id, at timestamptz) returns table (agent_id id)
  language sql stable parallel safe as $$
  select a.agent_id from agents a, working_credentials(a.agent_id, at) c
  where a.agent_id = agent
    and is_in_service(a.status, a.suspended_by_installation_at, a.merchant_suspended_at)
$$;

drop function working_credential(id, id, timestamptz);
