-- The integration of each webhook. Null in rows that the version before has written: they get one at the next look.
alter table subscription add integration_id text collate "C";
-- A cluster takes a check of a distributed table only as a statement of its own, which each one within a block is.
do $$ begin
  alter table subscription add constraint subscription_integration_id_check check (char_length(integration_id) between 1 and 128);
end $$;
-- Stop has paused it, and undoing Stop enables it.
alter table subscription add stopped_at timestamptz(3);
grant update (integration_id, stopped_at) on subscription to clinic_data_console;
