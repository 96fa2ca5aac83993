-- What became of agent payments, step by step. Steps from before this was written down stay unknown.

create table agent_payment_events (
  connection_id    id          not null,
  sequence         bigint      not null,
  event_id         id          not null,
  merchant_id      id          not null,
  agent_payment_id id          not null,
  type             text        not null,
  status           text        not null,
  previous_status  text        not null,
  state_version    int         not null,
  actor            text        not null check (actor in ('wallet', 'system', 'merchant', 'agent')),
  tx_hash          text,
  reason           text,
  takeover         boolean,
  occurred_at      timestamptz not null,
  primary key (connection_id, sequence)
);
create unique index agent_payment_events_one_per_step on agent_payment_events (agent_payment_id, state_version)
  where status <> previous_status;
create trigger agent_payment_events_are_final before update or delete on agent_payment_events
  for each row execute function refuse_fact_change();

-- Their counter, as connection_heads is for payment requests: written by nothing else, locked after the payments.
create table agent_payment_heads (
  connection_id id     primary key,
  last_sequence bigint not null default 0
) with (fillfactor = 50);
