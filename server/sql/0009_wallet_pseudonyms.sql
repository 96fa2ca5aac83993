-- A merchant sees a wallet under a name that holds for this merchant alone, so that two merchants who compare their
-- audit trails cannot tell that they have the same user. The key stays in this database: a change of the master key
-- must not rename everybody.

create table wallet_pseudonym_key (
  key bytea not null check (length(key) = 32)
);
create unique index wallet_pseudonym_key_is_one on wallet_pseudonym_key ((true));
insert into wallet_pseudonym_key
  values (sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())));

-- All devices of a wallet have one name: which of them acted is no merchant's business.
create function wallet_pseudonym(merchant id, device id) returns text language sql stable as $$
  select 'wallet_' || left(encode(sha256(k.key || convert_to(
    merchant || ' ' || coalesce((select d.wallet_id from devices d where d.device_id = device), device), 'UTF8')),
    'hex'), 26)
  from wallet_pseudonym_key k
$$;

-- Rows that merchants can read already get the name too. Only this migration may change them.
alter table audit_events disable trigger audit_events_are_final;
update audit_events set actor_id = wallet_pseudonym(merchant_id, actor_id)
  where merchant_id is not null and actor_kind = 'wallet' and actor_id like 'dev\_%';
alter table audit_events enable trigger audit_events_are_final;
