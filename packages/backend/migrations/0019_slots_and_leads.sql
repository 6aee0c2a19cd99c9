-- The first slot of today begins on a step of the clinic's clock; and appointments without an end, found without reading the rest.
alter table clinic add slot_step_minutes smallint not null default 5
  check (slot_step_minutes between 1 and 60 and 60 % slot_step_minutes = 0);
create index appointment_provider_endless on appointment_provider (clinic_id, provider_id, start_sort)
  where busy and "end" is null;

-- A phone that cannot be read is kept as it was written, when the lead has an email that can.
alter table lead drop constraint lead_phone_check;
alter table lead add constraint lead_phone_check check (char_length(phone) <= 254);
