-- The transparency log: an append-only Merkle tree over what others must be able to check.

-- The public keys of the service, former ones too: what was signed stays verifiable after a change of the master key.
create table signing_keys (
  kid           text        primary key,
  use           text        not null check (use in ('evidence', 'log')),
  public_key    bytea       not null check (length(public_key) = 32),
  master_key_id text        not null,
  created_at    timestamptz not null,
  retired_at    timestamptz
);

-- Entries that are not in the tree yet. They get here in the transaction of what they record, in no order that matters:
-- one that commits late cannot be missed, because it is found here and not by a cursor. Which entry of the tree belongs
-- to what is said by `subject`; content that the log only commits to never leaves these tables except in a bundle.
create table log_queue (
  entry_id bigint      generated always as identity primary key,
  type     text        not null check (type in (
    'payee.activated', 'payee.archived', 'payee.suspended', 'decision_key', 'decision', 'final')),
  at       timestamptz not null,
  subject  text        not null,
  content  json        not null,
  salt     bytea       not null default uuid_send(gen_random_uuid())
);
create index log_queue_by_subject on log_queue (subject);

-- The way into the queue for roles that act for a merchant: they can add, and neither look nor take away.
create function append_to_log(type text, at timestamptz, subjects text[], contents text[]) returns void
language sql security definer
begin atomic
  insert into log_queue (type, at, subject, content)
  select append_to_log.type, append_to_log.at, i.subject, i.content::json
  from unnest(append_to_log.subjects, append_to_log.contents) i(subject, content);
end;
revoke execute on function append_to_log from public;

create function refuse_log_change() returns trigger language plpgsql as $$
begin
  raise exception 'the transparency log cannot be changed';
end $$;

-- The primary key allows no second entry at a position: the log cannot fork.
create table log_entries (
  position bigint primary key check (position >= 0),
  type     text   not null,
  subject  text   not null,
  entry    text   not null, -- the exact text that is hashed and published
  salt     bytea, -- with the content, null where the entry itself says everything
  content  text
);
create index log_entries_by_subject on log_entries (subject, position);
create trigger log_entries_are_final before update or delete on log_entries
  for each row execute function refuse_log_change();
create trigger log_entries_are_kept before truncate on log_entries
  for each statement execute function refuse_log_change();

-- The hashes of all tiles: level 0 are the leaves, a hash of the next level stands for 256 of this one.
create table log_hashes (
  level    int    not null,
  position bigint not null,
  hash     bytea  not null check (length(hash) = 32),
  primary key (level, position)
);
create trigger log_hashes_are_final before update or delete on log_hashes
  for each row execute function refuse_log_change();
create trigger log_hashes_are_kept before truncate on log_hashes
  for each statement execute function refuse_log_change();

-- How large the tree is, and the hashes of its complete subtrees. Whoever holds this row extends the log.
create table log_head (
  is_only_row boolean primary key default true check (is_only_row),
  size        bigint  not null,
  edge        bytea   not null check (length(edge) % 32 = 0)
);
insert into log_head (size, edge) values (0, '');

create function log_only_grows() returns trigger language plpgsql as $$
begin
  if new.size < old.size then raise exception 'the transparency log cannot shrink'; end if;
  return new;
end $$;
create trigger log_head_only_grows before update on log_head
  for each row execute function log_only_grows();

-- What each witness has last cosigned.
create table log_witnesses (
  vkey        text        not null,
  origin      text        not null,
  size        bigint      not null default 0,
  cosignature text, -- the line under the checkpoint of this size
  try_at      timestamptz not null, -- while one process asks, no other does
  primary key (vkey, origin)
);

-- Payees from before the log. They are in it from now on, under the present time: the log does not pretend to be older.
insert into log_queue (type, at, subject, content)
select 'payee.activated', now(), e.evidence_id,
       json_build_object('domain', e.domain, 'evidence_digest', e.evidence_digest)
from recipient_versions v join recipient_evidence e on e.evidence_id = v.evidence_id
where v.status = 'active' and v.suspended_at is null and v.retired_at is null
order by v.activated_at, v.recipient_version_id;
