-- The console tells an administrator how many chat messages wait, and of how many nobody knows whether the platform has them. Its login reads
-- what it counts by, and no text, phone or name.
grant select (clinic_id, message_id, state, due_at) on chat_send to clinic_data_console;
grant select (clinic_id, id, direction, created_at, sent_at, delivered_at, failed_at, failure_reason) on chat_message to clinic_data_console;
