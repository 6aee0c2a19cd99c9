-- A subscription can be changed, and has a note of its owner.

alter table subscription add description text;
alter table subscription add constraint subscription_description_check check (char_length(description) <= 250);
-- It once wanted chat.* types: its log may hold messages, which no key without chat:read may send elsewhere.
alter table subscription add dropped_chat boolean not null default false;
