-- When a device of a wallet last called, to the minute: an agent that waits can tell whether anyone is there.
alter table devices add column last_seen_at timestamptz;
