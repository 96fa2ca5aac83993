-- no transaction: hashes are rewritten a thousand records at a time. It can be begun again.

-- Which payments of a transaction a record took when the chain was final about it: each payment is taken once. Kept by
-- payee address, for payment requests and agent payments together.
create table if not exists settlement_claims (
  merchant_id   id          not null,
  network       text        not null,
  to_address    text        not null,
  tx_hash       text        not null,
  asset         text        not null, -- its contract; on Stellar with its issuer
  -- Its place among the payments to this address in this asset, the smallest first; -1: all of them, as before there were
  -- claims.
  payment       int         not null,
  kind          text        not null check (kind in ('payment_request', 'agent_payment')),
  connection_id id          not null,
  record_id     id          not null,
  amount        numeric     not null check (amount >= 0),
  claimed_at    timestamptz not null,
  primary key (merchant_id, network, to_address, tx_hash, asset, payment)
);
-- A claim is made and ends; it never changes.
create or replace trigger settlement_claims_are_final before update on settlement_claims
  for each row execute function refuse_fact_change();

-- The transaction all of whose payments others have taken; looked up again when one of those claims ends.
alter table settlements add column if not exists awaits_claim text;
drop index concurrently if exists settlements_awaiting_claim;
create index concurrently settlements_awaiting_claim on settlements (merchant_id, awaits_claim)
  where awaits_claim is not null;

-- The one spelling of a hash, as `canonicalTxHash` of the protocol writes it.
create or replace function migrated_tx_hash(network text, tx_hash text) returns text language sql immutable as $$
  select case
    when tx_hash ~* '^(0x)?[0-9a-f]{64}$' then
      case when network in ('ethereum_mainnet', 'base_mainnet', 'bsc_mainnet', 'arbitrum_one', 'polygon_pos',
          'avalanche_c_chain', 'optimism_mainnet', 'cronos_mainnet', 'mantle_mainnet', 'zksync_era', 'linea_mainnet',
          'aptos_mainnet', 'polkadot_mainnet', 'starknet_mainnet')
        then '0x' else '' end || lower(right(tx_hash, 64))
    when network = 'ton_mainnet' and tx_hash ~ '^[A-Za-z0-9+/_-]{43}=?$'
      then encode(decode(translate(left(tx_hash, 43), '-_', '+/') || '=', 'base64'), 'hex')
    when network = 'hedera_mainnet' then regexp_replace(tx_hash, '^(\d+\.\d+\.\d+)@(\d+)\.(\d+)$', '\1-\2-\3')
    else tx_hash end
$$;
-- Events are final, and that their hash is spelled in another way changes nothing they say. The lock on their table comes
-- before those on records, and records that a call holds are passed over until the next turn: so nothing waits in a circle.
create or replace procedure let_events_change(events text, allowed boolean) language plpgsql as $$
declare
  found text;
begin
  select t.tgname into found from pg_trigger t
  where t.tgrelid = to_regclass(events) and t.tgname = events || '_are_final';
  if found is not null then
    execute format('alter table %I %s trigger %I', events, case when allowed then 'disable' else 'enable' end, found);
  end if;
end $$;

do $$
declare
  merchant text;
  reached record;
  ceiling record;
  other int;
  done int;
  skipped int;
