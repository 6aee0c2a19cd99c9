-- Clinics, their API keys, and the wall between clinics that every table stands behind.

-- Row level security, forced, with one policy for all commands: without `app.clinic_id` no row is visible.
create function protect_clinic_table(name regclass) returns void language plpgsql as $$
begin
  execute format('alter table %s enable row level security', name);
  execute format('alter table %s force row level security', name);
  execute format(
    'create policy clinic on %s using (clinic_id = current_setting(''app.clinic_id'', true)) with check (clinic_id = current_setting(''app.clinic_id'', true))',
    name);
  execute format('grant select, insert, update, delete on %s to clinic_data_app', name);
end $$;
revoke execute on function protect_clinic_table(regclass) from public;

create table clinic (
  clinic_id text collate "C" primary key check (clinic_id ~ '^[a-z0-9][a-z0-9_-]{0,62}$'),
  name text not null check (char_length(name) <= 200),
  time_zone text not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  country text not null check (country ~ '^[A-Z]{2}$'),
  week_start smallint not null check (week_start in (0, 1)),
  min_visit_minutes integer not null check (min_visit_minutes between 1 and 1440),
  ai_transcription boolean not null default false,
  created_at timestamptz(3) not null
);

create table api_key (
  clinic_id text collate "C" not null references clinic,
  id text collate "C" not null,
  key_hash text collate "C" not null check (key_hash ~ '^[0-9a-f]{64}$'),
  first_characters text not null,
  last_characters text not null,
  name text not null check (char_length(name) <= 200),
  scopes text[] not null,
  rate_limit integer check (rate_limit between 1 and 1000000),
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  primary key (clinic_id, id),
  unique (key_hash, clinic_id)
);

-- A key is looked up before its clinic is known: `app.key_hash` opens the one key with that hash.
alter table api_key enable row level security;
alter table api_key force row level security;
create policy clinic on api_key
  using (clinic_id = current_setting('app.clinic_id', true) or key_hash = current_setting('app.key_hash', true))
  with check (clinic_id = current_setting('app.clinic_id', true));
alter table clinic enable row level security;
alter table clinic force row level security;
create policy clinic on clinic
  using (clinic_id = current_setting('app.clinic_id', true))
  with check (clinic_id = current_setting('app.clinic_id', true));
-- An operator, who is the owner, lists the clinics; the owner need not be a superuser.
create policy operator on clinic for select to current_user using (true);
grant select, update on clinic to clinic_data_app;
grant select, insert, update on api_key to clinic_data_app;

-- The program asks whether the schema is the one it was written for.
grant select on schema_migration to clinic_data_app;
