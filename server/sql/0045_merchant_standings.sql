-- A version for everything that decides what a merchant's agents may read and what is said about its payees: tokens,
-- connections, agents, their credentials, payee versions, recalls. A process remembers what a token may do together with
-- the version, and a statement that finds the same version need not look any of it up again.
--
-- Versions are random. After a restore or a failover a counter could come to a number again that a process still
-- remembers from a commit that was lost.
create table merchant_standings (
  merchant_id id   primary key,
  version     uuid not null default gen_random_uuid()
) with (fillfactor = 50);

create function renew_standing() returns trigger language plpgsql security definer as $$
declare
  merchant id := case when tg_op = 'DELETE' then old.merchant_id else new.merchant_id end;
begin
  -- Once in a transaction is enough: nobody sees a version before it is committed.
  update merchant_standings s set version = gen_random_uuid()
  where s.merchant_id = merchant and s.xmin <> pg_current_xact_id()::xid;
  return null;
end $$;
create function begin_standing() returns trigger language plpgsql security definer as $$
begin
  insert into merchant_standings (merchant_id) values (new.merchant_id) on conflict do nothing;
  return null;
end $$;
-- For a transaction that changes connections of several merchants. Two of them whose commits took the versions in another
-- order would wait for each other.
create function hold_standings(merchants text[]) returns void language plpgsql security definer as $$
begin
  perform from merchant_standings s where s.merchant_id = any(merchants) order by s.merchant_id for no key update;
end $$;
revoke execute on function hold_standings from public;
do $$ begin
  execute format('alter function hold_standings(text[]) set search_path = %I, pg_temp', current_schema());
  execute format('alter function renew_standing() set search_path = %I, pg_temp', current_schema());
  execute format('alter function begin_standing() set search_path = %I, pg_temp', current_schema());
end $$;

create trigger merchants_have_a_standing after insert on merchants
  for each row execute function begin_standing();
insert into merchant_standings (merchant_id) select merchant_id from merchants;

-- Deferred to the commit: a transaction that waits for the version of its merchant then holds up nobody else, because it
-- locks nothing afterwards. What only adds a right needs no new version: nobody is refused by memory.
create constraint trigger connection_tokens_renew_standing after update on connection_tokens
  deferrable initially deferred for each row
  when ((old.token_hash, old.merchant_id, old.connection_id, old.ended_at)
    is distinct from (new.token_hash, new.merchant_id, new.connection_id, new.ended_at))
  execute function renew_standing();
create constraint trigger connection_tokens_gone_renew_standing after delete on connection_tokens
  deferrable initially deferred for each row when (old.ended_at is null) execute function renew_standing();
create constraint trigger connections_renew_standing after update on connections
  deferrable initially deferred for each row
  when ((old.merchant_id, old.agent_id, old.wallet_id, old.status, old.scopes)
    is distinct from (new.merchant_id, new.agent_id, new.wallet_id, new.status, new.scopes))
  execute function renew_standing();
create constraint trigger connections_gone_renew_standing after delete on connections
  deferrable initially deferred for each row execute function renew_standing();
create constraint trigger agents_renew_standing after update on agents
  deferrable initially deferred for each row
  when ((old.merchant_id, old.status, old.suspended_by_installation_at, old.merchant_suspended_at, old.allowed_scopes,
      old.require_proof)
    is distinct from (new.merchant_id, new.status, new.suspended_by_installation_at, new.merchant_suspended_at,
      new.allowed_scopes, new.require_proof))
  execute function renew_standing();
create constraint trigger agents_gone_renew_standing after delete on agents
  deferrable initially deferred for each row execute function renew_standing();
create constraint trigger agent_credentials_renew_standing after update on agent_credentials
  deferrable initially deferred for each row
  when ((old.merchant_id, old.agent_id, old.status, old.not_before, old.expires_at)
    is distinct from (new.merchant_id, new.agent_id, new.status, new.not_before, new.expires_at))
  execute function renew_standing();
create constraint trigger agent_credentials_gone_renew_standing after delete on agent_credentials
  deferrable initially deferred for each row when (old.status = 'active') execute function renew_standing();
create constraint trigger recipient_versions_renew_standing after update on recipient_versions
  deferrable initially deferred for each row
  when ((old.merchant_id, old.status, old.suspended_at, old.retired_at, old.merchant_suspended_at)
    is distinct from (new.merchant_id, new.status, new.suspended_at, new.retired_at, new.merchant_suspended_at))
  execute function renew_standing();
create constraint trigger recipient_recalls_renew_standing after insert on recipient_recalls
  deferrable initially deferred for each row execute function renew_standing();

-- Whether a merchant has ever recalled a payee.
create index recipient_recalls_of_merchant on recipient_recalls (merchant_id);
