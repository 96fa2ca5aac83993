-- What the operator of the installation has suspended. A merchant can lift none of it.

alter table merchants add column suspended_at timestamptz;

-- Every right of an agent, its connections and its API keys is judged by the agent's row. So the suspension of its
-- merchant stands there too, and the busy statements look at no further table.
alter table agents
  add column suspended_by_installation_at timestamptz,
  add column merchant_suspended_at        timestamptz;

-- Likewise what a pending request says of its payee.
alter table recipient_versions add column merchant_suspended_at timestamptz;
create index recipient_versions_by_merchant on recipient_versions (merchant_id);

create or replace function usable_agent(agent id, at timestamptz) returns table (agent_id id)
  language sql stable parallel safe as $$
  select a.agent_id from agents a join agent_credentials c on c.agent_id = a.agent_id
  where a.agent_id = agent and a.status = 'active' and c.status = 'active'
    and a.suspended_by_installation_at is null and a.merchant_suspended_at is null
    and (c.not_before is null or c.not_before <= at) and (c.expires_at is null or c.expires_at >= at)
$$;

-- By name, so that neither a deleted record nor another organization brings the domain back.
create table suspended_domains (
  domain       text        primary key,
  suspended_at timestamptz not null
);
