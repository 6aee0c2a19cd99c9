-- What somebody asks for is attempted past an open circuit; the time of a clinic's events never goes back; old days go one by one.

-- The lane may have deliveries that were asked for: they are looked for in such lanes alone.
alter table lane add has_urgent boolean not null default false;
create index delivery_urgent on delivery (clinic_id, subscription_id)
  where status = 'pending' and (manual_from is not null or is_test and attempt_count = 0);

-- The latest time that a change of the clinic bears: no later one bears an earlier time, whatever the clock says by then.
alter table event_counter add last_at timestamptz(3);

-- The first day (UTC's) of which anything is stored; null when nothing is.
create function oldest_event_day() returns date
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  oldest date;
  parent text;
  day date;
begin
  select min(to_date(right(c.relname, 8), 'YYYYMMDD')) into oldest
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent in ('public.attempt'::regclass, 'public.delivery'::regclass, 'public.event'::regclass)
    and c.relname ~ '_[0-9]{8}$';
  foreach parent in array array['attempt', 'delivery', 'event'] loop
    execute format('select (min(created_at) at time zone ''UTC'')::date from public.%I', parent || '_rest') into day;
    oldest := least(oldest, day);
  end loop;
  return oldest;
end $$;
revoke execute on function oldest_event_day() from public;

-- Makes the partitions of the coming days and drops those of days before the retention. The days are UTC's.
-- One partition a call, so that its locks are short; true: there may be more to do.
-- Of the days no more than `oldest` goes: a clock that is far ahead for a moment costs a day and not all of them.
-- The application's role may call it and nothing more: days younger than 7 are kept whatever it asks for.
drop function maintain_events(integer);
create function maintain_events(retention_days integer, oldest date) returns boolean
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  today date := (now() at time zone 'UTC')::date;
  kept_since date := least(today - greatest(retention_days, 7), oldest + 1);
  parent text;
  day date;
  name text;
  held boolean;
begin
  perform pg_advisory_xact_lock(7251964312);
  -- An event goes last: what belongs to it is never without it.
  foreach parent in array array['attempt', 'delivery', 'event'] loop
    for day in select today + i from generate_series(-1, 7) i loop
      name := parent || '_' || to_char(day, 'YYYYMMDD');
      continue when to_regclass('public.' || name) is not null;
      -- A day whose rows have begun to come to rest elsewhere stays there. (A cluster cannot ask for rows without columns.)
      execute format('select exists (select 1 from public.%I where created_at >= $1 and created_at < $2)', parent || '_rest')
        into held using day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC';
      continue when held;
      execute format('create table public.%I partition of public.%I for values from (%L) to (%L)',
        name, parent, day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC');
      return true;
    end loop;
    select c.relname into name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = ('public.' || parent)::regclass and c.relname ~ ('^' || parent || '_[0-9]{8}$')
      and c.relname < parent || '_' || to_char(kept_since, 'YYYYMMDD')
    limit 1;
    if found then
      execute format('drop table public.%I', name);
      return true;
    end if;
    execute format('delete from public.%I where created_at < $1', parent || '_rest')
      using kept_since::timestamp at time zone 'UTC';
  end loop;
  return false;
end $$;
revoke execute on function maintain_events(integer, date) from public;
