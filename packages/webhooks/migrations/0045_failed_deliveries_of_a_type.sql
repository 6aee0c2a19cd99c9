-- What has failed, of one type. The indexes of types and of failures cost the planner the same, and the one of types reads past all
-- that was delivered.
create index delivery_failed_type on delivery (clinic_id, subscription_id, event_type, created_at, event_id)
  where status = 'failed';
