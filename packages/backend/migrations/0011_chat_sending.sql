-- What sending chat messages needs: an order within each conversation, and a place for what was handed over unanswered.

-- Within its conversation a message waits for those that were accepted before it.
alter table chat_send add conversation_id text collate "C" not null, add position bigint not null;
create index chat_send_conversation on chat_send (clinic_id, conversation_id, position);

-- `waiting` until `due_at`; `sending`: handed to the platform by a dispatcher that is done with it by `due_at`; `unknown`:
-- nobody knows whether the platform has it, and at `due_at` it is given up. Only what waits is ever sent.
alter table chat_send drop constraint chat_send_state_check;
alter table chat_send add constraint chat_send_state_check check (state in ('waiting', 'sending', 'unknown'));

-- WhatsApp's ids may have 255 characters.
alter table chat_message drop constraint chat_message_platform_message_id_check;
alter table chat_message add constraint chat_message_platform_message_id_check
  check (char_length(platform_message_id) between 1 and 255);
