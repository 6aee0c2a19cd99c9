-- Which records were erased with their patient (docs/decisions/0120). Their rows stay without the person, or are gone; no source stores them again
-- under the same id.
create table erased_record (
  clinic_id text collate "C" not null,
  kind text collate "C" not null check (kind in ('patient', 'call', 'chat_conversation', 'chat_message', 'lead')),
  id text collate "C" not null check (char_length(id) between 1 and 128),
  erased_at timestamptz(3) not null,
  primary key (clinic_id, kind, id)
);
select protect_clinic_table('erased_record');
revoke insert, update, delete on erased_record from clinic_data_app;

-- A lead of an erased patient has neither. What comes in is checked before it is stored.
alter table lead drop constraint lead_check;
