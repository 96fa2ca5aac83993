-- Passkeys of operators, and what is known about a session besides who it is.

create table operator_passkeys (
  passkey_id    id          primary key,
  account_id    id          not null references accounts,
  credential_id text        not null unique, -- base64url
  public_key    bytea       not null,        -- COSE
  counter       bigint      not null,
  transports    text[]      not null,
  name          text        not null,
  backed_up     boolean     not null,
  created_at    timestamptz not null,
  last_used_at  timestamptz
);
create index operator_passkeys_by_account on operator_passkeys (account_id, created_at desc, passkey_id desc);

-- What a passkey is asked to sign: once, within minutes, in the session that asked.
create table passkey_challenges (
  challenge_hash text        primary key,
  purpose        text        not null check (purpose in ('registration', 'step_up', 'sign_in')),
  session_id     id,
  expires_at     timestamptz not null,
  used_at        timestamptz,
  check ((session_id is null) = (purpose = 'sign_in'))
);
create index passkey_challenges_by_age on passkey_challenges (expires_at);

-- When a mailed link was first used although there are passkeys; null again as soon as a passkey is used.
alter table accounts add column recovery_since timestamptz;

alter table session_grants
  add column signed_in_by text not null default 'mail' check (signed_in_by in ('mail', 'passkey'));
alter table merchant_sessions
  add column signed_in_by    text not null default 'mail' check (signed_in_by in ('mail', 'passkey')),
  add column network_address text,
  add column user_agent      text,
  add column stepped_up_at   timestamptz, -- when a passkey was last used in it
  add column recovers_at     timestamptz; -- began with a mailed link although there are passkeys: not before this
create index merchant_sessions_open on merchant_sessions (merchant_id, account_id) where ended_at is null;
