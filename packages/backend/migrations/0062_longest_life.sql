-- The longest life of a clinic's new keys and connections, in days (docs/decisions/0107). Its administrators set it. Null: they may last until
-- somebody ends them.
-- A cluster takes a check of a distributed table only as a statement of its own, which each one within a block is.
do $$ begin
  alter table clinic add longest_life_days integer;
  alter table clinic add constraint clinic_longest_life_days_check check (longest_life_days between 1 and 3650);
end $$;
grant update (longest_life_days) on clinic to clinic_data_console;
