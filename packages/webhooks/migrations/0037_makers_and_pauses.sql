-- Who made a subscription, and whether it is disabled because somebody asked for it.

-- A key's id or an administrator's. Null for those that were made before, and those of the operator.
alter table subscription add made_by text collate "C";
alter table subscription add constraint subscription_made_by_check check (char_length(made_by) between 1 and 128);
-- It can be enabled again. One that was disabled for its failures cannot.
alter table subscription add is_paused boolean not null default false;
