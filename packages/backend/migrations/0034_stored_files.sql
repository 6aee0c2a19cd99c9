-- When a file's row was stored, by the database's clock. `created_at` is the file's own time, which may be long ago.
alter table file add stored_at timestamptz(3) not null default now();
create index file_stored on file (clinic_id, stored_at, id);
drop index file_created;
