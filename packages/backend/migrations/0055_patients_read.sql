-- Whose data each key has read on a day, so that sums by hour count each patient once a day (docs/decisions/0101). The days are the clinic's.
alter table audit_hour add patients integer not null default 0;
alter table audit_hour add changes integer not null default 0;

create table patient_read (
  clinic_id text collate "C" not null,
  day date not null,
  key_id text collate "C" not null check (char_length(key_id) between 1 and 128),
  patient_id text collate "C" not null check (char_length(patient_id) between 1 and 128),
  primary key (clinic_id, day, key_id, patient_id)
);
select protect_clinic_table('patient_read');
revoke all on patient_read from clinic_data_app;
grant select on patient_read to clinic_data_console;

-- When the administrator was here before the session began.
alter table administrator_session add before_at timestamptz(3);
