-- A first passkey is effective after a day, in which every owner can cancel it. Those that exist are effective since
-- they were registered.
alter table operator_passkeys add column effective_at timestamptz not null default now();
update operator_passkeys set effective_at = created_at;

-- Links that cancel a passkey before it is effective, one for each mail to an owner.
create table passkey_cancellations (
  token_hash text        primary key,
  passkey_id id          not null references operator_passkeys on delete cascade,
  email      text        not null, -- of the owner it was sent to
  expires_at timestamptz not null
);
create index passkey_cancellations_by_passkey on passkey_cancellations (passkey_id);
create index passkey_cancellations_by_age on passkey_cancellations (expires_at);

-- Since when the passkey was effective that was used for the sign-in, or last in the session.
alter table session_grants add column passkey_effective_at timestamptz;
alter table merchant_sessions add column passkey_effective_at timestamptz;

-- When the operator got the role; null: with the first sign-in.
alter table merchant_operators add column role_since timestamptz;

-- Names that Recipients have or had, as digests of what `nameDigest` compares: NFKC, case folding, one blank between
-- words. What is there already is folded with the best collation of the server.
create table payee_names (
  merchant_id  id          not null references merchants,
  name_digest  text        not null,
  recipient_id id          not null references recipients,
  since        timestamptz not null,
  primary key (merchant_id, name_digest, recipient_id)
);
create trigger payee_names_are_final before update or delete on payee_names
  for each row execute function refuse_fact_change();
do $$
declare
  folding text := coalesce(
    (select 'collate pg_catalog."und-x-icu"' from pg_collation
     where collname = 'und-x-icu' and collnamespace = 'pg_catalog'::regnamespace), '');
begin
  execute format($names$
    insert into payee_names (merchant_id, name_digest, recipient_id, since)
    select n.merchant_id, encode(sha256(convert_to(n.folded, 'UTF8')), 'hex'), n.recipient_id, min(n.since) from (
      select v.merchant_id, v.recipient_id, v.since,
             btrim(regexp_replace(normalize(lower(upper(lower(normalize(v.name, NFKC) %s))), NFKC), '\s+', ' ', 'g'))
               as folded
      from (select merchant_id, recipient_id, created_at as since, name from recipient_versions
            union all select merchant_id, recipient_id, updated_at, name from recipients) v) n
    group by 1, 2, 3$names$, folding);
end $$;

-- Two addresses of one mailbox are one person. An organization that requires two owners and has only one person could
-- never change anything again: it no longer requires them.
with persons as (
  select o.merchant_id,
         count(distinct regexp_replace(replace(split_part(lower(a.email), '@', 1), '.', ''), '\+.*$', '')
           || '@' || split_part(lower(a.email), '@', 2)) as persons
  from merchant_operators o join accounts a using (account_id)
  where o.role = 'owner' and o.joined_at is not null
  group by o.merchant_id
)
update merchants m set four_eyes = false, version = m.version + 1
from persons p where p.merchant_id = m.merchant_id and m.four_eyes and p.persons < 2;
