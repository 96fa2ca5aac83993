-- no transaction: a thousand connections at a time, so that no report waits for its counter longer than for one batch.
-- Counters are locked in the order of their keys, as everywhere. It can be begun again.
do $$
declare
  reached id := '';
  ceiling id;
begin
  loop
    select max(b.connection_id) into ceiling from (
      select c.connection_id from connections c where c.connection_id > reached order by c.connection_id limit 1000) b;
    exit when ceiling is null;
    with held as materialized (
      select h.connection_id from connection_heads h
      where h.connection_id > reached and h.connection_id <= ceiling and h.merchant_id is null
      order by h.connection_id for no key update)
    update connection_heads h set merchant_id = c.merchant_id
    from held join connections c on c.connection_id = held.connection_id where h.connection_id = held.connection_id;
    commit;
    with held as materialized (
      select h.connection_id from agent_payment_heads h
      where h.connection_id > reached and h.connection_id <= ceiling and h.merchant_id is null
      order by h.connection_id for no key update)
    update agent_payment_heads h set merchant_id = c.merchant_id
    from held join connections c on c.connection_id = held.connection_id where h.connection_id = held.connection_id;
    commit;
    update connection_tokens t set merchant_id = c.merchant_id
    from connections c
    where c.connection_id > reached and c.connection_id <= ceiling and t.connection_id = c.connection_id
      and t.merchant_id is null;
    commit;
    update transaction_contexts x set merchant_id = c.merchant_id
    from connections c
    where c.connection_id > reached and c.connection_id <= ceiling and x.connection_id = c.connection_id
      and x.merchant_id is null;
    commit;
    reached := ceiling;
  end loop;
end $$;
update agent_tokens t set merchant_id = a.merchant_id from agents a where a.agent_id = t.agent_id and t.merchant_id is null;

-- Rows without a connection or agent, which nothing makes, belong to nobody.
update connection_tokens set merchant_id = '' where merchant_id is null;
update connection_heads set merchant_id = '' where merchant_id is null;
update agent_payment_heads set merchant_id = '' where merchant_id is null;
update transaction_contexts set merchant_id = '' where merchant_id is null;
update agent_tokens set merchant_id = '' where merchant_id is null;

-- Looked at while calls go on: a column that is known to be full is made `not null` at once. The constraint goes in a
-- statement of its own: within one, PostgreSQL drops it first and then reads the table under its lock.
alter table connection_tokens drop constraint if exists connection_tokens_merchant;
alter table connection_tokens add constraint connection_tokens_merchant check (merchant_id is not null) not valid;
alter table connection_tokens validate constraint connection_tokens_merchant;
alter table connection_tokens alter column merchant_id set not null;
alter table connection_tokens drop constraint connection_tokens_merchant;
alter table connection_heads drop constraint if exists connection_heads_merchant;
alter table connection_heads add constraint connection_heads_merchant check (merchant_id is not null) not valid;
alter table connection_heads validate constraint connection_heads_merchant;
alter table connection_heads alter column merchant_id set not null;
alter table connection_heads drop constraint connection_heads_merchant;
alter table agent_payment_heads drop constraint if exists agent_payment_heads_merchant;
alter table agent_payment_heads add constraint agent_payment_heads_merchant check (merchant_id is not null) not valid;
alter table agent_payment_heads validate constraint agent_payment_heads_merchant;
alter table agent_payment_heads alter column merchant_id set not null;
alter table agent_payment_heads drop constraint agent_payment_heads_merchant;
alter table transaction_contexts drop constraint if exists transaction_contexts_merchant;
alter table transaction_contexts add constraint transaction_contexts_merchant check (merchant_id is not null) not valid;
alter table transaction_contexts validate constraint transaction_contexts_merchant;
alter table transaction_contexts alter column merchant_id set not null;
alter table transaction_contexts drop constraint transaction_contexts_merchant;
alter table agent_tokens drop constraint if exists agent_tokens_merchant;
alter table agent_tokens add constraint agent_tokens_merchant check (merchant_id is not null) not valid;
alter table agent_tokens validate constraint agent_tokens_merchant;
alter table agent_tokens alter column merchant_id set not null;
alter table agent_tokens drop constraint agent_tokens_merchant;
