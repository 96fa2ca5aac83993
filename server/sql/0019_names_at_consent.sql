-- The names that the user has seen: whoever renames itself afterwards is shown with the former name too.

alter table connect_invitations
  add column seen_agent_name    text, -- when the wallet approved
  add column seen_merchant_name text;
alter table connections
  add column seen_agent_name    text,
  add column seen_merchant_name text;

update connections c set seen_agent_name = a.name, seen_merchant_name = m.name
from agents a, merchants m where a.agent_id = c.agent_id and m.merchant_id = c.merchant_id;
update connect_invitations i set seen_agent_name = a.name, seen_merchant_name = m.name
from agents a, merchants m
where a.agent_id = i.agent_id and m.merchant_id = i.merchant_id and i.status = 'approved';
