-- Apps that people connect to their clinics, and these connections (docs/decisions/0095). A connection has a row among the keys: its scopes,
-- its rate limit, its end and its place in the audit log are a key's. No secret has the hash of that row.

-- Registered by the operator or by itself. One that is known by the document at its id has a row only when the operator has disabled it. An
-- app is no clinic's, and only the console's login and the owner see it.
create table app (
  id text collate "C" primary key check (char_length(id) between 1 and 500),
  kind text not null check (kind in ('registered', 'self_registered', 'document')),
  name text not null check (char_length(name) between 1 and 200),
  redirect_uris text[] not null,
  authentication text not null check (authentication in ('none', 'client_secret', 'private_key_jwt')),
  secret_hash text collate "C" check (secret_hash ~ '^[0-9a-f]{64}$'),
  -- Goes on for a day after a rotation.
  former_secret_hash text collate "C" check (former_secret_hash ~ '^[0-9a-f]{64}$'),
  former_secret_until timestamptz(3),
  -- Public keys (RFC 7517), for `private_key_jwt`.
  jwks jsonb,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  disabled_at timestamptz(3)
);
create index app_unused on app (created_at) where kind = 'self_registered' and last_used_at is null;

-- What a device without a browser asks (RFC 8628), until a person has typed its code. Then its clinic is known, and it is a token of kind
-- `device` there.
create table device_request (
  device_hash text collate "C" primary key check (device_hash ~ '^[0-9a-f]{64}$'),
  user_code text collate "C" not null unique check (char_length(user_code) between 8 and 20),
  app_id text collate "C" not null check (char_length(app_id) between 1 and 500),
  scopes text[] not null,
  audience text check (audience in ('api', 'mcp')),
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  -- It asked last.
  asked_at timestamptz(3),
  state text not null check (state in ('waiting', 'allowed', 'refused'))
);
create index device_request_expires on device_request (expires_at);
grant select, insert, update, delete on app, device_request to clinic_data_console;

-- The id is that of its row among the keys.
create table connection (
  clinic_id text collate "C" not null,
  id text collate "C" not null,
  app_id text collate "C" not null check (char_length(app_id) between 1 and 500),
  -- As the person saw it.
  app_name text not null check (char_length(app_name) between 1 and 200),
  app_host text check (char_length(app_host) between 1 and 253),
  is_verified boolean not null,
  administrator_id text collate "C" not null check (char_length(administrator_id) between 1 and 128),
  -- Where its tokens are good: the REST API, the MCP server, or null for both.
  audience text check (audience in ('api', 'mcp')),
  -- When the app took its first tokens. Until then it is a code that may expire unused.
  connected_at timestamptz(3),
  -- Why it ended before its time.
  end_reason text check (end_reason in ('ended', 'by_app', 'reused', 'app_disabled', 'person_disabled')),
  primary key (clinic_id, id),
  foreign key (clinic_id, id) references api_key (clinic_id, id)
);
create index connection_of_app on connection (clinic_id, app_id);
create index connection_of_person on connection (clinic_id, administrator_id);
select protect_clinic_table('connection');
revoke all on connection from clinic_data_app;
grant select on connection to clinic_data_app;
grant select, insert, update on connection to clinic_data_console;

-- Codes and tokens, by their hashes.
create table connection_token (
  clinic_id text collate "C" not null,
  token_hash text collate "C" not null check (token_hash ~ '^[0-9a-f]{64}$'),
  kind text not null check (kind in ('code', 'device', 'refresh', 'access')),
  connection_id text collate "C" not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  -- When a code or a refresh token was exchanged.
  used_at timestamptz(3),
  -- Only a code has both: where it was sent, and the S256 challenge (RFC 7636).
  redirect_uri text check (char_length(redirect_uri) <= 2000),
  code_challenge text collate "C" check (code_challenge ~ '^[A-Za-z0-9_-]{43}$'),
  primary key (token_hash, clinic_id),
  foreign key (clinic_id, connection_id) references connection (clinic_id, id)
);
create index connection_token_of on connection_token (clinic_id, connection_id);
create index connection_token_expires on connection_token (clinic_id, expires_at);
-- A token is looked up before its clinic is known, as a key is: `app.key_hash` opens the one with that hash.
alter table connection_token enable row level security;
alter table connection_token force row level security;
create policy clinic on connection_token
  using (clinic_id = current_setting('app.clinic_id', true) or token_hash = current_setting('app.key_hash', true))
  with check (clinic_id = current_setting('app.clinic_id', true));
grant select on connection_token to clinic_data_app;
grant select, insert, update, delete on connection_token to clinic_data_console;

-- The subscriptions that an app made end with its connection.
grant update (enabled, is_paused, disabled_at, disabled_reason) on subscription to clinic_data_console;
grant update (status, error, due_at, lease_id, lease_until, manual_from, scheduled_at) on delivery to clinic_data_console;
grant delete on lane to clinic_data_console;
