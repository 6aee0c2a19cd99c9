-- The list of leads, in its two orders, and each filter in the order of arrival.
do $$ begin
  create index lead_updated on lead (clinic_id, updated_at, id);
  create index lead_status on lead (clinic_id, status, created_at, id);
  create index lead_source on lead (clinic_id, source, created_at, id);
  create index lead_phone on lead (clinic_id, phone_normal, created_at, id);
  create index lead_email on lead (clinic_id, email_folded, created_at, id);
end $$;
