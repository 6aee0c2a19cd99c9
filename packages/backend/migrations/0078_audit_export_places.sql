-- How far the continuous export of each clinic's audit log has come (docs/decisions/0121).

create table audit_export_place (
  clinic_id text collate "C" primary key,
  -- The last seal that the destination has acknowledged. 0: none yet.
  number bigint not null check (number >= 0),
  -- Its address, without secrets.
  destination text not null,
  exported_at timestamptz(3) not null
);
select protect_clinic_table('audit_export_place');
revoke all on audit_export_place from clinic_data_app;

-- The owner looks for clinics with seals that are not exported.
create policy dispatcher on audit_export_place for select to current_user using (current_setting('app.dispatcher', true) = 'on');
create policy dispatcher on audit_head for select to current_user using (current_setting('app.dispatcher', true) = 'on');
create policy dispatcher on audit_seal for select to current_user using (current_setting('app.dispatcher', true) = 'on');
