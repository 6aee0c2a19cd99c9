-- A person who works in several clinics opens them with one sign-in (docs/decisions/0114). Each of two clinics holds a row of its own, with the same
-- id. A pairing holds while both do, so either clinic can end it alone.
create table pairing (
  clinic_id text collate "C" not null,
  id text collate "C" not null check (char_length(id) between 1 and 128),
  administrator_id text collate "C" not null,
  other_clinic_id text collate "C" not null check (char_length(other_clinic_id) between 1 and 63 and other_clinic_id <> clinic_id),
  other_administrator_id text collate "C" not null check (char_length(other_administrator_id) between 1 and 128),
  created_at timestamptz(3) not null,
  primary key (clinic_id, id),
  unique (clinic_id, administrator_id, other_clinic_id),
  foreign key (clinic_id, administrator_id) references administrator (clinic_id, id)
);
select protect_clinic_table('pairing');
revoke all on pairing from clinic_data_app;
grant select, insert, delete on pairing to clinic_data_console;

-- The pairing by which another clinic's sign-in has opened the session. Null: it began here.
-- A cluster takes a check of a distributed table only as a statement of its own, which each one within a block is.
do $$ begin
  alter table administrator_session add pairing_id text collate "C";
  alter table administrator_session add constraint administrator_session_pairing_id_check check (char_length(pairing_id) between 1 and 128);
end $$;
