-- no transaction: the tokens of a thousand connections at a time. Begun again after a failure, it comes to the same.

-- The seed of a connection token exists only while the token can still be handed out again. Afterwards the hash is
-- enough to recognise it, and a dump together with the master key yields no token that anybody uses.
alter table connection_tokens alter column seed drop not null;
alter table connection_tokens drop constraint if exists connection_tokens_seed_is_wiped;
alter table connection_tokens add constraint connection_tokens_seed_is_wiped
  check (seed is null or (first_used_at is null and ended_at is null)) not valid;
do $$
declare
  reached id := '';
  ceiling id;
begin
  loop
    select max(b.connection_id) into ceiling from (
      select t.connection_id from connection_tokens t where t.connection_id > reached order by t.connection_id limit 1000) b;
    exit when ceiling is null;
    update connection_tokens set seed = null
    where connection_id > reached and connection_id <= ceiling and seed is not null
      and (first_used_at is not null or ended_at is not null);
    commit;
    reached := ceiling;
  end loop;
end $$;
alter table connection_tokens validate constraint connection_tokens_seed_is_wiped;
