-- Which record an event tells of. Null in events that the version before has stored, and in test events, which tell of no record.
alter table event add record_id text collate "C";
