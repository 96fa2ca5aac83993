-- Where an operator has signed in from: sign-in mails asked for from there are not withheld because of what others ask for.
create table account_networks (
  account_id   id          not null references accounts,
  network      text        not null, -- keyed hash
  last_used_at timestamptz not null,
  primary key (account_id, network)
);
create index account_networks_by_age on account_networks (last_used_at);
