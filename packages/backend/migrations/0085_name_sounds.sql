-- The sound of each key of a name, by which it is found in another script. Null in the rows of before and of the version before: a
-- background job fills them in, and finds them in the same index (docs/decisions/0136).
do $$ begin
  alter table patient_name add sound text collate "C";
  create index patient_name_sound on patient_name (clinic_id, sound, patient_id, key);
end $$;
