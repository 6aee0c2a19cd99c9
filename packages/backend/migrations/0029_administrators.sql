-- The administrators of a clinic, who manage its integrations in the console, their sessions and their sign-in links. All of it is the
-- owner's work: the login of requests may not even read it.

create table administrator (
  clinic_id text collate "C" not null references clinic,
  id text collate "C" not null check (char_length(id) between 1 and 128),
  -- Folded: lower case, no invisible characters.
  email text not null check (char_length(email) between 3 and 254),
  name text not null check (char_length(name) between 1 and 200),
  -- The hash with its salt and its parameters. Null until one is set: then only a sign-in link opens the console.
  password text check (char_length(password) <= 200),
  created_at timestamptz(3) not null,
  disabled_at timestamptz(3),
  -- The latest sign-in.
  last_seen_at timestamptz(3),
  primary key (clinic_id, id)
);
-- A person who was disabled may come back as a new administrator.
create unique index administrator_email on administrator (clinic_id, email) where disabled_at is null;

create table administrator_session (
  clinic_id text collate "C" not null,
  token_hash text collate "C" not null check (token_hash ~ '^[0-9a-f]{64}$'),
  administrator_id text collate "C" not null,
  created_at timestamptz(3) not null,
  seen_at timestamptz(3) not null,
  -- It began by a sign-in link, and no password was set in it: then a new one does not need the current one.
  by_link boolean not null,
  user_agent text not null check (char_length(user_agent) <= 200),
  primary key (clinic_id, token_hash),
  foreign key (clinic_id, administrator_id) references administrator (clinic_id, id)
);
create index administrator_session_of on administrator_session (clinic_id, administrator_id, seen_at);

create table sign_in_link (
  clinic_id text collate "C" not null,
  token_hash text collate "C" not null check (token_hash ~ '^[0-9a-f]{64}$'),
  administrator_id text collate "C" not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  primary key (clinic_id, token_hash),
  foreign key (clinic_id, administrator_id) references administrator (clinic_id, id)
);
create index sign_in_link_of on sign_in_link (clinic_id, administrator_id);

-- Attempts to sign in, by the hash of the email that was given, whether or not anyone has it: so a lock-out tells nothing.
create table sign_in_attempt (
  clinic_id text collate "C" not null references clinic,
  email_hash text collate "C" not null check (email_hash ~ '^[0-9a-f]{64}$'),
  count integer not null check (count > 0),
  last_at timestamptz(3) not null,
  primary key (clinic_id, email_hash)
);
create index sign_in_attempt_last on sign_in_attempt (clinic_id, last_at);

do $$
declare
  name regclass;
begin
  foreach name in array array['administrator', 'administrator_session', 'sign_in_link', 'sign_in_attempt']::regclass[] loop
    perform protect_clinic_table(name);
    execute format('revoke all on %s from clinic_data_app', name);
  end loop;
end $$;

-- Who minted it: an administrator, or null for the operator. And the Idempotency-Key of that request, which mints once.
alter table api_key add made_by text collate "C";
alter table api_key add mint_request text collate "C";
alter table api_key add constraint api_key_made_by_check check (char_length(made_by) between 1 and 128);
alter table api_key add constraint api_key_mint_request_check check (char_length(mint_request) between 1 and 255);
alter table api_key add constraint api_key_mint_request_key unique (clinic_id, mint_request);

-- The stored rows satisfy the narrower rule that stood before, so they are not read again.
alter table audit drop constraint audit_surface_check;
alter table audit add constraint audit_surface_check
  check (surface in ('rest', 'mcp', 'file', 'ingest', 'console')) not valid;
