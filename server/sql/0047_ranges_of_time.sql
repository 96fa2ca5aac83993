-- What is forgotten after a time can lie in partitions by ranges of time (`payassent migrate --partitions`). A range is
-- dropped when nothing in it has to be kept, which costs the same however much was in it. Ids begin with their time, so
-- the ranges are ranges of ids: keys and statements stay as they are.

-- The least id of a moment.
create function id_at(prefix text, moment timestamptz) returns text language sql immutable parallel safe
begin atomic
  select prefix || '_' || string_agg(
      substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', (((extract(epoch from moment) * 1000)::bigint >> (5 * place)) & 31)::int + 1, 1),
      '' order by place desc) || repeat('0', 16)
  from generate_series(0, 9) place;
end;

-- Tables that may lie in ranges: what their ids begin with, days of a range, days after which nothing else is asked than
-- `keeps`, the condition of rows that have to stay all the same.
create function ranged_tables() returns table (name text, key text, prefix text, days int, kept_days int, keeps text)
language sql immutable parallel safe
begin atomic
  values
    -- A message counts as new when somebody asks for it again.
    ('webhook_messages', 'event_id', 'evt', 1, 7, 'created_at >= now() - interval ''7 days'''),
    ('webhook_deliveries', 'delivery_id', 'whd', 5, 30, 'status = ''pending'''),
    -- Entries go one by one, from the verified end of their chain: a range that has none left can go.
    ('audit_events', 'audit_event_id', 'aud', 30, 400, 'true');
end;

-- The ranges of a table, named after the day (UTC) that ends them. Whatever is in none of them is in the default one.
create function ranges_of(ranged text) returns table (partition text, until date) language sql stable
begin atomic
  select c.relname::text, to_date(right(c.relname::text, 8), 'YYYYMMDD')
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = to_regclass(ranged) and c.relname ~ '_until_\d{8}$';
end;

-- Makes the ranges of the days to come, and says which is the first one. No row: the table has no ranges.
create function extend_ranges(ranged text) returns table (first_end timestamptz, first_bound text, days int)
language plpgsql security definer as $$
declare
  rule record;
  options text;
  reached date;
  following date;
  made text;
begin
  select r.* into rule from ranged_tables() r
    join pg_class c on c.oid = to_regclass(r.name) and c.relkind = 'p'
  where r.name = ranged;
  if not found then return; end if;
  if pg_try_advisory_xact_lock(hashtextextended('ranges of ' || ranged, 0)) then
    select r.until, array_to_string(c.reloptions, ', ') into reached, options
    from ranges_of(ranged) r join pg_class c on c.oid = to_regclass(r.partition)
    order by r.until desc limit 1;
    while reached < (now() at time zone 'UTC')::date + 3 * rule.days loop
      following := reached + rule.days;
      made := format('%s_until_%s', ranged, to_char(following, 'YYYYMMDD'));
      begin
        execute format('create table %I (like %I including defaults including constraints including generated
          including identity including storage) %s', made, ranged, 'with (' || nullif(options, '') || ')');
        execute format('alter table %I attach partition %I for values from (%L) to (%L)', ranged, made,
          id_at(rule.prefix, reached::timestamp at time zone 'UTC'),
          id_at(rule.prefix, following::timestamp at time zone 'UTC'));
      exception
        -- Rows of these days are in the default range already, and stay there.
        when check_violation then null;
        -- Somebody works with the default range. There is time.
        when lock_not_available then exit;
      end;
      reached := following;
    end loop;
  end if;
  return query
    select r.until::timestamp at time zone 'UTC', id_at(rule.prefix, r.until::timestamp at time zone 'UTC'), rule.days
    from ranges_of(ranged) r order by r.until limit 1;
end $$;

-- Drops the first range, unless something in it has to be kept: old enough by the database's own clock, which the service
-- cannot move. Says whether it did; not when others do not let go of the table for a moment.
create function drop_first_range(ranged text) returns boolean language plpgsql security definer as $$
declare
  rule record;
  is_kept boolean;
begin
  select t.*, r.partition into rule from ranged_tables() t cross join ranges_of(ranged) r
  where t.name = ranged and (r.until + t.kept_days)::timestamp at time zone 'UTC' <= now()
  order by r.until limit 1;
  if not found then return false; end if;
  execute format('lock table %I in access exclusive mode', ranged);
  execute format('select exists (select from %I where %s)', rule.partition, rule.keeps) into is_kept;
  if is_kept then return false; end if;
  execute format('drop table %I', rule.partition);
  return true;
exception
  when lock_not_available then return false;
end $$;

revoke execute on function extend_ranges, drop_first_range from public;
do $$ begin
  execute format('alter function ranges_of(text) set search_path = %I, pg_temp', current_schema());
  execute format('alter function extend_ranges(text) set search_path = %I, pg_temp', current_schema());
  execute format('alter function drop_first_range(text) set search_path = %I, pg_temp', current_schema());
end $$;
-- Calls wait behind whoever waits for the whole table.
alter function extend_ranges(text) set lock_timeout = '1s';
alter function drop_first_range(text) set lock_timeout = '1s';

-- A sweep that goes by ids.
alter table retention_marks add column reached_id id;
