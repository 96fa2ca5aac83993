-- Whose each row is, in the row itself: what a merchant has can then lie on one machine, and is found without a look at
-- another table. The next migration fills what is there already.

alter table connection_tokens add column merchant_id id;
alter table connection_heads add column merchant_id id;
alter table agent_payment_heads add column merchant_id id;
alter table transaction_contexts add column merchant_id id;
alter table agent_tokens add column merchant_id id;

-- For processes of the version before, which do not name it. The next release drops these triggers with their function.
create function fill_in_merchant() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'agent_tokens' then
    select a.merchant_id into new.merchant_id from agents a where a.agent_id = new.agent_id;
  else
    select c.merchant_id into new.merchant_id from connections c where c.connection_id = new.connection_id;
  end if;
  return new;
end $$;
create trigger connection_tokens_have_a_merchant before insert on connection_tokens
  for each row when (new.merchant_id is null) execute function fill_in_merchant();
create trigger connection_heads_have_a_merchant before insert on connection_heads
  for each row when (new.merchant_id is null) execute function fill_in_merchant();
create trigger agent_payment_heads_have_a_merchant before insert on agent_payment_heads
  for each row when (new.merchant_id is null) execute function fill_in_merchant();
create trigger transaction_contexts_have_a_merchant before insert on transaction_contexts
  for each row when (new.merchant_id is null) execute function fill_in_merchant();
create trigger agent_tokens_have_a_merchant before insert on agent_tokens
  for each row when (new.merchant_id is null) execute function fill_in_merchant();

-- Revisions are final. That their merchant is filled in once changes nothing they say.
create or replace function refuse_context_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('svc.context_retention', true) = 'on' then
    return old;
  end if;
  if tg_op = 'UPDATE' and old.merchant_id is null and new.merchant_id is not null
    and (new.connection_id, new.transaction_id, new.revision, new.content::text, new.created_at)
      = (old.connection_id, old.transaction_id, old.revision, old.content::text, old.created_at) then
    return new;
  end if;
  raise exception 'contexts cannot be changed' using errcode = 'restrict_violation';
end $$;
