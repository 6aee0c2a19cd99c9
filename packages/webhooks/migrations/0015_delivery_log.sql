-- The delivery log by type, and what has failed: found without reading past the rest.

create index delivery_type on delivery (clinic_id, subscription_id, event_type, created_at, event_id);
create index delivery_failed on delivery (clinic_id, subscription_id, created_at, event_id) where status = 'failed';
