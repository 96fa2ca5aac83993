-- Shared mechanisms. Identifiers are compared byte by byte everywhere, hence collate "C".

create domain id as text collate "C";

-- Counters of the limits that guard something guessable or costly: shared by all processes.
create table rate_counters (
  name         text        not null,
  subject      text        not null,
  window_start timestamptz not null,
  count        int         not null,
  expires_at   timestamptz not null,
  primary key (name, subject, window_start)
);
create index rate_counters_expiry on rate_counters (expires_at);

-- Every act that changes a right or a secret, written in the act's own transaction.
create table audit_events (
  audit_event_id id          primary key,
  merchant_id    id,
  type           text        not null,
  actor_kind     text        not null,
  actor_id       text        not null,
  target_type    text        not null,
  target_id      text        not null,
  details        json        not null,
  request_id     text        not null,
  occurred_at    timestamptz not null
);
create index audit_events_by_merchant on audit_events (merchant_id, occurred_at desc, audit_event_id desc);
create index audit_events_by_age on audit_events (occurred_at);

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('svc.audit_retention', true) = 'on' then
    return old;
  end if;
  raise exception 'audit events cannot be changed' using errcode = 'restrict_violation';
end $$;

create trigger audit_events_are_final before update or delete on audit_events
  for each row execute function refuse_audit_change();
create trigger audit_events_are_kept before truncate on audit_events
  for each statement execute function refuse_audit_change();
