-- What a clinic has with one partner: its keys, its connections and its webhooks, stopped as one (docs/decisions/0100).
create table integration (
  clinic_id text collate "C" not null references clinic,
  id text collate "C" not null check (char_length(id) between 1 and 128),
  name text not null check (char_length(name) between 1 and 200),
  -- Whom to call.
  contact text check (char_length(contact) <= 500),
  notes text check (char_length(notes) <= 4000),
  created_at timestamptz(3) not null,
  stopped_at timestamptz(3),
  -- The administrator. Null: the operator.
  stopped_by text collate "C" check (char_length(stopped_by) between 1 and 128),
  -- The Idempotency-Key of the request that made it, which makes one.
  mint_request text collate "C" check (char_length(mint_request) between 1 and 255),
  primary key (clinic_id, id),
  unique (clinic_id, mint_request)
);
select protect_clinic_table('integration');
-- Whoever makes a webhook makes its integration, if its maker has none.
revoke update, delete on integration from clinic_data_app;
grant select, insert, update, delete on integration to clinic_data_console;

-- Null in rows that the version before has written: they get one of their own at the next look.
alter table api_key add integration_id text collate "C";
-- It is refused until that is undone. A connection's row has it too.
alter table api_key add stopped_at timestamptz(3);
alter table subscription add integration_id text collate "C";
-- A cluster takes a check of a distributed table only as a statement of its own, which each one within a block is.
do $$ begin
  alter table api_key add constraint api_key_integration_id_check check (char_length(integration_id) between 1 and 128);
  alter table subscription add constraint subscription_integration_id_check check (char_length(integration_id) between 1 and 128);
end $$;
-- Stop has paused it, and undoing Stop enables it.
alter table subscription add stopped_at timestamptz(3);
-- Its deliveries wait, and no claim takes one.
alter table lane add is_stopped boolean not null default false;

grant update (integration_id, stopped_at) on subscription to clinic_data_console;
grant insert, update (is_stopped, leases) on lane to clinic_data_console;

-- Everything that there is gets one of its own. A webhook goes to that of the key or connection that made it.
do $$
declare
  of_clinic text;
begin
  for of_clinic in select clinic_id from clinic loop
    perform set_config('app.clinic_id', of_clinic, true);
    insert into integration (clinic_id, id, name, created_at)
      select clinic_id, 'int_' || id, coalesce(nullif(btrim(name), ''), id), created_at from api_key
      where clinic_id = of_clinic and integration_id is null
      on conflict do nothing;
    update api_key set integration_id = 'int_' || id where clinic_id = of_clinic and integration_id is null;
    insert into integration (clinic_id, id, name, created_at)
      select s.clinic_id, 'int_' || s.id, left(coalesce(nullif(btrim(s.description), ''), s.url), 200), s.created_at
      from subscription s
      where s.clinic_id = of_clinic and s.integration_id is null and not exists (
        select from api_key k where k.clinic_id = of_clinic and k.id = s.made_by)
      on conflict do nothing;
    update subscription s set integration_id = coalesce(
        (select k.integration_id from api_key k where k.clinic_id = of_clinic and k.id = s.made_by), 'int_' || s.id)
      where s.clinic_id = of_clinic and s.integration_id is null;
  end loop;
  perform set_config('app.clinic_id', '', true);
end $$;
