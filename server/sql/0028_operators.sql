-- Several operators for one organization, each with a role. Whoever was the only one is an owner.

alter table merchant_operators
  add column role      text not null default 'owner' check (role in ('owner', 'developer', 'viewer')),
  add column joined_at timestamptz; -- null while invited
update merchant_operators set joined_at = created_at;
alter table merchant_operators alter column role drop default;

-- An organization that has an owner keeps one. The lock makes those who change operators of one organization take
-- turns, so that two owners who remove each other at once do not both succeed.
create function keep_one_owner() returns trigger language plpgsql as $$
begin
  perform from merchants where merchant_id = old.merchant_id for no key update;
  if not exists (select from merchant_operators
                 where merchant_id = old.merchant_id and role = 'owner' and joined_at is not null) then
    raise exception 'the last owner of an organization stays' using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create trigger merchant_operators_keep_one_owner after update of role, joined_at or delete on merchant_operators
  for each row when (old.role = 'owner' and old.joined_at is not null) execute function keep_one_owner();
