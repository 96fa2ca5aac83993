-- Where devices are told that something waits for their wallet (Web Push). Creating a request writes nothing here: the
-- sender looks at wallets that have a row, when it hears of a change and, for all of them, once a minute.
alter table devices add column has_push boolean not null default false;

create table push_subscriptions (
  device_id    id          primary key references devices,
  wallet_id    id          not null,
  key_id       text        not null, -- of the master key: the browser is bound to the public key that follows from it
  box          bytea       not null, -- endpoint and keys, sealed
  created_at   timestamptz not null,
  -- The moment of the look that the last message came from. Rows become visible in the order of their commits, so what
  -- was told of the last seconds before it is named: older than told_through, or in told, is no news.
  told_at      timestamptz not null,
  told_through timestamptz not null,
  told         text[]      not null default '{}',
  -- No message before: a lease while one is being sent, five seconds after it, or a pause after a failure.
  quiet_until  timestamptz not null,
  look_at      timestamptz, -- when to look again without being told to; null when nothing is planned
  tries        int         not null default 0
) with (fillfactor = 70);
create index push_subscriptions_by_wallet on push_subscriptions (wallet_id);
-- Those whose last message failed stand in a line of their own.
create index push_subscriptions_due on push_subscriptions ((tries > 0), look_at);
