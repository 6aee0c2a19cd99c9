-- What the delivery engine knows: of each subscription whether its endpoint works, of each delivery who holds it, and every attempt.

-- Takes its rows with their subscription. The columns are those of a circuit.
create table lane (
  clinic_id text collate "C" not null,
  subscription_id text collate "C" not null,
  last_success_at timestamptz(3),
  failing_since timestamptz(3),
  failed_attempts integer not null default 0,
  exhausted_deliveries integer not null default 0,
  first_gone_at timestamptz(3),
  last_gone_at timestamptz(3),
  opened_at timestamptz(3),
  probe_at timestamptz(3),
  failed_probes smallint not null default 0,
  at_once smallint not null default 8,
  -- The last 2xx that ended an outage, while retries from before it wait: they are due at once.
  recovered_at timestamptz(3),
  primary key (clinic_id, subscription_id),
  foreign key (clinic_id, subscription_id) references subscription (clinic_id, id) on delete cascade
);

alter table delivery
  -- Of a test event: never replayed. Told here, for a join with events of which no statistics are known yet can go the long way.
  add is_test boolean not null default false,
  -- Attempts of the schedule; `attempt_count` counts those that were asked for by hand too.
  add automatic_count integer not null default 0,
  -- A delivery that was claimed: whose it is, and how long it is nobody else's.
  add lease_id text collate "C",
  add lease_until timestamptz(3),
  -- Asked for by hand: what the delivery is again when that attempt fails, and when it is due then.
  add manual_from text check (manual_from in ('pending', 'failed')),
  add scheduled_at timestamptz(3),
  -- When its schedule began: at its creation, or when it was replayed.
  add scheduled_from timestamptz(3),
  add last_attempt_at timestamptz(3),
  add delivered_at timestamptz(3),
  add response_status smallint,
  add error text check (char_length(error) <= 64);

create index delivery_leased on delivery (clinic_id, subscription_id) where lease_until is not null;

-- In the day's partition of its delivery.
create table attempt (
  clinic_id text collate "C" not null,
  subscription_id text collate "C" not null,
  event_id text collate "C" not null,
  created_at timestamptz(3) not null,
  number integer not null check (number > 0),
  trigger text not null check (trigger in ('automatic', 'manual')),
  attempted_at timestamptz(3) not null,
  duration_ms integer not null check (duration_ms >= 0),
  response_status smallint,
  error text check (char_length(error) <= 64),
  primary key (clinic_id, subscription_id, created_at, event_id, number)
) partition by range (created_at);
create table attempt_rest partition of attempt default;

-- A test event has no place in the feed.
alter table event alter column position drop not null;

select protect_clinic_table(name::regclass) from unnest(array['lane', 'attempt']) name;
-- A dispatcher sees of all clinics which subscriptions have something due: ids and times, no more.
create policy dispatcher on lane for select using (current_setting('app.dispatcher', true) = 'on');
create policy dispatcher on delivery for select using (current_setting('app.dispatcher', true) = 'on');

insert into lane (clinic_id, subscription_id) select clinic_id, id from subscription;

-- Makes the partitions of the coming days and drops those of days before the retention. The days are UTC's.
-- One partition a call, so that its locks are short; true: there may be more to do.
-- The application's role may call it and nothing more: days younger than 7 are kept whatever it asks for.
create function maintain_events(retention_days integer) returns boolean
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  today date := (now() at time zone 'UTC')::date;
  kept_since date := today - greatest(retention_days, 7);
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
revoke execute on function maintain_events(integer) from public;
grant execute on function maintain_events(integer) to clinic_data_app;