begin
  loop
    skipped := 0;
    merchant := null;
    loop
      select min(r.merchant_id) into merchant from payment_requests r where r.merchant_id > coalesce(merchant, '');
      exit when merchant is null;
      select ''::id as request_id, ''::id as connection_id into reached;
      loop
        -- One merchant at a time: PostgreSQL stops reading an index only by the first column of a comparison of several, and
        -- would read the rest of the merchant for each batch. It also plans by that column alone, and would read the table.
        perform set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true);
        select b.request_id, b.connection_id into ceiling from (
          select r.merchant_id, r.request_id, r.connection_id from payment_requests r
          where r.merchant_id = merchant
          and (r.request_id, r.connection_id) > (reached.request_id, reached.connection_id)
          order by r.merchant_id, r.request_id, r.connection_id limit 1000) b
        order by b.request_id desc, b.connection_id desc limit 1;
        exit when not found;
        select count(*) into other from payment_requests r
        where r.merchant_id = merchant
          and (r.request_id, r.connection_id) > (reached.request_id, reached.connection_id)
          and (r.request_id, r.connection_id) <= (ceiling.request_id, ceiling.connection_id)
          and r.tx_hash <> migrated_tx_hash(r.network, r.tx_hash);
        if other > 0 then
          call let_events_change('payment_request_events', true);
          create temporary table respelled on commit drop as
            select r.merchant_id, r.request_id, r.connection_id, migrated_tx_hash(r.network, r.tx_hash) as tx_hash
            from payment_requests r
            where r.merchant_id = merchant
              and (r.request_id, r.connection_id) > (reached.request_id, reached.connection_id)
              and (r.request_id, r.connection_id) <= (ceiling.request_id, ceiling.connection_id)
              and r.tx_hash <> migrated_tx_hash(r.network, r.tx_hash)
            for no key update skip locked;
          get diagnostics done = row_count;
          update payment_requests r set tx_hash = n.tx_hash from respelled n
          where r.merchant_id = n.merchant_id and r.request_id = n.request_id and r.connection_id = n.connection_id;
          update payment_request_events e set tx_hash = n.tx_hash from respelled n
          where e.merchant_id = n.merchant_id and e.connection_id = n.connection_id and e.request_id = n.request_id
            and e.tx_hash is not null;
          call let_events_change('payment_request_events', false);
          skipped := skipped + other - done;
        end if;
        commit;
        reached := ceiling;
      end loop;
    end loop;
    exit when skipped = 0;
  end loop;
end $$;

do $$
declare
  reached id;
  ceiling id;
  other int;
  done int;
  skipped int;
begin
  loop
    skipped := 0;
    reached := '';
    loop
      select max(b.agent_payment_id) into ceiling from (
        select o.agent_payment_id from agent_payments o
        where o.agent_payment_id > reached order by o.agent_payment_id limit 1000) b;
      exit when ceiling is null;
      select count(*) into other from agent_payments o
      where o.agent_payment_id > reached and o.agent_payment_id <= ceiling
        and o.tx_hash <> migrated_tx_hash(o.network, o.tx_hash);
      if other > 0 then
        call let_events_change('agent_payment_events', true);
        create temporary table respelled on commit drop as
          select o.merchant_id, o.agent_payment_id, migrated_tx_hash(o.network, o.tx_hash) as tx_hash
          from agent_payments o
          where o.agent_payment_id > reached and o.agent_payment_id <= ceiling
            and o.tx_hash <> migrated_tx_hash(o.network, o.tx_hash)
          for no key update skip locked;
        get diagnostics done = row_count;
        update agent_payments o set tx_hash = n.tx_hash from respelled n
        where o.merchant_id = n.merchant_id and o.agent_payment_id = n.agent_payment_id;
        update agent_payment_events e set tx_hash = n.tx_hash from respelled n
        where e.merchant_id = n.merchant_id and e.agent_payment_id = n.agent_payment_id and e.tx_hash is not null;
        call let_events_change('agent_payment_events', false);
        skipped := skipped + other - done;
      end if;
      commit;
      reached := ceiling;
    end loop;
    exit when skipped = 0;
  end loop;
end $$;

-- What was final before there were claims took everything that reached its address; of several that named one
-- transaction the first one has it.
insert into settlement_claims
  select distinct on (f.merchant_id, f.network, f.to_address, f.tx_hash)
    f.merchant_id, f.network, f.to_address, f.tx_hash, '', -1, f.kind, f.connection_id, f.record_id, f.amount::numeric,
    f.checked_at
  from (
    select s.merchant_id, r.network, r.to_address, s.transaction ->> 'tx_hash' as tx_hash, s.kind, s.connection_id,
           s.record_id, r.amount, s.checked_at, r.created_at
    from settlements s join payment_requests r
      on r.merchant_id = s.merchant_id and r.connection_id = s.connection_id and r.request_id = s.record_id
    where s.kind = 'payment_request' and s.status = 'final'
    union all
    select s.merchant_id, o.network, o.to_address, s.transaction ->> 'tx_hash', s.kind, s.connection_id, s.record_id,
           o.amount, s.checked_at, o.created_at
    from settlements s join agent_payments o
      on o.merchant_id = s.merchant_id and o.agent_payment_id = s.record_id
    where s.kind = 'agent_payment' and s.status = 'final'
  ) f
  where f.tx_hash is not null
  order by f.merchant_id, f.network, f.to_address, f.tx_hash, f.created_at, f.record_id
  on conflict do nothing;

drop procedure let_events_change;
drop function migrated_tx_hash;
