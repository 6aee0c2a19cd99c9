-- The audit log at rest (docs/decisions/0118): the sealed rows of a past day as one compressed value, in place of the day's partition. Nothing is
-- packed until the operator sets AUDIT_PACKING.

create table audit_segment (
  clinic_id text collate "C" not null,
  -- Its rows have these numbers, and those between them that are the clinic's.
  first_id bigint not null,
  last_id bigint not null check (last_id >= first_id),
  -- UTC's, of all its rows.
  day date not null,
  row_count integer not null check (row_count > 0),
  -- When its first and its last row were stored.
  stored_from timestamptz not null,
  stored_to timestamptz not null check (stored_to >= stored_from),
  -- Which keys did what in which way and how it ended, each once: what finds the segments of a search without opening them.
  kinds text not null,
  -- When the latest of its rows was stored that names records and no patients, as the first versions wrote them.
  records_only_to timestamptz,
  content bytea not null,
  primary key (clinic_id, last_id)
);
-- It is compressed already.
alter table audit_segment alter content set storage external;
select protect_clinic_table('audit_segment');
revoke all on audit_segment from clinic_data_app;
grant select on audit_segment to clinic_data_app, clinic_data_console;

-- The names in each segment, as fingerprints, a part of them in each slot.
create table audit_segment_names (
  clinic_id text collate "C" not null,
  slot integer not null check (slot > 0),
  last_id bigint not null,
  -- The segment's.
  day date not null,
  fingerprints bytea not null,
  primary key (clinic_id, slot, last_id)
);
select protect_clinic_table('audit_segment_names');
revoke all on audit_segment_names from clinic_data_app;
grant select on audit_segment_names to clinic_data_app, clinic_data_console;

-- The retention drops days of all clinics.
create index audit_segment_day on audit_segment (day);
create index audit_segment_names_day on audit_segment_names (day);

-- The owner packs, checks and drops the days of all clinics. The first versions' seals are proven by rows in the table.
create policy dispatcher on audit_former_seal for select to current_user using (current_setting('app.dispatcher', true) = 'on');
create policy dispatcher on audit_segment for select to current_user using (current_setting('app.dispatcher', true) = 'on');
create policy dispatcher_end on audit_segment for delete to current_user using (current_setting('app.dispatcher', true) = 'on');
create policy dispatcher on audit_segment_names for select to current_user using (current_setting('app.dispatcher', true) = 'on');
create policy dispatcher_end on audit_segment_names for delete to current_user using (current_setting('app.dispatcher', true) = 'on');

-- The rows of these days are in segments. Those of another day are in the table still, even where segments of it are made already.
create table audit_packed_day (
  day date primary key
);
grant select on audit_packed_day to clinic_data_app, clinic_data_console;
