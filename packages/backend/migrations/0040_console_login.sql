-- The console works with a login of its own, behind row level security like that of requests. It may do what the administrators of a clinic
-- do: sign in, look, and mint and revoke keys and tokens.
grant select on clinic, working_hours, patient, patient_name, patient_contact, subscription, lane, event, delivery, attempt, attempt_hour,
  audit, audit_seal, audit_hour to clinic_data_console;
grant select, insert, update on api_key, ingest_token to clinic_data_console;
grant select, update on administrator to clinic_data_console;
grant select, insert, update, delete on administrator_session, sign_in_link, sign_in_attempt, passkey, spent_challenge
  to clinic_data_console;

-- A change stores its row in its own transaction: only a row of its own clinic.
grant insert on audit to clinic_data_console;
create policy console on audit for insert to clinic_data_console
  with check (clinic_id = current_setting('app.clinic_id', true) and stored_at > now() - interval '30 seconds');

-- The program asks whether the schema is the one it was written for.
grant select on schema_migration to clinic_data_console;
