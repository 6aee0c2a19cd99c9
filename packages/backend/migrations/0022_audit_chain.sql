-- The audit chain goes by the order in which rows were stored, whatever time they bear: a clock may jump.

alter table audit drop constraint audit_pkey, add primary key (clinic_id, id, stored_at);

-- Each seal covers the rows behind the one before it, up to `last_id`. All of them bear the same day, by which they are dropped.
drop table audit_seal;
create table audit_seal (
  clinic_id text collate "C" not null,
  number bigint not null check (number > 0),
  last_id bigint not null,
  -- UTC's.
  day date not null,
  row_count integer not null check (row_count > 0),
  -- Of the rows: they may be dropped, the seal stays.
  rows_hash text not null check (rows_hash ~ '^[0-9a-f]{64}$'),
  -- Of all of these and of the seal before.
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  sealed_at timestamptz(3) not null,
  primary key (clinic_id, number)
);
alter table audit_seal enable row level security;
alter table audit_seal force row level security;
create policy add on audit_seal for insert to current_user with check (clinic_id = current_setting('app.clinic_id', true));
create policy clinic on audit_seal for select using (clinic_id = current_setting('app.clinic_id', true));
grant select on audit_seal to clinic_data_app;

-- Sealing is the owner's work. Where a clinic's chain ends, under a key that the database does not hold.
create table audit_head (
  clinic_id text collate "C" primary key,
  number bigint not null check (number > 0),
  key_id text collate "C" not null check (key_id ~ '^[A-Za-z0-9_-]{1,16}$'),
  mac text not null check (mac ~ '^[0-9a-f]{64}$')
);
alter table audit_head enable row level security;
alter table audit_head force row level security;
create policy clinic on audit_head using (clinic_id = current_setting('app.clinic_id', true))
  with check (clinic_id = current_setting('app.clinic_id', true));
grant select on audit_head to clinic_data_app;
