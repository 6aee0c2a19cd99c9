-- What analytics scans: a clinic's records of some days. Equal days share their entries, so these indexes are small. The
-- amounts that are asked for most stand in the index itself: it answers in a third of the time that the table's rows take.
create index treatment_effective on treatment (clinic_id, effective_date)
  include (provider_id, price_minor, discount_minor) where removed_at is null;
create index appointment_start_date on appointment (clinic_id, start_date);
create index payment_paid on payment (clinic_id, paid_date);
create index call_started_date on call (clinic_id, started_date);
create index chat_message_created_date on chat_message (clinic_id, created_date);
create index lead_created_date on lead (clinic_id, created_date);
