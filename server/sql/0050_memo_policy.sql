-- Payees whose payments each carry a memo of their own.
alter table recipient_versions
  add column memo_policy text not null default 'fixed' check (memo_policy in ('fixed', 'request'));
drop trigger recipient_version_facts_are_final on recipient_versions;
create trigger recipient_version_facts_are_final
  before update of recipient_id, merchant_id, number, name, rail, network, asset, address, memo, memo_policy, contract,
    issuer, decimals, chain_id
  on recipient_versions for each row execute function refuse_fact_change();

-- Memos that are too short to be unique by chance, each of one request.
create table request_memos (
  merchant_id   id   not null,
  network       text not null,
  to_address    text not null,
  memo          text not null,
  connection_id id   not null,
  request_id    id   not null,
  primary key (merchant_id, network, to_address, memo)
);
create trigger request_memos_are_kept before delete on request_memos
  for each row execute function refuse_fact_change();
