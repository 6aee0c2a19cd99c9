-- The rows of names without a sound, and to the owner whose they are: so a round that finds none costs one look, not one for each clinic
-- (docs/decisions/0136).
do $$ begin
  create index patient_name_unheard on patient_name (clinic_id, patient_id, key) where sound is null;
  create policy dispatcher on patient_name for select to current_user
    using (sound is null and current_setting('app.dispatcher', true) = 'on');
end $$;
