-- What agents called, and how it ended: for those who write an agent and ask why it does not work. No bodies, no tokens.
-- Written in batches, with a share of each moment for each agent, so that no caller waits for it.
create table agent_calls (
  call_id     id          primary key,
  merchant_id id          not null,
  agent_id    id          not null,
  called_at   timestamptz not null,
  operation   text        not null,
  status      int         not null,
  error_code  text,
  request_id  text        not null,
  latency_ms  int         not null
);
create index agent_calls_by_merchant on agent_calls (merchant_id, called_at desc, call_id desc);
create index agent_calls_by_agent on agent_calls (agent_id, called_at desc, call_id desc);
create index agent_calls_by_age on agent_calls (called_at);
