-- Operators, organizations, sessions and domains.

create table accounts (
  account_id id          primary key,
  email      text        not null unique, -- lower case
  created_at timestamptz not null
);

create table merchants (
  merchant_id id          primary key,
  name        text        not null,
  status      text        not null check (status in ('pending', 'active')),
  version     int         not null default 1,
  created_at  timestamptz not null,
  updated_at  timestamptz not null
);

create table merchant_operators (
  merchant_id id          not null references merchants,
  account_id  id          not null references accounts,
  created_at  timestamptz not null,
  primary key (merchant_id, account_id)
);
create index merchant_operators_by_account on merchant_operators (account_id);

-- Mail that is still to be sent. A queued link mail holds no token: it is made when the mail leaves.
create table mail_jobs (
  mail_job_id id          primary key,
  kind        text        not null check (kind in ('sign_in_link', 'payee_activated')),
  email       text        not null,
  payload     json        not null,
  created_at  timestamptz not null,
  run_at      timestamptz not null,
  attempts    int         not null default 0,
  lease       text
);
create index mail_jobs_due on mail_jobs (run_at);

-- Each row is also one mail that left: the limits on mail to one address are counted here.
create table email_links (
  token_hash     text        primary key,
  email          text        not null,
  mail_job_id    id          not null, -- two rows for a mail that was tried twice
  requested_from text        not null, -- the caller's network address, keyed hash
  created_at     timestamptz not null,
  expires_at     timestamptz not null,
  used_at        timestamptz
);
create index email_links_by_email on email_links (email, created_at);
create index email_links_by_mail_job on email_links (mail_job_id);
create index email_links_by_age on email_links (expires_at);

-- Session grant (account_id) and next grant (account_id, merchant_id): spent by one guarded update.
create table session_grants (
  token_hash  text        primary key,
  account_id  id          not null references accounts,
  merchant_id id          references merchants,
  choices     json        not null default '{}', -- hash of the choice id → merchant id
  created_at  timestamptz not null,
  expires_at  timestamptz not null,
  used_at     timestamptz
);
create index session_grants_by_account on session_grants (account_id) where used_at is null;
create index session_grants_by_age on session_grants (expires_at);

create table merchant_sessions (
  session_id   id          primary key,
  token_hash   text        not null unique,
  account_id   id          not null references accounts,
  merchant_id  id          not null references merchants,
  csrf_key_id  text        not null,
  created_at   timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at   timestamptz not null, -- absolute
  ended_at     timestamptz
);
create index merchant_sessions_by_account on merchant_sessions (account_id) where ended_at is null;
create index merchant_sessions_by_age on merchant_sessions (expires_at);

create table domains (
  domain_id            id          primary key,
  merchant_id          id          not null references merchants,
  domain               text        not null,
  method               text        not null check (method in ('dns', 'https')),
  status               text        not null check (status in ('pending', 'verified', 'lapsed')),
  challenge            text        not null,
  challenge_expires_at timestamptz not null,
  created_at           timestamptz not null,
  verified_at          timestamptz,
  deleted_at           timestamptz
);
create unique index domains_one_per_merchant on domains (merchant_id, domain) where deleted_at is null;
create unique index domains_one_verified_owner on domains (domain) where status = 'verified' and deleted_at is null;
create index domains_by_merchant on domains (merchant_id, created_at desc, domain_id desc) where deleted_at is null;
