-- What the roles that the service works as stand on. The roles themselves are cluster-wide and are made at each start
-- (server/src/db/roles); what a trigger here refuses to change, they have no privilege to change either.

-- Revisions of a context and events are appended, never changed: requests pin the former, pollers count the latter.
create trigger transaction_contexts_are_final before update or delete on transaction_contexts
  for each row execute function refuse_fact_change();
create trigger payment_request_events_are_final before update or delete on payment_request_events
  for each row execute function refuse_fact_change();

-- Whose rows a connection may see is a setting, `svc.tenant`, and any statement can change a setting. So it carries a
-- seal that only the service can make: this table is readable by its owner alone.
create table tenant_seal (
  key bytea not null check (length(key) = 32)
);
create unique index tenant_seal_is_one on tenant_seal ((true));
insert into tenant_seal
  values (sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())));

-- The merchant that the setting names, null when it is missing or its seal is wrong: then no row is visible.
create function current_tenant() returns id language sql stable parallel safe security definer
begin atomic
  select case when sealed.seal = encode(sha256(k.key || sha256(k.key || convert_to(sealed.merchant, 'UTF8'))), 'hex')
              then sealed.merchant end
  from tenant_seal k,
    (select split_part(current_setting('svc.tenant', true), ' ', 1) as merchant,
            split_part(current_setting('svc.tenant', true), ' ', 2) as seal) sealed;
end;

-- The one way by which the service forgets audit events: from the old end of the chain up to a position, and only what
-- is older than 400 days by the database's own clock, which the service cannot move. Bodies of this form name their
-- tables when they are made: nothing that a caller makes can take a table's place.
create function forget_audit_events(until bigint) returns bigint language sql security definer
begin atomic
  select set_config('svc.audit_retention', 'on', true);
  with old as (
    select c.position, c.audit_event_id
    from audit_chain c join audit_events e on e.audit_event_id = c.audit_event_id
    where c.position <= until and least(e.occurred_at, c.linked_at) < now() - interval '400 days'
  ), links as (
    delete from audit_chain where position in (select position from old)
  ), events as (
    delete from audit_events where audit_event_id in (select audit_event_id from old) returning 1
  )
  select count(*) from events;
end;
revoke execute on function forget_audit_events from public;

-- What the roles were last granted, so that a start that finds nothing new locks no table.
create table role_grants (
  fingerprint text not null
);
create unique index role_grants_is_one on role_grants ((true));
