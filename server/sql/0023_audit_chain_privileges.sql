-- An entry gets into the queue by the act's own transaction, under whatever role that works. As the owner, so that no
-- role which acts for a merchant has any business in the queue: what could be taken out there would get no link.
do $$ begin
  execute format('alter function queue_audit_events() security definer set search_path = %I, pg_temp', current_schema());
end $$;
