-- Who made an API key and with what: keys in doubt end when their operator signs out everywhere.

alter table api_keys
  add column created_by id,   -- the operator's account
  add column made_with  text check (made_with in ('session', 'admin_session'));
create index api_keys_living_by_account on api_keys (created_by) where revoked_at is null;

-- Keys from before, as far as the audit trail tells. An admin session that is forgotten was the founder's: an
-- organization has had no other operator so far.
update api_keys k
set made_with = case e.actor_kind when 'operator' then 'session' else 'admin_session' end,
    created_by = coalesce(
      case when e.actor_kind = 'operator' then e.actor_id end,
      (select s.account_id from admin_sessions s where s.session_id = e.actor_id),
      (select o.account_id from merchant_operators o where o.merchant_id = k.merchant_id
       order by o.created_at, o.account_id limit 1))
from audit_events e
where e.target_type = 'api_key' and e.target_id = k.api_key_id and e.type = 'api_key.created'
  and e.actor_kind in ('operator', 'admin_session');
