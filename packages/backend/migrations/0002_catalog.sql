-- A clinic's reference data, and when its providers work.

create table branch (
  clinic_id text collate "C" not null references clinic,
  id text collate "C" not null check (char_length(id) between 1 and 128),
  name text not null check (char_length(name) <= 200),
  phone text check (char_length(phone) <= 40),
  street text check (char_length(street) <= 200),
  city text check (char_length(city) <= 200),
  postal_code text check (char_length(postal_code) <= 64),
  country text check (country ~ '^[A-Z]{2}$'),
  color text check (char_length(color) <= 32),
  primary key (clinic_id, id)
);

create table provider (
  clinic_id text collate "C" not null references clinic,
  id text collate "C" not null check (char_length(id) between 1 and 128),
  name text not null check (char_length(name) <= 200),
  type text not null check (char_length(type) <= 200),
  color text check (char_length(color) <= 32),
  primary key (clinic_id, id)
);

-- Weekly windows in the clinic's local time; a break is the gap between two windows. `24:00` ends a day.
create table working_hours (
  clinic_id text collate "C" not null,
  provider_id text collate "C" not null,
  branch_id text collate "C" not null,
  weekday smallint not null check (weekday between 0 and 6),
  starts_at time not null,
  ends_at time not null check (ends_at > starts_at),
  primary key (clinic_id, branch_id, provider_id, weekday, starts_at),
  foreign key (clinic_id, provider_id) references provider (clinic_id, id),
  foreign key (clinic_id, branch_id) references branch (clinic_id, id)
);

-- Time off of one provider, or of everyone at one branch, or (neither named) of the whole clinic.
create table time_off (
  clinic_id text collate "C" not null references clinic,
  id text collate "C" not null check (char_length(id) between 1 and 128),
  provider_id text collate "C",
  branch_id text collate "C",
  start timestamptz(0) not null,
  "end" timestamptz(0) not null check ("end" > start),
  primary key (clinic_id, id),
  foreign key (clinic_id, provider_id) references provider (clinic_id, id),
  foreign key (clinic_id, branch_id) references branch (clinic_id, id)
);
create index time_off_end on time_off (clinic_id, "end");

create table appointment_type (
  clinic_id text collate "C" not null references clinic,
  id text collate "C" not null check (char_length(id) between 1 and 128),
  name text not null check (char_length(name) <= 200),
  duration_minutes integer not null check (duration_minutes between 0 and 1440),
  color text check (char_length(color) <= 32),
  primary key (clinic_id, id)
);

-- `kind` gives the clinic's own statuses their meaning.
create table appointment_status (
  clinic_id text collate "C" not null references clinic,
  id text collate "C" not null check (char_length(id) between 1 and 128),
  name text not null check (char_length(name) <= 200),
  color text not null check (char_length(color) <= 32),
  enabled boolean not null default true,
  kind text not null check (kind in ('booked', 'confirmed', 'arrived', 'completed', 'cancelled', 'no_show')),
  primary key (clinic_id, id)
);

create table treatment_category (
  clinic_id text collate "C" not null references clinic,
  id text collate "C" not null check (char_length(id) between 1 and 128),
  name text not null check (char_length(name) <= 200),
  primary key (clinic_id, id)
);

create table catalog_treatment (
  clinic_id text collate "C" not null references clinic,
  id text collate "C" not null check (char_length(id) between 1 and 128),
  name text not null check (char_length(name) <= 200),
  code text check (char_length(code) <= 64),
  price_minor bigint check (price_minor between 0 and 100000000000),
  color text check (char_length(color) <= 32),
  category_id text collate "C",
  primary key (clinic_id, id),
  foreign key (clinic_id, category_id) references treatment_category (clinic_id, id)
);

create table billing_account (
  clinic_id text collate "C" not null references clinic,
  id text collate "C" not null check (char_length(id) between 1 and 128),
  business_name text not null check (char_length(business_name) <= 200),
  business_id text check (char_length(business_id) <= 64),
  document_type text not null default 'receipt' check (document_type in ('receipt', 'tax_invoice_receipt')),
  primary key (clinic_id, id)
);

create table patient_status (
  clinic_id text collate "C" not null references clinic,
  id text collate "C" not null check (char_length(id) between 1 and 128),
  name text not null check (char_length(name) <= 200),
  color text check (char_length(color) <= 32),
  primary key (clinic_id, id)
);

select protect_clinic_table(name::regclass) from unnest(array[
  'branch', 'provider', 'working_hours', 'time_off', 'appointment_type', 'appointment_status', 'treatment_category',
  'catalog_treatment', 'billing_account', 'patient_status']) name;
