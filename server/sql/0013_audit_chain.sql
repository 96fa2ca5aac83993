-- The audit trail as a hash chain, and the wallet that an entry concerns.

alter table audit_events add column wallet_id id;
-- The device that acted; `actor_id` may be the wallet's name for one merchant.
alter table audit_events add column device_id id;

-- Entries from before this column, filled in while the chain has not begun. Afterwards no row changes again.
alter table audit_events disable trigger audit_events_are_final;
update audit_events set wallet_id = details ->> 'wallet_id' where merchant_id is null;
update audit_events e set wallet_id = c.wallet_id from connections c
  where e.wallet_id is null and e.target_type = 'connection' and c.connection_id = e.target_id;
update audit_events e set wallet_id = i.wallet_id from connect_invitations i
  where e.wallet_id is null and e.target_type = 'connect_invitation' and i.connect_invitation_id = e.target_id;
update audit_events e set wallet_id = p.wallet_id from automation_policies p
  where e.wallet_id is null and e.target_type = 'automation_policy' and p.policy_id = e.target_id;
update audit_events e set wallet_id = s.wallet_id from pairing_sessions s
  where e.wallet_id is null and e.target_type = 'pairing_session' and s.pairing_session_id = e.target_id;
update audit_events set device_id = actor_id where merchant_id is null and actor_kind = 'wallet';
alter table audit_events enable trigger audit_events_are_final;

create index audit_events_by_wallet on audit_events (wallet_id, occurred_at desc, audit_event_id desc)
  where wallet_id is not null;
create index audit_events_by_wallet_type on audit_events (wallet_id, type, occurred_at desc, audit_event_id desc)
  where wallet_id is not null;
create index audit_events_by_wallet_target on audit_events (wallet_id, target_id, occurred_at desc, audit_event_id desc)
  where wallet_id is not null;

-- Entries that have no link yet, in no order that matters: a transaction that commits late cannot be missed, because
-- its entries are found here and not by a cursor.
create table audit_chain_queue (
  audit_event_id id primary key
);

create function queue_audit_events() returns trigger language plpgsql as $$
begin
  insert into audit_chain_queue select audit_event_id from added;
  return null;
end $$;

create trigger audit_events_are_queued after insert on audit_events
  referencing new table as added for each statement execute function queue_audit_events();
insert into audit_chain_queue select audit_event_id from audit_events;

-- One link for each entry. The primary key allows no second link at a position: the chain cannot fork.
create table audit_chain (
  position       bigint      primary key,
  audit_event_id id          not null unique,
  hash           bytea       not null check (length(hash) = 32),
  linked_at      timestamptz not null
);

create trigger audit_links_are_final before update or delete on audit_chain
  for each row execute function refuse_audit_change();
create trigger audit_links_are_kept before truncate on audit_chain
  for each statement execute function refuse_audit_change();

-- The last link, what stood before the oldest one that is still kept, and what was last published. Whoever holds this
-- row extends the chain.
create table audit_chain_head (
  is_only_row     boolean     primary key default true check (is_only_row),
  position        bigint      not null,
  hash            bytea       not null,
  anchor_position bigint      not null,
  anchor_hash     bytea       not null,
  published_hash  bytea,
  published_at    timestamptz
);
insert into audit_chain_head (position, hash, anchor_position, anchor_hash)
  values (0, decode(repeat('00', 32), 'hex'), 0, decode(repeat('00', 32), 'hex'));
