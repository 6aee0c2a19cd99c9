-- A document names the patient of the day on which it was issued. Its payment may be corrected to another one: then this is the first of
-- them, and null until then. So the log says whose page was read (docs/decisions/0155).
do $$ begin
  alter table payment_document add named_patient_id text collate "C";
  grant update (named_patient_id) on payment_document to clinic_data_app;
end $$;
