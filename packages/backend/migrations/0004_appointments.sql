-- Appointments and who attends to them. `start_sort` orders lists: nulls last, never null itself.

create table appointment (
  clinic_id text collate "C" not null,
  id text collate "C" not null check (char_length(id) between 1 and 128),
  patient_id text collate "C",
  branch_id text collate "C",
  type_id text collate "C",
  status_id text collate "C",
  start timestamptz(0) check (start between '1900-01-01Z' and '2200-01-01Z'),
  "end" timestamptz(0) check ("end" >= start and "end" < '2200-01-01Z'),
  start_sort timestamptz(0) not null generated always as (coalesce(start, 'infinity')) stored,
  start_date date,
  note text check (char_length(note) <= 2000),
  cancelled_at timestamptz(0),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  created_date date not null,
  primary key (clinic_id, id),
  foreign key (clinic_id, patient_id) references patient (clinic_id, id),
  foreign key (clinic_id, branch_id) references branch (clinic_id, id),
  foreign key (clinic_id, type_id) references appointment_type (clinic_id, id),
  foreign key (clinic_id, status_id) references appointment_status (clinic_id, id)
);
create index appointment_start on appointment (clinic_id, start_sort, id);
create index appointment_patient on appointment (clinic_id, patient_id, start_sort, id);
create index appointment_branch on appointment (clinic_id, branch_id, start_sort, id);
create index appointment_status_start on appointment (clinic_id, status_id, start_sort, id);
create index appointment_updated on appointment (clinic_id, updated_at, id);

-- Start and end are copied from the appointment, so that a provider's day is one index range. A cancelled one is not busy.
create table appointment_provider (
  clinic_id text collate "C" not null,
  appointment_id text collate "C" not null,
  provider_id text collate "C" not null,
  position integer not null check (position between 0 and 49),
  start_sort timestamptz(0) not null,
  "end" timestamptz(0),
  busy boolean not null,
  primary key (clinic_id, appointment_id, provider_id),
  foreign key (clinic_id, appointment_id) references appointment (clinic_id, id) on delete cascade,
  foreign key (clinic_id, provider_id) references provider (clinic_id, id)
);
create index appointment_provider_start on appointment_provider (clinic_id, provider_id, start_sort, appointment_id);
create index appointment_provider_busy on appointment_provider (clinic_id, provider_id, "end", start_sort) where busy;

select protect_clinic_table(name::regclass) from unnest(array['appointment', 'appointment_provider']) name;
