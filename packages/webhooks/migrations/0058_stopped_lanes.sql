-- The deliveries of a stopped webhook wait, and no claim takes one.
alter table lane add is_stopped boolean not null default false;
grant insert, update (is_stopped, leases) on lane to clinic_data_console;
