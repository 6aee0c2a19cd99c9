-- Patients, every phone and email they have, and the keys by which their names are found.

create table patient (
  clinic_id text collate "C" not null references clinic,
  id text collate "C" not null check (char_length(id) between 1 and 128),
  first_name text check (char_length(first_name) <= 120),
  last_name text check (char_length(last_name) <= 120),
  -- The folded name: parts in lower case, without marks, joined by one space.
  name_folded text collate "C" not null,
  phone text check (char_length(phone) <= 40),
  email text check (char_length(email) <= 254),
  gender text check (gender in ('male', 'female')),
  birth_date date check (birth_date between '1850-01-01' and '2200-01-01'),
  status_id text collate "C",
  street text check (char_length(street) <= 200),
  city text check (char_length(city) <= 200),
  postal_code text check (char_length(postal_code) <= 64),
  country text check (country ~ '^[A-Z]{2}$'),
  id_number text check (char_length(id_number) <= 40),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  created_date date not null,
  primary key (clinic_id, id),
  foreign key (clinic_id, status_id) references patient_status (clinic_id, id)
);
create index patient_updated on patient (clinic_id, updated_at, id);

-- Primary phone and email stand here too: one table answers who has a phone or an email.
create table patient_contact (
  clinic_id text collate "C" not null,
  patient_id text collate "C" not null,
  position integer not null check (position between 0 and 49),
  type text not null check (type in ('phone', 'email')),
  value text not null check (char_length(value) <= 254),
  -- E.164 of a phone that can be read, the case-folded email, else null.
  value_normal text collate "C",
  label text check (char_length(label) <= 200),
  is_primary boolean not null,
  primary key (clinic_id, patient_id, position),
  foreign key (clinic_id, patient_id) references patient (clinic_id, id) on delete cascade
);
create index patient_contact_value on patient_contact (clinic_id, type, value_normal, patient_id);

-- Every ordered pair of the parts of a folded name, or its only part: a search is a range of this table, in the order of names.
create table patient_name (
  clinic_id text collate "C" not null,
  key text collate "C" not null,
  patient_id text collate "C" not null,
  primary key (clinic_id, key, patient_id),
  foreign key (clinic_id, patient_id) references patient (clinic_id, id) on delete cascade
);
create index patient_name_patient on patient_name (clinic_id, patient_id, key);

select protect_clinic_table(name::regclass) from unnest(array['patient', 'patient_contact', 'patient_name']) name;
