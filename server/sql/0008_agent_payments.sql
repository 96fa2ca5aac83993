-- The second surface: project keys, admin sessions, automation policies and agent payments.

create table api_keys (
  api_key_id  id          primary key,
  key_hash    text        not null unique,
  merchant_id id          not null references merchants,
  agent_id    id          not null references agents,
  name        text        not null,
  created_at  timestamptz not null,
  revoked_at  timestamptz
);
create index api_keys_by_merchant on api_keys (merchant_id, created_at desc, api_key_id desc);

create table admin_sessions (
  session_id          id          primary key,
  token_hash          text        not null unique,
  merchant_id         id          not null references merchants,
  account_id          id          not null references accounts,
  merchant_session_id id          not null,
  created_at          timestamptz not null,
  expires_at          timestamptz not null,
  ended_at            timestamptz
);
create index admin_sessions_by_merchant_session on admin_sessions (merchant_session_id) where ended_at is null;
create index admin_sessions_by_age on admin_sessions (expires_at);

-- Amounts are exact: text as the user wrote it beside numeric for arithmetic.
create table automation_policies (
  policy_id        id          primary key,
  merchant_id      id          not null,
  agent_id         id          not null,
  connection_id    id          not null references connections,
  wallet_id        id          not null,
  network          text        not null,
  asset            text        not null,
  issuer           text        not null default '',
  status           text        not null check (status in ('draft', 'active', 'paused', 'expired', 'revoked')),
  single_tx_limit  text,
  cumulative_limit text,
  valid_from       timestamptz,
  valid_until      timestamptz,
  allowlist        json, -- with the pinned version of each Recipient while the user's consent stands
  spent            numeric     not null default 0,
  reserved         numeric     not null default 0,
  opted_in_at      timestamptz,
  version          int         not null default 1,
  created_at       timestamptz not null,
  updated_at       timestamptz not null,
  constraint policy_usage_is_not_negative check (spent >= 0 and reserved >= 0)
);
create unique index automation_policies_one_active on automation_policies (connection_id, network, asset, issuer) where status = 'active';
create index automation_policies_by_merchant on automation_policies (merchant_id, created_at desc, policy_id desc);
create index automation_policies_by_connection on automation_policies (connection_id);
create index automation_policies_by_wallet on automation_policies (wallet_id, created_at desc, policy_id desc);
create index automation_policies_by_agent on automation_policies (agent_id, created_at desc, policy_id desc);
create index automation_policies_expiry on automation_policies (valid_until) where status in ('active', 'paused');

create trigger automation_policy_subject_is_final
  before update of policy_id, merchant_id, agent_id, connection_id, wallet_id, network, asset, issuer, created_at
  on automation_policies for each row execute function refuse_fact_change();
-- A forgotten policy would forget what has been spent under it.
create trigger automation_policies_are_kept before delete on automation_policies
  for each row execute function refuse_fact_change();

create table agent_payments (
  agent_payment_id     id          primary key,
  merchant_id          id          not null,
  agent_id             id          not null,
  connection_id        id          not null,
  wallet_id            id          not null,
  idempotency_key      text collate "C" not null,
  intent_digest        text        not null,
  initiated_by         text        not null check (initiated_by in ('agent', 'human')),
  policy_id            id,
  recipient_id         id,
  recipient_version_id id,
  rail                 text        not null,
  network              text        not null,
  asset                text        not null,
  amount               text        not null,
  to_address           text        not null,
  memo                 text,
  contract             text,
  issuer               text,
  decimals             int         not null,
  chain_id             bigint,
  payee                json        not null,
  facts_digest         text        not null,
  metadata             json,
  status               text        not null check (status in ('intent_created', 'signed', 'broadcasted', 'confirmed', 'rejected', 'failed', 'expired', 'cancelled')),
  state_version        int         not null default 1,
  tx_hash              text,
  reason               text,
  reason_text          text,
  decided_by_device_id id,
  created_at           timestamptz not null,
  expires_at           timestamptz not null,
  updated_at           timestamptz not null
);
create unique index agent_payments_one_per_key on agent_payments (connection_id, idempotency_key);
create index agent_payments_by_merchant on agent_payments (merchant_id, created_at desc, agent_payment_id desc);
create index agent_payments_by_wallet on agent_payments (wallet_id, created_at desc, agent_payment_id desc);
create index agent_payments_by_agent on agent_payments (agent_id, created_at desc, agent_payment_id desc);
create index agent_payments_expiry on agent_payments (expires_at) where status = 'intent_created';
create index agent_payments_open on agent_payments (connection_id, expires_at) where status = 'intent_created';
create index agent_payments_open_by_policy on agent_payments (policy_id, expires_at) where status = 'intent_created';

create trigger agent_payment_facts_are_final
  before update of merchant_id, agent_id, connection_id, wallet_id, idempotency_key, intent_digest, initiated_by, policy_id,
    recipient_id, recipient_version_id, rail, network, asset, amount, to_address, memo, contract, issuer, decimals, chain_id,
    payee, facts_digest, metadata, created_at, expires_at
  on agent_payments for each row execute function refuse_fact_change();
create trigger agent_payments_are_kept before delete on agent_payments
  for each row execute function refuse_fact_change();
