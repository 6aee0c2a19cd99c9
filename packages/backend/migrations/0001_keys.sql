-- The API keys of clinics.

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
grant select, insert, update on api_key to clinic_data_app;
