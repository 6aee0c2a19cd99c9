-- Who wants a mail about the clinic's integrations each week, and when the next one is due (docs/decisions/0111). No row: not wanted.
create table weekly_mail (
  clinic_id text collate "C" not null,
  administrator_id text collate "C" not null,
  language text collate "C" not null check (language in ('en', 'he')),
  -- Moved to the next week before a mail is handed over, so that none is sent twice; back to soon when the mail server refused it.
  due_at timestamptz(3) not null,
  -- Refusals of the mail that is due.
  failures smallint not null default 0 check (failures between 0 and 10),
  sent_at timestamptz(3),
  -- The mail of a week was given up.
  failed_at timestamptz(3),
  primary key (clinic_id, administrator_id),
  foreign key (clinic_id, administrator_id) references administrator (clinic_id, id)
);
-- Without an index by time: it has a row a person who chose, and is looked through every five minutes.
select protect_clinic_table('weekly_mail');
-- A dispatcher sees of all clinics whose mail is due.
create policy dispatcher on weekly_mail for select to current_user using (current_setting('app.dispatcher', true) = 'on');
revoke all on weekly_mail from clinic_data_app;
grant select, insert, update, delete on weekly_mail to clinic_data_console;
