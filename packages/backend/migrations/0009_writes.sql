-- What writes need: idempotency keys, a lead's timeline, the numbers of documents, the tokens of the clinic's own systems,
-- the queue of messages to send.

-- The answer of a write, by its `Idempotency-Key`, stored in the write's own transaction.
create table idempotency (
  clinic_id text collate "C" not null references clinic,
  -- Method and path.
  scope text collate "C" not null check (char_length(scope) <= 1000),
  key text collate "C" not null check (char_length(key) between 1 and 255),
  request_hash text not null check (request_hash ~ '^[0-9a-f]{64}$'),
  answer json not null,
  created_at timestamptz(3) not null,
  primary key (clinic_id, scope, key)
);
create index idempotency_created on idempotency (clinic_id, created_at);

-- An open lead is one that a submission can join: neither converted nor lost.
alter table lead
  add external_id text collate "C" check (char_length(external_id) between 1 and 200),
  add open_phone text collate "C" generated always as (case when status in ('new', 'in_progress') then phone_normal end) stored,
  add open_email text collate "C" generated always as (case when status in ('new', 'in_progress') then email_folded end) stored;
create unique index lead_external on lead (clinic_id, external_id) where external_id is not null;
create index lead_open_phone on lead (clinic_id, open_phone, created_at, id);
create index lead_open_email on lead (clinic_id, open_email, created_at, id);

-- A lead's timeline: the note it came with, and each submission that joined it.
create table lead_activity (
  clinic_id text collate "C" not null,
  id text collate "C" not null check (char_length(id) between 1 and 128),
  lead_id text collate "C" not null,
  kind text not null check (kind in ('note', 'submission', 'status')),
  note text check (char_length(note) <= 2000),
  -- Of a submission that joined: its own id, and all that was sent.
  external_id text collate "C" check (char_length(external_id) between 1 and 200),
  submission json,
  created_at timestamptz(3) not null,
  primary key (clinic_id, id),
  foreign key (clinic_id, lead_id) references lead (clinic_id, id)
);
create index lead_activity_lead on lead_activity (clinic_id, lead_id, created_at, id);
create index lead_activity_external on lead_activity (clinic_id, external_id) where external_id is not null;

-- The last number of each kind of document of a billing account: taken in the transaction that issues the document.
create table document_counter (
  clinic_id text collate "C" not null,
  billing_account_id text collate "C" not null,
  type text collate "C" not null,
  last_number bigint not null check (last_number >= 0),
  primary key (clinic_id, billing_account_id, type),
  foreign key (clinic_id, billing_account_id) references billing_account (clinic_id, id)
);

-- What a document says, as it was when it was issued, and its page once somebody has asked for it.
alter table payment_document
  add content json,
  add file_id text collate "C";

-- The tokens of a clinic's own systems: looked up by their hash, before their clinic is known.
create table ingest_token (
  clinic_id text collate "C" not null references clinic,
  id text collate "C" not null check (char_length(id) between 1 and 128),
  key_hash text collate "C" not null check (key_hash ~ '^[0-9a-f]{64}$'),
  first_characters text not null,
  last_characters text not null,
  name text not null check (char_length(name) <= 200),
  created_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  primary key (clinic_id, id),
  unique (key_hash, clinic_id)
);
alter table ingest_token enable row level security;
alter table ingest_token force row level security;
create policy clinic on ingest_token
  using (clinic_id = current_setting('app.clinic_id', true) or key_hash = current_setting('app.key_hash', true))
  with check (clinic_id = current_setting('app.clinic_id', true));
grant select, insert, update on ingest_token to clinic_data_app;

-- The clinic on its messaging platform, and the template that free text is wrapped in when the window is closed.
alter table clinic
  add messaging_platform text not null default 'simulated' check (messaging_platform in ('simulated', 'whatsapp')),
  add messaging_account_id text collate "C" check (char_length(messaging_account_id) between 1 and 64),
  -- SHA-256 of platform and account: how a report of the platform finds the clinic.
  add messaging_account_hash text collate "C" unique check (messaging_account_hash ~ '^[0-9a-f]{64}$'),
  add messaging_phone text collate "C" check (char_length(messaging_phone) <= 40),
  add wrapping_template_name text check (char_length(wrapping_template_name) <= 512),
  add wrapping_template_language text check (char_length(wrapping_template_language) <= 64);
drop policy clinic on clinic;
create policy clinic on clinic
  using (clinic_id = current_setting('app.clinic_id', true)
    or messaging_account_hash = current_setting('app.key_hash', true))
  with check (clinic_id = current_setting('app.clinic_id', true));

alter table chat_message
  add platform_message_id text collate "C" check (char_length(platform_message_id) between 1 and 200),
  -- What the platform is asked to send, as it was when the message was accepted.
  add platform_content json;
create unique index chat_message_platform on chat_message (clinic_id, platform_message_id)
  where platform_message_id is not null;

alter table call
  -- Whether the exchange recorded it: only then a recording can come.
  add is_recorded boolean not null default false;

-- Messages that wait to be sent. A row in `sending` was handed to the platform: it is never sent again. Dispatchers
-- see the rows of all clinics, so none says more than that there is something to do.
create table chat_send (
  clinic_id text collate "C" not null,
  message_id text collate "C" not null,
  state text not null default 'waiting' check (state in ('waiting', 'sending')),
  attempt_count integer not null default 0,
  due_at timestamptz(3) not null,
  primary key (clinic_id, message_id),
  foreign key (clinic_id, message_id) references chat_message (clinic_id, id)
);
create index chat_send_due on chat_send (due_at);

alter table audit drop constraint audit_surface_check;
alter table audit add constraint audit_surface_check check (surface in ('rest', 'mcp', 'file', 'ingest'));

select protect_clinic_table(name::regclass) from unnest(array[
  'idempotency', 'lead_activity', 'document_counter', 'chat_send']) name;
create policy dispatcher on chat_send for select using (current_setting('app.dispatcher', true) = 'on');
