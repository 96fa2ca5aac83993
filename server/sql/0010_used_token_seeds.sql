-- The seed of a connection token exists only while the token can still be handed out again. Afterwards the hash is
-- enough to recognise it, and a dump together with the master key yields no token that anybody uses.

alter table connection_tokens alter column seed drop not null;
update connection_tokens set seed = null where first_used_at is not null or ended_at is not null;
alter table connection_tokens add constraint connection_tokens_seed_is_wiped
  check (seed is null or (first_used_at is null and ended_at is null));
