-- An app that registered itself reads its registration (RFC 7592) by a token, of which only the hash is kept. What it was answered and no other
-- column holds is kept too. Null for those of before, which got no token.
alter table app
  add column registration_hash text collate "C" check (registration_hash ~ '^[0-9a-f]{64}$'),
  add column token_endpoint_auth_method text
    check (token_endpoint_auth_method in ('none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt')),
  add column scope text check (scope ~ '^[a-z0-9:_ -]+$');
