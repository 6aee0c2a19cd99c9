-- A clinic that has a thousand messages waiting is in nobody's way: each finds its own by the time they are due.
create index chat_send_clinic_due on chat_send (clinic_id, state, due_at);
alter table chat_send add foreign key (clinic_id, conversation_id) references chat_conversation (clinic_id, id);
