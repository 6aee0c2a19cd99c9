-- The events of one record, latest first. Those of before have none, and stand in no index.
create index event_record on event (clinic_id, record_id, created_at, id) where record_id is not null;
