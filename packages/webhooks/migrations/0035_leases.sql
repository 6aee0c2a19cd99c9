-- A claim changes no index: a lane tells what is held of it, and a page of deliveries has room for their next versions.

-- By the leases' ids: how many deliveries each holds, and until when.
alter table lane add leases jsonb not null default '{}';
drop index delivery_leased;

do $$
declare
  part regclass;
begin
  for part in select inhrelid from pg_inherits where inhparent = 'public.delivery'::regclass loop
    execute format('alter table %s set (fillfactor = 70)', part);
  end loop;
end $$;

-- Makes the partitions of the coming days and drops those of days before the retention. The days are UTC's.
-- One partition a call, so that its locks are short; true: there may be more to do.
-- Of the days no more than `oldest` goes: a clock that is far ahead for a moment costs a day and not all of them.
-- Days younger than 7 are kept whatever is asked for.
create or replace function maintain_events(retention_days integer, oldest date) returns boolean
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
      if parent = 'delivery' then
        execute format('alter table public.%I set (fillfactor = 70)', name);
      end if;
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
