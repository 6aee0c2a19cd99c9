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
