-- How long each request took, in whole milliseconds. Unknown for rows from before, and for those of older gateways.
alter table audit add duration_ms integer;

-- Sums of the audit log by hour and key, so that charts scan no rows. The transaction that seals rows adds them, each exactly once.
create table audit_hour (
  clinic_id text collate "C" not null,
  hour timestamptz(3) not null,
  key_id text collate "C" not null check (char_length(key_id) between 1 and 128),
  requests integer not null check (requests > 0),
  -- Statuses from 400, and from 500.
  refusals integer not null,
  failures integer not null,
  -- How many took up to each bound of `DURATION_BOUNDS_MS`, and longer. Only those whose duration is known.
  durations integer[] not null,
  -- The requests of each minute of the hour, and of the busiest.
  minutes integer[] not null,
  busiest_minute integer not null,
  primary key (clinic_id, hour, key_id)
);
select protect_clinic_table('audit_hour');
revoke all on audit_hour from clinic_data_app;
