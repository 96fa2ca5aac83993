-- no transaction: a thousand connections at a time. Begun again after a failure, it comes to the same.

-- The names that the user has seen: whoever renames itself afterwards is shown with the former name too.
alter table connect_invitations
  add column if not exists seen_agent_name    text, -- when the wallet approved
  add column if not exists seen_merchant_name text;
alter table connections
  add column if not exists seen_agent_name    text,
  add column if not exists seen_merchant_name text;

do $$
declare
  reached id := '';
  ceiling id;
begin
  loop
    select max(b.connection_id) into ceiling from (
      select c.connection_id from connections c where c.connection_id > reached order by c.connection_id limit 1000) b;
    exit when ceiling is null;
    update connections c set seen_agent_name = a.name, seen_merchant_name = m.name
    from agents a, merchants m
    where c.connection_id > reached and c.connection_id <= ceiling and c.seen_agent_name is null
      and a.agent_id = c.agent_id and m.merchant_id = c.merchant_id;
    commit;
    reached := ceiling;
  end loop;
end $$;
-- Those that nobody has exchanged yet: few, and they live for minutes.
update connect_invitations i set seen_agent_name = a.name, seen_merchant_name = m.name
from agents a, merchants m
where a.agent_id = i.agent_id and m.merchant_id = i.merchant_id and i.status = 'approved' and i.seen_agent_name is null;
