-- Every master key that this database has worked with, and what proves that a configured one is it. A start with none of
-- them is a start with the wrong key, or with a new one in place of a lost one.
create table master_keys (
  key_id        text        primary key,
  check_value   bytea       not null check (length(check_value) = 32),
  first_used_at timestamptz not null
);
