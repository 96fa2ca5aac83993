-- What has been used of each limit, shared by all processes. The former counters began again with every window, so that
-- twice as much passed around its border, and kept network addresses as they were.
drop table rate_counters;

create table rate_budgets (
  name       text        not null,
  subject    text        not null, -- keyed hash
  -- [[moment in ms, calls], …] of the last period.
  uses       jsonb       not null,
  -- {process: [end in ms, calls]}: taken ahead, and possibly used until the end.
  leases     jsonb       not null,
  expires_at timestamptz not null,
  primary key (name, subject)
);
create index rate_budgets_by_age on rate_budgets (expires_at);

-- Takes calls out of a budget: `need` at once, and up to `extra` ahead for the process, which first reports what it has
-- used of its former lease and how much of it it keeps. Whatever is granted has been taken from what all processes share,
-- so their sum never exceeds the limit within any period. With little left, less is handed out ahead.
create function take_from_budget(
  which text, who text, most int, period_ms bigint, now_ms bigint, process text,
  used int, used_ms bigint, keep int, need int, extra int, lease_end_ms bigint
) returns table (granted int, leased int, remaining int, free_ms bigint) language plpgsql as $$
#variable_conflict use_column
declare
  known_uses jsonb;
  known_leases jsonb;
  used_sum int;
  leased_sum int;
  first_use bigint;
  first_lease bigint;
begin
  -- A count that a crash of the machine forgets is worth no wait for the disk.
  perform set_config('synchronous_commit', 'off', true);
  loop
    select b.uses, b.leases into known_uses, known_leases
    from rate_budgets b where b.name = which and b.subject = who for update;
    exit when found;
    insert into rate_budgets (name, subject, uses, leases, expires_at)
    values (which, who, '[]', '{}', to_timestamp(now_ms / 1000.0)) on conflict do nothing;
  end loop;
  if used <> 0 then known_uses := known_uses || jsonb_build_array(jsonb_build_array(used_ms, used)); end if;
  select coalesce(jsonb_agg(u), '[]'), coalesce(sum((u->>1)::int), 0), min((u->>0)::bigint)
    into known_uses, used_sum, first_use
    from jsonb_array_elements(known_uses) u where (u->>0)::bigint > now_ms - period_ms;
  select coalesce(jsonb_object_agg(l.key, l.value), '{}'), coalesce(sum((l.value->>1)::int), 0), min((l.value->>0)::bigint)
    into known_leases, leased_sum, first_lease
    from jsonb_each(known_leases) l where l.key <> process and (l.value->>0)::bigint > now_ms - period_ms;
  remaining := most - used_sum - leased_sum - keep;
  granted := greatest(0, least(need, remaining));
  remaining := remaining - granted;
  leased := greatest(0, least(extra, remaining / 10));
  remaining := greatest(0, remaining - leased);
  if granted > 0 then
    known_uses := known_uses || jsonb_build_array(jsonb_build_array(now_ms, granted));
    first_use := coalesce(first_use, now_ms);
  end if;
  if leased + keep > 0 then
    known_leases := known_leases || jsonb_build_object(process, jsonb_build_array(lease_end_ms, leased + keep));
  end if;
  update rate_budgets b
  set uses = known_uses, leases = known_leases,
      expires_at = to_timestamp((greatest(now_ms, lease_end_ms) + period_ms) / 1000.0)
  where b.name = which and b.subject = who;
  free_ms := least(first_use, first_lease) + period_ms;
  return next;
end $$;
