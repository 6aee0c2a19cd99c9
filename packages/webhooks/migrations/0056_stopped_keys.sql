-- Keys, webhooks and lanes get their columns in transactions of their own: each waits for the statements that use one table. While a change of two
-- holds one of them and waits for the other, a dispatcher may hold the other and wait for the first.

-- Null in rows that the version before has written: they get one of their own at the next look.
alter table api_key add integration_id text collate "C";
-- A cluster takes a check of a distributed table only as a statement of its own, which each one within a block is.
do $$ begin
  alter table api_key add constraint api_key_integration_id_check check (char_length(integration_id) between 1 and 128);
end $$;
-- It is refused until that is undone. A connection's row has it too.
alter table api_key add stopped_at timestamptz(3);
