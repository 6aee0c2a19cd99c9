-- The audit log: who asked what of which clinic. Rows are only ever added; days are dropped whole when the retention has passed.

create table audit (
  clinic_id text collate "C" not null,
  id bigint generated always as identity,
  -- Set by the database: a row is sealed once no statement that could still add an earlier one can be running.
  stored_at timestamptz not null default now(),
  at timestamptz(3) not null,
  key_id text collate "C" not null,
  operation text not null,
  surface text not null check (surface in ('rest', 'mcp', 'file')),
  resource_ids text[] not null,
  count integer not null,
  status smallint not null,
  request_id text collate "C" not null,
  address text not null,
  primary key (clinic_id, stored_at, id)
) partition by range (stored_at);
create table audit_rest partition of audit default;

alter table audit enable row level security;
alter table audit force row level security;
-- A batch holds the rows of many clinics: adding is open, reading is by clinic. No row comes in behind what may be sealed.
create policy add on audit for insert with check (stored_at > now() - interval '30 seconds');
create policy clinic on audit for select using (clinic_id = current_setting('app.clinic_id', true));
grant select, insert on audit to clinic_data_app;

-- The chain over a clinic's audit rows: each seal's hash covers its rows and the seal before it.
create table audit_seal (
  clinic_id text collate "C" not null,
  number bigint not null check (number > 0),
  -- The last row that the seal covers, by (stored_at, id).
  last_stored_at timestamptz not null,
  last_id bigint not null,
  row_count integer not null check (row_count > 0),
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  sealed_at timestamptz(3) not null,
  primary key (clinic_id, number)
);
alter table audit_seal enable row level security;
alter table audit_seal force row level security;
create policy add on audit_seal for insert with check (clinic_id = current_setting('app.clinic_id', true));
create policy clinic on audit_seal for select using (clinic_id = current_setting('app.clinic_id', true));
grant select, insert on audit_seal to clinic_data_app;

-- Makes the partitions of the coming days and drops those of days before the retention (null: none). The days are UTC's.
-- The application's role may call it and nothing more: days younger than 30 are kept whatever it asks for.
create function maintain_audit(retention_days integer) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  today date := (now() at time zone 'UTC')::date;
  kept_since date := today - case when retention_days < 30 then 30 else retention_days end;
  day date;
  name text;
begin
  perform pg_advisory_xact_lock(7251964311);
  for day in select today + i from generate_series(0, 7) i loop
    name := 'audit_' || to_char(day, 'YYYYMMDD');
    -- A day whose rows have begun to come to rest elsewhere stays there.
    if to_regclass('public.' || name) is null and not exists (
      select 1 from public.audit_rest
      where stored_at >= day::timestamp at time zone 'UTC' and stored_at < (day + 1)::timestamp at time zone 'UTC')
    then
      execute format('create table public.%I partition of public.audit for values from (%L) to (%L)',
        name, day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC');
    end if;
  end loop;
  for name in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'public.audit'::regclass and c.relname ~ '^audit_[0-9]{8}$'
      and c.relname < 'audit_' || to_char(kept_since, 'YYYYMMDD')
  loop
    execute format('drop table public.%I', name);
  end loop;
  delete from public.audit_rest where stored_at < kept_since::timestamp at time zone 'UTC';
end $$;
revoke execute on function maintain_audit(integer) from public;
grant execute on function maintain_audit(integer) to clinic_data_app;
select maintain_audit(null);
