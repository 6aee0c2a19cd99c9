-- Since when a message has been in its state, by the clock of the process that put it there. A time in the future shows that this clock was ahead.
alter table chat_send add changed_at timestamptz(3);
