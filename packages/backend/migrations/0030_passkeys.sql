-- The passkeys of administrators, and the challenges of sign-ins that were answered. The owner's work, like all of the console's.

create table passkey (
  clinic_id text collate "C" not null,
  id text collate "C" not null check (char_length(id) between 1 and 128),
  administrator_id text collate "C" not null,
  -- What the authenticator calls it, in base64url: at most 1,023 bytes.
  credential_id text collate "C" not null check (char_length(credential_id) between 1 and 1400),
  -- A COSE key, in base64url.
  public_key text collate "C" not null check (char_length(public_key) between 1 and 4000),
  -- How often it has signed. Authenticators that share a passkey among devices do not count, and say 0.
  counter bigint not null check (counter >= 0),
  name text not null check (char_length(name) between 1 and 200),
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  primary key (clinic_id, id),
  unique (clinic_id, credential_id),
  foreign key (clinic_id, administrator_id) references administrator (clinic_id, id)
);
create index passkey_of on passkey (clinic_id, administrator_id, created_at);

-- Challenges are not stored when they are made, because everyone may ask for one. An answered one is kept until it would have expired, so
-- that it cannot be answered again.
create table spent_challenge (
  clinic_id text collate "C" not null references clinic,
  challenge_hash text collate "C" not null check (challenge_hash ~ '^[0-9a-f]{64}$'),
  expires_at timestamptz(3) not null,
  primary key (clinic_id, challenge_hash)
);

do $$
declare
  name regclass;
begin
  foreach name in array array['passkey', 'spent_challenge']::regclass[] loop
    perform protect_clinic_table(name);
    execute format('revoke all on %s from clinic_data_app', name);
  end loop;
end $$;
